import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { placeAddress } from '../../parts/quote.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, number, percent } from '../../words/moments.ts';
import { gravestFirst } from './levels.ts';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';
import { useLevels, VPicture } from './v-picture.tsx';

const METRICS = ['upstream', 'downstream', 'verification', 'evidence', 'end_to_end', 'overall'] as const;

/** How far the trace goes, by integrity level, and what is missing. */
export default function TracePage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const completeness = useQuery({
    queryKey: ['trace', workspace, 'completeness'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/completeness', {
          params: { query: { workspace_id: workspace, limit: 50 } },
          signal,
        }),
      ),
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('trace')}</h1>
      </div>
      <TraceTabs />
      <Loaded query={completeness} slow={say('examined_once')}>
        {(data) =>
          data.total_artifacts === 0 ? (
            <Empty title={say('none')}>
              <p>{say(data.extraction.under_way ? 'under_way' : 'none_text')}</p>
            </Empty>
          ) : (
            <>
              <p className="quiet">
                {say('totals', {
                  artifacts: number(data.total_artifacts, say.language),
                  links: number(data.total_links, say.language),
                })}
                {' · '}
                {data.extraction.under_way || data.extraction.extracted_at === null
                  ? say('under_way')
                  : say('extracted', { when: ago(data.extraction.extracted_at, say.language) })}
              </p>
              <Assumed workspace={workspace} />
              <VPicture workspace={workspace} />
              <Coverage of={data} />
              <Missing of={data} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

/** How many of the links nothing states. */
function Assumed({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const { data } = useLevels(workspace);
  const sum = (of: 'links' | 'assumed') => data?.paths.reduce((all, path) => all + path[of], 0) ?? 0;
  const [assumed, links] = [sum('assumed'), sum('links')];
  if (assumed === 0) return null;
  return (
    <p>
      {say.count('assumed_share', assumed, {
        of: number(links, say.language),
        share: percent((100 * assumed) / links, say.language),
      })}{' '}
      <Link href={`/w/${workspace}/trace/links`}>{say('look_at_assumed')}</Link>
    </p>
  );
}

function Coverage({ of }: { readonly of: Api['TraceCompleteness'] }) {
  const say = useWords();
  const levels = Object.entries(of.coverage_by_integrity).sort(([a], [b]) => gravestFirst(a, b));
  return (
    <Panel title={say('coverage')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className="list-scroll" tabIndex={0} aria-label={say('coverage')}>
        <table className="coverage">
          <thead>
            <tr>
              <th scope="col">{say('metric')}</th>
              <th scope="col">{say('all_levels')}</th>
              {levels.map(([level]) => (
                <th key={level} scope="col">
                  {level === 'unknown' ? say('no_level') : level}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {METRICS.map((metric) => (
              <tr key={metric}>
                <th scope="row">{say(`metric_${metric}`)}</th>
                <td>
                  <Share of={of.coverage[metric]} withBar />
                </td>
                {levels.map(([level, coverage]) => (
                  <td key={level}>
                    <Share of={coverage[metric]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function Share({ of, withBar }: { readonly of: Api['TraceCoverage']; readonly withBar?: true }) {
  const say = useWords();
  const { numerator, denominator } = of;
  if (of.percentage === null) return <span className="small">{withBar ? say('nothing') : '–'}</span>;
  return (
    <span className="coverage-share" title={say('share', { numerator, denominator })}>
      {percent(of.percentage, say.language)}
      {withBar && (
        <>
          <span className="bar" aria-hidden="true">
            <span style={{ width: `${of.percentage}%` }} />
          </span>
          <span className="small">{say('share', { numerator, denominator })}</span>
        </>
      )}
    </span>
  );
}

function Missing({ of }: { readonly of: Api['TraceCompleteness'] }) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = of.workspace_id;
  return (
    <Panel
      title={say('gaps')}
      aside={
        of.gaps.length < of.total_gaps ? (
          <span className="small">
            {say.count('listed', of.gaps.length, { total: number(of.total_gaps, say.language) })}
          </span>
        ) : undefined
      }
    >
      {of.gaps.length === 0 && <p className="quiet">{say('no_gaps')}</p>}
      <ul className="stack">
        {of.gaps.map((gap) => (
          <li key={`${gap.kind} ${gap.requirement_id} ${gap.description}`} className="trace-gap">
            <StateGlyph of={gap.severity} label={common(`severity_${gap.severity}`)} />
            <span>
              <Link
                className="mono"
                href={`/w/${workspace}/trace/artifacts?search=${encodeURIComponent(gap.requirement_id)}`}
              >
                {gap.requirement_id}
              </Link>{' '}
              {gap.integrity && <span className="tag">{gap.integrity}</span>}{' '}
              <span className="tag">{say.named('gap', gap.gap_type)}</span>
              <br />
              {gap.description}
              <br />
              <span className="small">{gap.suggested_action}</span>
              {gap.place && (
                <>
                  {' '}
                  <Link className="small" href={placeAddress(workspace, { ...gap.place, range: null })}>
                    {say('at_place')}
                  </Link>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
