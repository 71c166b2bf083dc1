import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { type Severity, StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime, number, percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Point = Api['AnalysisTrend']['points'][number];
type State = Severity | Verdict;
const BY = ['severity', 'verdict'] as const;
type By = (typeof BY)[number];
/** The worst at the bottom, where it is compared best. */
const STATES: Readonly<Record<By, readonly State[]>> = {
  severity: SEVERITIES,
  verdict: ['missing', 'partial', 'needs_review', 'covered', 'not_applicable'],
};
/** Runs of the picture; the newest ones. */
const MOST = 30;
const HEIGHT = 150;

const valuesOf = (point: Point, by: By): Readonly<Partial<Record<string, number>>> =>
  by === 'severity' ? point.by_severity : point.by_verdict;
const sumOf = (point: Point, by: By): number =>
  Object.values(valuesOf(point, by)).reduce<number>((sum, count) => sum + (count ?? 0), 0);

/** How the gaps or verdicts of one standard or analysis went from run to run: a picture, and the same as a table. */
export function TrendChart({ data }: { readonly data: Api['AnalysisOverview'] }) {
  const say = useWords();
  const common = useCommonWords();
  const [by, setBy] = useState<By>('severity');
  const [asked, setAsked] = useState<string>();
  const [isTable, showTable] = useState(false);
  const series = [
    ...data.standards.map(({ standard_id, name }) => ({ id: standard_id, name, filter: { standard_id } })),
    ...[...new Set(data.others.map(({ analysis_type }) => analysis_type))].map((analysis_type) => ({
      id: analysis_type,
      name: common.named('analysis', analysis_type),
      filter: { analysis_type },
    })),
  ];
  const chosen = series.find(({ id }) => id === asked) ?? series[0];
  const trend = useQuery({
    queryKey: ['overview', data.workspace_id, 'trend', chosen?.id],
    enabled: chosen !== undefined,
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/trend', {
          params: { query: { workspace_id: data.workspace_id, ...chosen?.filter } },
          signal,
        }),
      ),
  });
  if (data.trend.length < 2 || !chosen) return null;
  return (
    <Panel
      title={say('trend')}
      aside={
        <button type="button" className="button" aria-pressed={isTable} onClick={() => showTable(!isTable)}>
          {say('as_table')}
        </button>
      }
    >
      <div className="trend-row">
        <select
          className="input trend-choice"
          aria-label={say('what')}
          value={chosen.id}
          onChange={(event) => setAsked(event.target.value)}
        >
          {series.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="input trend-choice"
          aria-label={say('counted')}
          value={by}
          onChange={(event) => setBy(event.target.value === 'verdict' ? 'verdict' : 'severity')}
        >
          {BY.map((one) => (
            <option key={one} value={one}>
              {say(`counted_${one}`)}
            </option>
          ))}
        </select>
      </div>
      <Loaded query={trend} lines={5}>
        {({ points }) => {
          const shown = points.filter((point) => sumOf(point, by) > 0).slice(-MOST);
          if (shown.length === 0) return <p className="overview-quiet">{say('trend_none')}</p>;
          return isTable ? (
            <TrendTable points={shown} by={by} workspace={data.workspace_id} />
          ) : (
            <Bars points={shown} by={by} workspace={data.workspace_id} name={chosen.name} />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function useStateName(by: By): (state: State) => string {
  const common = useCommonWords();
  return (state) => common.named(by, state);
}

function Bars({
  points,
  by,
  workspace,
  name,
}: {
  readonly points: readonly Point[];
  readonly by: By;
  readonly workspace: string;
  readonly name: string;
}) {
  const say = useWords();
  const stateName = useStateName(by);
  const most = Math.max(...points.map((point) => sumOf(point, by)), 1);
  const used = STATES[by].filter((state) => points.some((point) => valuesOf(point, by)[state]));
  return (
    <figure className="trend-figure" aria-label={`${say('trend')}: ${name}`}>
      <ol className="trend-bars" style={{ height: HEIGHT }}>
        {points.map((point) => {
          const values = valuesOf(point, by);
          const words = used
            .filter((state) => values[state])
            .map((state) => `${stateName(state)} ${number(values[state] ?? 0, say.language)}`);
          const label = `${dateAndTime(point.finished_at, say.language)}: ${words.join(', ')}`;
          return (
            <li key={point.analysis_id}>
              <Link href={`/w/${workspace}/runs/${point.analysis_id}`} title={label} aria-label={label}>
                {used.map((state) => (
                  <span
                    key={state}
                    data-state={state}
                    style={{ height: `${(100 * (values[state] ?? 0)) / most}%` }}
                  />
                ))}
              </Link>
            </li>
          );
        })}
      </ol>
      <figcaption className="trend-row small">
        {used.map((state) => (
          <span key={state} className="state-label">
            <StateGlyph of={state} /> {stateName(state)}
          </span>
        ))}
        <span>{say('trend_most', { count: number(most, say.language) })}</span>
      </figcaption>
    </figure>
  );
}

function TrendTable({
  points,
  by,
  workspace,
}: {
  readonly points: readonly Point[];
  readonly by: By;
  readonly workspace: string;
}) {
  const say = useWords();
  const stateName = useStateName(by);
  const used = STATES[by].filter((state) => points.some((point) => valuesOf(point, by)[state]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="trend-scroll" tabIndex={0} aria-label={say('trend')}>
      <table className="overview-trend">
        <thead>
          <tr>
            <th scope="col">{say('when')}</th>
            {used.map((state) => (
              <th key={state} scope="col">
                {stateName(state)}
              </th>
            ))}
            <th scope="col">{say('trend_score')}</th>
            <th scope="col">{say('trend_opened')}</th>
            <th scope="col">{say('trend_closed')}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.analysis_id}>
              <td>
                <Link href={`/w/${workspace}/runs/${point.analysis_id}`}>
                  {dateAndTime(point.finished_at, say.language)}
                </Link>
              </td>
              {used.map((state) => (
                <td key={state}>{number(valuesOf(point, by)[state] ?? 0, say.language)}</td>
              ))}
              <td>{point.score === null ? '–' : percent(point.score, say.language)}</td>
              <td>{number(point.opened, say.language)}</td>
              <td>{number(point.closed, say.language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
