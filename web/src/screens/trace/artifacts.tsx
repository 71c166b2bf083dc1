import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

const TYPES = [
  'hazardous_event',
  'safety_goal',
  'functional_safety_requirement',
  'technical_safety_requirement',
  'hardware_requirement',
  'software_requirement',
  'cybersecurity_goal',
  'cybersecurity_requirement',
  'design',
  'test',
  'evidence',
  'unknown',
] as const;

/** The artifacts of a workspace. */
export default function ArtifactsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const type = TYPES.find((one) => one === query.get('type'));
  const artifacts = useInfiniteQuery({
    queryKey: ['trace', workspace, 'artifacts', search, type],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/traceability/artifacts', {
          params: {
            query: {
              workspace_id: workspace,
              limit: 100,
              ...(search && { search }),
              ...(type && { type: [type] }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const set = (name: string, value: string): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('artifacts')}</h1>
        <Input
          type="search"
          className="input run-choice"
          aria-label={say('find')}
          placeholder={say('find')}
          value={search}
          onChange={(event) => set('search', event.target.value)}
        />
        <select
          className="input run-choice"
          aria-label={say('type')}
          value={type ?? ''}
          onChange={(event) => set('type', event.target.value)}
        >
          <option value="">{say('all_types')}</option>
          {TYPES.map((one) => (
            <option key={one} value={one}>
              {say(`type_${one}`)}
            </option>
          ))}
        </select>
      </div>
      <TraceTabs />
      <Loaded query={artifacts}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <Empty title={say('none')}>
              <p>{say('none_text')}</p>
            </Empty>
          ) : (
            <>
              <ul className="stack">
                {items.map((one) => (
                  <li key={one.id} className="trace-row">
                    <Link className="mono" href={`/w/${workspace}/trace/artifacts/${one.id}`}>
                      {one.artifact_id}
                    </Link>{' '}
                    <span className="tag">{say.named('type', one.type)}</span>{' '}
                    {one.asil && <span className="tag">{one.asil}</span>} <bdi>{one.name ?? one.text}</bdi>
                  </li>
                ))}
              </ul>
              {artifacts.hasNextPage && (
                <p>
                  <Button onClick={() => void artifacts.fetchNextPage()}>{say('more')}</Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
