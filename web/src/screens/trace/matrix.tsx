import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

const STATES = ['missing', 'partial', 'orphan', 'complete'] as const;
const SHAPES: Readonly<Record<(typeof STATES)[number], Verdict>> = {
  complete: 'covered',
  partial: 'partial',
  missing: 'missing',
  orphan: 'needs_review',
};

/** Most links of a cell; the rest is told by its number. */
const LINKS = 10;

type Row = Api['TraceMatrix']['matrix'][number];

/** One line per goal or requirement: what stands above it, what below. */
export default function MatrixPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [state, setState] = useState('');
  const matrix = useInfiniteQuery({
    queryKey: ['trace', workspace, 'matrix'],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/traceability/matrix', {
          params: {
            query: {
              workspace_id: workspace,
              limit: 200,
              links: LINKS,
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
        <h1>{say('matrix')}</h1>
        <select
          className="input run-choice"
          aria-label={say('state')}
          value={state}
          onChange={(event) => setState(event.target.value)}
        >
          <option value="">{say('all_states')}</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {say(`state_${one}`)}
            </option>
          ))}
        </select>
      </div>
      <TraceTabs />
      <Loaded query={matrix}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.matrix);
          return rows.length === 0 ? (
            <Empty title={say('none')}>
              <p>{say('none_text')}</p>
            </Empty>
          ) : (
            <>
              <Rows rows={rows.filter((row) => !state || row.status === state)} workspace={workspace} />
              {matrix.hasNextPage && (
                <p>
                  <Button disabled={matrix.isFetchingNextPage} onClick={() => void matrix.fetchNextPage()}>
                    {say('more')}
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function Rows({ rows, workspace }: { readonly rows: readonly Row[]; readonly workspace: string }) {
  const say = useWords();
  return (
    <div className="list-scroll">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{say('requirement')}</th>
            <th scope="col">{say('above')}</th>
            <th scope="col">{say('below')}</th>
            <th scope="col">{say('state')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.type} ${row.requirement_id}`}>
              <td>
                <ArtifactLink workspace={workspace} id={row.requirement_id} />{' '}
                {row.integrity && <span className="tag">{row.integrity}</span>}
                <br />
                <bdi>{row.requirement_text}</bdi>
              </td>
              <td>
                <Ends of={row.upstream_links} more={row.more_upstream} workspace={workspace} />
              </td>
              <td>
                <Ends of={row.downstream_links} more={row.more_downstream} workspace={workspace} />
              </td>
              <td>
                <span className="state-label">
                  <StateGlyph of={SHAPES[row.status]} /> {say(`state_${row.status}`)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ArtifactLink = ({ workspace, id }: { readonly workspace: string; readonly id: string }) => (
  <Link className="mono" href={`/w/${workspace}/trace/artifacts?search=${encodeURIComponent(id)}`}>
    {id}
  </Link>
);

function Ends({
  of,
  more,
  workspace,
}: {
  readonly of: Row['upstream_links'];
  readonly more: number;
  readonly workspace: string;
}) {
  const say = useWords();
  return (
    <ul>
      {of.map((end) => (
        <li key={`${end.link_type} ${end.artifact_id}`} title={end.artifact_name}>
          <ArtifactLink workspace={workspace} id={end.artifact_id} />{' '}
          <span className="small">{say.named('link', end.link_type)}</span>
        </li>
      ))}
      {more > 0 && <li className="small">{say.count('more_links', more)}</li>}
    </ul>
  );
}
