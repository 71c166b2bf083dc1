import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime, number } from '../../words/moments.ts';
import { useSubjectOf } from './run-parts.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';

const CHANGES = ['new', 'updated', 'absent', 'unchanged', 'not_compared'] as const;

type Run = Api['Analysis'];

const subjectKey = ({ type, standard_id, options }: Run): string =>
  [type, standard_id, (options as { readonly checklist?: { readonly id: string } }).checklist?.id].join();

/** What differs between two runs. */
export default function ComparePage() {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const subjectOf = useSubjectOf(workspace);
  const [query, setQuery] = useSearchParams();
  const [base, head] = [query.get('base') ?? '', query.get('head') ?? ''];
  const runs = useQuery({
    queryKey: ['runs', workspace, 'completed'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/analyses', {
          params: {
            query: { workspace_id: workspace, limit: 100, sort: '-created_at', status: ['completed'] },
          },
          signal,
        }),
      ),
  });
  /** Beside a run that was chosen only runs of the same can be compared with it; what is chosen stays, to be seen. */
  const isOffered = (name: 'base' | 'head', items: readonly Run[]) => {
    const [own, other] = name === 'base' ? [base, head] : [head, base];
    const chosen = items.find(({ id }) => id === other);
    return (run: Run): boolean => run.id === own || !chosen || subjectKey(run) === subjectKey(chosen);
  };
  const set = (name: string, value: string): void =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      next.set(name, value);
      return next;
    });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('compare')}</h1>
      </div>
      <Loaded query={runs}>
        {({ items }) => (
          <div className="row">
            {(['base', 'head'] as const).map((name) => (
              <Field key={name} label={say(name)}>
                <select
                  className="input"
                  value={name === 'base' ? base : head}
                  onChange={(event) => set(name, event.target.value)}
                >
                  <option value="">{say('choose')}</option>
                  {items.filter(isOffered(name, items)).map((run) => (
                    <option key={run.id} value={run.id}>
                      {subjectOf(run, common.named('analysis', run.type))},{' '}
                      {dateAndTime(run.finished_at ?? run.created_at, say.language)}
                    </option>
                  ))}
                </select>
              </Field>
            ))}
          </div>
        )}
      </Loaded>
      {base && head ? <Compared base={base} head={head} /> : <p className="quiet">{say('choose_both')}</p>}
    </div>
  );
}

function Compared({ base, head }: { readonly base: string; readonly head: string }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [query] = useSearchParams();
  const change = CHANGES.find((one) => one === query.get('change')) ?? 'new';
  const compared = useInfiniteQuery({
    queryKey: ['runs', workspace, 'compared', base, head, change],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/analysis/compare', {
          params: {
            query: { base, head, limit: 50, change, ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const withChange = (one: string): string => {
    const next = new URLSearchParams(query);
    next.set('change', one);
    return next.toString();
  };
  return (
    <Loaded query={compared}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        return (
          <>
            <nav className="tabs" aria-label={say('compare')}>
              {CHANGES.map((one) => (
                <Link
                  key={one}
                  href={`?${withChange(one)}`}
                  aria-current={one === change ? 'page' : undefined}
                >
                  {say(`count_${one}`)} {number(pages[0]!.counts[one], say.language)}
                </Link>
              ))}
            </nav>
            {items.length === 0 && <p className="quiet">{say('nothing')}</p>}
            <ul className="stack">
              {items.map((one) => (
                <Difference key={one.gap_id} of={one} workspace={workspace} />
              ))}
            </ul>
            {compared.hasNextPage && (
              <p>
                <Button disabled={compared.isFetchingNextPage} onClick={() => void compared.fetchNextPage()}>
                  {say('more')}
                </Button>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Difference({ of, workspace }: { readonly of: Api['ComparedGap']; readonly workspace: string }) {
  const say = useWords();
  const common = useCommonWords();
  const said = of.head ?? of.base;
  const fields = of.differences.map(({ field }) => field);
  return (
    <li className="card">
      <p className="row">
        <StateGlyph of={of.severity} label={common(`severity_${of.severity}`)} />
        <Link href={`/w/${workspace}/gaps/${of.gap_id}`}>
          <bdi>{said?.title}</bdi>
        </Link>
        <span className="tag">{common.named('status', of.status)}</span>
        <span className="mono small">{of.clause}</span>
      </p>
      {fields.length > 0 && (
        <p className="small">{say('differs', { fields: fields.join(', ').replaceAll('_', ' ') })}</p>
      )}
      {fields.includes('observed') && (
        <div className="compare-two">
          <p>
            <span className="small">{say('base')}</span>
            <br />
            <bdi>{of.base?.observed}</bdi>
          </p>
          <p>
            <span className="small">{say('head')}</span>
            <br />
            <bdi>{of.head?.observed}</bdi>
          </p>
        </div>
      )}
    </li>
  );
}
