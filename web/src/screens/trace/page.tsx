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
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

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
      <Loaded query={completeness}>
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
              <Levels workspace={workspace} />
              <Coverage of={data} />
              <Missing of={data} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const LEFT = [
  'hazardous_event',
  'safety_goal',
  'cybersecurity_goal',
  'functional_safety_requirement',
  'cybersecurity_requirement',
  'technical_safety_requirement',
  'hardware_requirement',
  'software_requirement',
  'design',
] as const;

/** How many of the links nothing states. */
function Assumed({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const { data } = useLevels(workspace);
  const sum = (of: 'links' | 'assumed') => data?.paths.reduce((all, path) => all + path[of], 0) ?? 0;
  const [assumed, links] = [sum('assumed'), sum('links')];
  if (assumed === 0) return null;
  return (
    <p>
      {say('assumed_share', {
        count: number(assumed, say.language),
        of: number(links, say.language),
        share: percent((100 * assumed) / links, say.language),
      })}{' '}
      <Link href={`/w/${workspace}/trace/links`}>{say('look_at_assumed')}</Link>
    </p>
  );
}

const useLevels = (workspace: string) =>
  useQuery({
    queryKey: ['trace', workspace, 'levels'],
    queryFn: ({ signal }) =>
      take(api.GET('/traceability/levels', { params: { query: { workspace_id: workspace } }, signal })),
  });

/** The V-model: what is demanded goes down on the left, what shows it stands on the right at its level. */
function Levels({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const levels = useLevels(workspace);
  const base = `/w/${workspace}/trace/artifacts?type=`;
  return (
    <Panel title={say('v_model')}>
      <Loaded query={levels} lines={4}>
        {({ levels: all, paths }) => {
          const countOf = new Map(all.map((one) => [one.type, one]));
          const shown = LEFT.filter((type) => countOf.has(type));
          const right = (['test', 'evidence', 'unknown'] as const).filter((type) => countOf.has(type));
          return (
            <>
              <ol className="v-model">
                {shown.map((type, depth) => {
                  const level = countOf.get(type)!;
                  const verified =
                    paths.find(
                      ({ from, to, link_type }) =>
                        from === type && to === 'test' && link_type === 'verified_by',
                    )?.sources ?? 0;
                  return (
                    <li key={type} style={{ marginLeft: `${Math.min(depth, 6) * 16}px` }}>
                      <Link href={base + type}>
                        {say(`type_${type}`)} <strong>{number(level.count, say.language)}</strong>
                      </Link>
                      <span className="row small">
                        {Object.entries(level.by_integrity)
                          .sort(([a], [b]) => b.localeCompare(a))
                          .map(([integrity, count]) => (
                            <span key={integrity} className="tag">
                              {integrity} {count}
                            </span>
                          ))}
                        {level.unlinked > 0 && <span>{say.count('unlinked', level.unlinked)}</span>}
                        {verified > 0 && (
                          <span>{say('with_test', { count: verified, of: level.count })}</span>
                        )}
                      </span>
                    </li>
                  );
                })}
              </ol>
              <p className="row">
                {right.map((type) => (
                  <Link key={type} href={base + type}>
                    {say(`type_${type}`)} <strong>{number(countOf.get(type)!.count, say.language)}</strong>
                  </Link>
                ))}
              </p>
              <div className="list-scroll">
                <table className="list">
                  <thead>
                    <tr>
                      <th scope="col">{say('path')}</th>
                      <th scope="col" className="number">
                        {say('path_links')}
                      </th>
                      <th scope="col" className="number">
                        {say('path_suspect')}
                      </th>
                      <th scope="col" className="number">
                        {say('path_assumed')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {paths.map((path) => (
                      <tr key={`${path.from} ${path.link_type} ${path.to}`}>
                        <td>
                          {say('link_said', {
                            source: say.named('type', path.from),
                            type: say.named('link', path.link_type),
                            target: say.named('type', path.to),
                          })}
                        </td>
                        <td className="number">{number(path.links, say.language)}</td>
                        <td className="number">{number(path.suspect, say.language)}</td>
                        <td className="number">{number(path.assumed, say.language)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Coverage({ of }: { readonly of: Api['TraceCompleteness'] }) {
  const say = useWords();
  const levels = Object.entries(of.coverage_by_integrity).sort(([a], [b]) => b.localeCompare(a));
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
                  {level}
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
          <span className="small">{say('listed', { listed: of.gaps.length, total: of.total_gaps })}</span>
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
