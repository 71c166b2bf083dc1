import type { Api } from '../../api/client.ts';
import { Panel } from '../../parts/panel.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime, number, percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** The last runs, newest first: a picture would say no more of so few numbers than the table. */
const MOST = 8;

export function Trend({ data }: { readonly data: Api['AnalysisOverview'] }) {
  const say = useWords();
  const common = useCommonWords();
  if (data.trend.length < 2) return null;
  const names = new Map(data.standards.map(({ standard_id, name }) => [standard_id, name]));
  const most = Math.max(...data.trend.map(({ gaps }) => gaps), 1);
  return (
    <Panel title={say('trend')}>
      <table className="overview-trend">
        <thead>
          <tr>
            <th scope="col">{say('when')}</th>
            <th scope="col">{say('what')}</th>
            <th scope="col">{say('trend_gaps')}</th>
            <th scope="col">{say('trend_score')}</th>
          </tr>
        </thead>
        <tbody>
          {data.trend
            .toSorted((a, b) => b.finished_at.localeCompare(a.finished_at))
            .slice(0, MOST)
            .map((run) => (
              <tr key={run.analysis_id}>
                <td>{dateAndTime(run.finished_at, say.language)}</td>
                <td>
                  <bdi>{names.get(run.standard_id ?? '') ?? common.named('analysis', run.analysis_type)}</bdi>
                </td>
                <td>
                  <div className="trend-gaps">
                    <span className="trend-count">{number(run.gaps, say.language)}</span>
                    <span className="bar" aria-hidden="true">
                      <span style={{ width: `${(100 * run.gaps) / most}%` }} />
                    </span>
                  </div>
                </td>
                <td>{run.assessed ? percent(run.score, say.language) : '–'}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Panel>
  );
}
