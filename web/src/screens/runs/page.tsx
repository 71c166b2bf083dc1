import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, percent } from '../../words/moments.ts';
import { NewRun } from './new-run.tsx';
import { gapsOf, RunProgress, useSubjectOf } from './run-parts.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';

const TYPES = ['gap_analysis', 'completeness', 'checklist', 'traceability'] as const;

/** The runs of a workspace, newest first, those that are under way with where they are. */
export default function RunsPage() {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [isNew, openNew] = useState(false);
  const [query, setQuery] = useSearchParams();
  const type = TYPES.find((one) => one === query.get('type'));
  const runs = useInfiniteQuery({
    queryKey: ['runs', workspace, 'list', type],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/analysis/analyses', {
          params: {
            query: {
              workspace_id: workspace,
              limit: 30,
              sort: '-created_at',
              ...(type && { type: [type] }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('runs')}</h1>
        <select
          className="input run-choice"
          aria-label={say('type')}
          value={type ?? ''}
          onChange={(event) => setQuery(event.target.value ? { type: event.target.value } : {})}
        >
          <option value="">{say('all_types')}</option>
          {TYPES.map((one) => (
            <option key={one} value={one}>
              {common(`analysis_${one}`)}
            </option>
          ))}
        </select>
        <Link className="button" href={`/w/${workspace}/runs/compare`}>
          {say('compare')}
        </Link>
        {may('analyses.start') && (
          <Button kind="primary" onClick={() => openNew(true)}>
            <Icon name="runs" /> {say('new')}
          </Button>
        )}
      </div>
      <Loaded query={runs}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <Empty title={say('none')}>
              <p>{say('none_text')}</p>
            </Empty>
          ) : (
            <>
              <Hint name="compare" />
              <RunTable runs={items} workspace={workspace} />
              {runs.hasNextPage && (
                <p>
                  <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                    {say('more')}
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
      {isNew && <NewRun workspace={workspace} onClose={() => openNew(false)} />}
    </div>
  );
}

function RunTable({
  runs,
  workspace,
}: {
  readonly runs: readonly Api['Analysis'][];
  readonly workspace: string;
}) {
  const subjectOf = useSubjectOf(workspace);
  const say = useWords();
  const common = useCommonWords();
  return (
    <div className="list-scroll">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{say('subject')}</th>
            <th scope="col">{say('state')}</th>
            <th scope="col" className="number">
              {say('score')}
            </th>
            <th scope="col" className="number">
              {say('gaps')}
            </th>
            <th scope="col">{say('finished')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <Link href={`/w/${workspace}/runs/${run.id}`}>
                  <bdi>{subjectOf(run, common.named('analysis', run.type))}</bdi>
                </Link>
              </td>
              <td>
                <RunProgress run={run} />
              </td>
              <td className="number" data-label={say('score')}>
                {run.score === null ? '–' : percent(run.score, say.language)}
              </td>
              <td className="number" data-label={say('gaps')}>
                {gapsOf(run) ?? '–'}
              </td>
              <td data-label={say('finished')}>{ago(run.finished_at ?? run.created_at, say.language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
