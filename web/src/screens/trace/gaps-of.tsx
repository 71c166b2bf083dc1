import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, take } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { placeInWords } from '../../parts/place.ts';
import { placeAddress } from '../../parts/quote.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

/** Artifacts have few gaps; who has more sees how many. */
const MOST = 50;

/** The gaps of the trace, as it is now, in which an artifact takes part. */
export function GapsOf({ workspace, id }: { readonly workspace: string; readonly id: string }) {
  const say = useWords();
  const common = useCommonWords();
  const found = useQuery({
    queryKey: ['trace', workspace, 'gaps-of', id, say.language],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/gaps', {
          params: { query: { workspace_id: workspace, artifact_id: id, refs: true, limit: MOST } },
          signal,
        }),
      ),
  });
  return (
    <Panel title={say('gaps_of')}>
      <Loaded query={found} lines={2}>
        {({ gaps, total_gaps, refs }) =>
          gaps.length === 0 ? (
            <p className="hint">{say('no_gaps_of')}</p>
          ) : (
            <>
              <ul className="records" aria-label={say('gaps_of')}>
                {gaps.map((gap) => {
                  const others = [gap.requirement_id, ...gap.related].filter((one) => one !== id);
                  return (
                    <li
                      key={`${gap.gap_type} ${gap.kind} ${gap.requirement_id} ${gap.missing} ${gap.related.join()}`}
                    >
                      <div className="record-main">
                        <div className="record-name">
                          <StateGlyph of={gap.severity} label={common(`severity_${gap.severity}`)} />{' '}
                          <bdi>{gap.description}</bdi>
                        </div>
                        <div className="small">
                          <bdi>{gap.suggested_action}</bdi>
                        </div>
                        {(gap.place || others.length > 0) && (
                          <div className="record-facts">
                            {gap.place && (
                              <Link className="gap-other" href={placeAddress(workspace, gap.place)}>
                                <bdi>{refs?.work_products[gap.place.work_product_id]?.name}</bdi>{' '}
                                {placeInWords(gap.place.location, common)}
                              </Link>
                            )}
                            {others.map((one) => {
                              const other = refs?.artifacts[one];
                              return other ? (
                                <Link
                                  key={one}
                                  className="gap-other"
                                  href={`/w/${workspace}/trace/artifacts/${other.id}`}
                                >
                                  <bdi className="mono">{one}</bdi> <bdi>{other.name}</bdi>
                                </Link>
                              ) : (
                                <bdi key={one} className="mono">
                                  {one}
                                </bdi>
                              );
                            })}
                          </div>
                        )}
                      </div>
                    </li>
                  );
                })}
              </ul>
              {total_gaps > gaps.length && (
                <p className="small">{say.count('more_gaps_of', total_gaps - gaps.length)}</p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
