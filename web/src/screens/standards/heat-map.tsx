import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Breakable } from '../../parts/breakable.tsx';
import { Button } from '../../parts/button.tsx';
import { VerdictLabel } from '../../parts/severity.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

const SIGNS: Readonly<Record<string, string>> = { s: '●', c: '✕', b: '◐', x: '·', '-': '' };

/** Which document speaks about which criterion, and how. */
export function HeatMap({
  standard,
  run,
  at,
  onOpen,
}: {
  readonly standard: string;
  readonly run: string | undefined;
  readonly at: string | null;
  readonly onOpen: (criterion: string) => void;
}) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [query, set] = useAddress();
  const rowsOf = query.get('rows') === 'process' ? 'process' : 'clause';
  const map = useQuery({
    queryKey: ['standards', workspace, standard, 'map', run, rowsOf],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/standards/{id}/heatmap', {
          params: { path: { id: standard }, query: { rows: rowsOf, ...(run && { analysis_id: run }) } },
          signal,
        }),
      ),
  });
  const words = (letter: string): string => (letter === '-' ? say('cell_none') : say.named('cell', letter));
  return (
    <Loaded query={map}>
      {({ columns, rows }) => (
        <div className="stack">
          <label className="check">
            <input
              type="checkbox"
              checked={rowsOf === 'process'}
              onChange={({ target }) => set({ rows: target.checked ? 'process' : '' })}
            />
            {say('by_process')}
          </label>
          <p className="row small">
            {['s', 'b', 'c', 'x'].map((letter) => (
              <span key={letter}>
                <span className="heat-sign" data-cell={letter} aria-hidden="true">
                  {SIGNS[letter]}
                </span>{' '}
                {words(letter)}
              </span>
            ))}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
          <section className="heat-scroll" tabIndex={0} aria-label={say('map')}>
            <table className="heat">
              <thead>
                <tr>
                  <th scope="col">{say('criterion')}</th>
                  {columns.map((column) => (
                    <th key={column.work_product_id} scope="col" title={column.name}>
                      <span className="heat-name">
                        <Breakable name={column.name} />
                      </span>
                    </th>
                  ))}
                  <th scope="col">{say('counts')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr
                    key={row.criterion_id}
                    aria-selected={row.criterion_id === at || undefined}
                    data-kind={row.verdict === null && rowsOf === 'clause' ? 'group' : undefined}
                  >
                    <th scope="row" style={{ paddingLeft: `${8 + row.depth * 14}px` }}>
                      {row.verdict === null ? (
                        <>
                          <span className="mono">{row.clause}</span> <bdi>{row.title}</bdi>
                        </>
                      ) : (
                        <Button
                          kind="quiet"
                          className="criterion-button"
                          onClick={() => onOpen(row.criterion_id)}
                        >
                          <span className="mono">{row.clause}</span> <bdi>{row.title}</bdi>
                        </Button>
                      )}
                    </th>
                    {[...row.cells].map((letter, column) => (
                      <td key={columns[column]!.work_product_id}>
                        {(row.verdict !== null || rowsOf === 'process') && (
                          <span className="heat-sign" data-cell={letter}>
                            <span aria-hidden="true">{SIGNS[letter]}</span>
                            <span className="visually-hidden">{words(letter)}</span>
                          </span>
                        )}
                      </td>
                    ))}
                    <td>
                      {row.effective_verdict ? (
                        <VerdictLabel of={row.effective_verdict} />
                      ) : (
                        rowsOf === 'process' &&
                        row.effective_score !== null && (
                          <strong>{percent(row.effective_score, say.language)}</strong>
                        )
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </Loaded>
  );
}
