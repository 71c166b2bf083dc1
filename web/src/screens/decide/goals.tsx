import { Link } from 'wouter';
import type { Api } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';
import './decide.css';

const MOST_FOLLOWERS = 4;

/** A line for each goal: its level, what follows it, and the worst that is open below it. */
export function Goals({ page, workspace }: { readonly page: Api['FirstPage']; readonly workspace: string }) {
  const say = useWords();
  const common = useCommonWords();
  return (
    <div className="table-scroll">
      <table className="goals">
        <thead>
          <tr>
            <th scope="col">{say('goal')}</th>
            <th scope="col">{say('integrity')}</th>
            <th scope="col">{say('followed_by')}</th>
            <th scope="col">{say('open')}</th>
          </tr>
        </thead>
        <tbody>
          {page.goals.map((goal) => {
            const worst = page.entries[goal.open[0] ?? -1];
            const followers = goal.followed_by.slice(0, MOST_FOLLOWERS);
            const more = goal.followed_by_total - followers.length;
            return (
              <tr key={goal.id}>
                <th scope="row">
                  <bdi>{goal.id}</bdi> <span className="goal-text">{goal.text}</span>
                </th>
                <td>
                  {goal.integrity ?? say('none')}
                  {goal.integrity_from && (
                    <span className="goal-from"> {say('from', { artifact: goal.integrity_from })}</span>
                  )}
                </td>
                <td>
                  {goal.followed_by_total === 0 ? (
                    say('nothing')
                  ) : (
                    <>
                      <bdi>{followers.join(', ')}</bdi>
                      {more > 0 && ` ${say('more', { count: number(more, say.language) })}`}
                    </>
                  )}
                </td>
                <td>
                  {worst ? (
                    <span className="goal-open">
                      <StateGlyph of={worst.severity} label={common(`severity_${worst.severity}`)} />
                      <span>
                        {worst.gap_id ? (
                          <Link href={`/w/${workspace}/gaps/${worst.gap_id}`}>
                            <bdi>{worst.title}</bdi>
                          </Link>
                        ) : (
                          <bdi>{worst.title}</bdi>
                        )}
                        {goal.open_total > 1 &&
                          ` ${say('more', { count: number(goal.open_total - 1, say.language) })}`}
                      </span>
                    </span>
                  ) : (
                    say(goal.followed_by_total === 0 ? 'nothing_below' : 'nothing')
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
