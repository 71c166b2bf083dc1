import { Link } from 'wouter';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { number } from '../../words/moments.ts';
import { EntryLine } from './entry-line.tsx';
import { Goals } from './goals.tsx';
import { useFirstPage } from './use-first-page.ts';
import { useWords } from './use-words.ts';

/** Every open fact once, over all analyses, in the order of risk; with the goals above. */
export default function DecidePage() {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const query = useFirstPage(workspace, say.language);
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('title')}</h1>
        <Link className="button" href={`/w/${workspace}/gaps`}>
          {say('all_gaps')}
        </Link>
      </div>
      <Loaded query={query} lines={8}>
        {(page) =>
          page.total === 0 ? (
            <Empty title={say('nothing_open')} />
          ) : (
            <>
              <p className="decide-counts">
                {SEVERITIES.map((severity) => (
                  <span key={severity} className="state-label">
                    <StateGlyph of={severity} /> {common(`severity_${severity}`)}{' '}
                    {number(page.by_severity[severity], say.language)}
                  </span>
                ))}
              </p>
              <p className="field-hint">
                {say('once')}
                {page.for_persons > 0 && ` ${say.count('for_persons', page.for_persons)}`}
                {page.waiting > 0 && ` ${say.count('waiting', page.waiting)}`}
              </p>
              {page.goals.length > 0 && (
                <Panel title={say('goals')}>
                  <Goals page={page} workspace={workspace} />
                </Panel>
              )}
              <Panel title={say('entries', { count: number(page.total, say.language) })}>
                <ul className="entries">
                  {page.entries.map((entry, at) => (
                    <EntryLine key={String(at)} entry={entry} page={page} workspace={workspace} />
                  ))}
                </ul>
                {page.total > page.entries.length && (
                  <p className="field-hint">
                    {say('more', { count: number(page.total - page.entries.length, say.language) })}
                  </p>
                )}
              </Panel>
            </>
          )
        }
      </Loaded>
    </div>
  );
}
