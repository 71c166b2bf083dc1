import { Link } from 'wouter';
import { Panel } from '../../parts/panel.tsx';
import { Loaded } from '../../parts/states.tsx';
import { number } from '../../words/moments.ts';
import { EntryLine } from './entry-line.tsx';
import { Goals } from './goals.tsx';
import { useFirstPage } from './use-first-page.ts';
import { useWords } from './use-words.ts';

/** What to decide first, and every goal: beside the counts of the overview. */
export function FirstPanels({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const query = useFirstPage(workspace, say.language);
  return (
    <>
      <Panel
        title={say('decide_first')}
        aside={
          query.data && query.data.total > 0 ? (
            <Link href={`/w/${workspace}/decide`}>
              {say('all', { count: number(query.data.total, say.language) })}
            </Link>
          ) : undefined
        }
      >
        <Loaded query={query} lines={5}>
          {(page) =>
            page.first.length === 0 ? (
              <p className="overview-quiet">{say('nothing_open')}</p>
            ) : (
              <ul className="entries">
                {page.first.map((at) => (
                  <EntryLine key={at} entry={page.entries[at]!} page={page} workspace={workspace} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {query.data && query.data.goals.length > 0 && (
        <Panel title={say('goals')}>
          <Goals page={query.data} workspace={workspace} />
        </Panel>
      )}
    </>
  );
}
