import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Item = Api['WorkItem'];

/** Of each kind: more stand in the lists of their workspaces. */
const SHOWN = 10;
/** What happens in workspaces that are not open is looked for so often. */
const AGAIN_MS = 60_000;

/** Gaps, proposals, answers and links that wait for a person, whatever the workspace. */
export function Waiting() {
  const say = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: ['work'],
    refetchInterval: AGAIN_MS,
    queryFn: ({ signal }) => take(api.GET('/me/work', { params: { query: { limit: SHOWN } }, signal })),
  });
  if (error && !data) return <Failure error={error} onAgain={() => void refetch()} />;
  if (!data) return null;
  const kinds = [...new Set(data.waiting.map(({ kind }) => kind))];
  return (
    <Panel title={say('waiting')}>
      {kinds.length === 0 ? (
        <p className="quiet">{say('nothing_waits')}</p>
      ) : (
        <div className="waiting">
          {kinds.map((kind) => {
            const items = data.waiting.filter((one) => one.kind === kind);
            const more = kind === 'suspect_links' ? 0 : data.counts[kind] - items.length;
            return (
              <section key={kind}>
                <h3>
                  {say(`kind_${kind}`)} <span className="tag">{data.counts[kind]}</span>
                  {kind === 'assigned' && data.counts.overdue > 0 && (
                    <span className="tag waiting-overdue">
                      {say.count('overdue_count', data.counts.overdue)}
                    </span>
                  )}
                </h3>
                <ul>
                  {items.map((item) => (
                    <Line key={`${item.workspace_id} ${item.id} ${item.label}`} item={item} />
                  ))}
                </ul>
                {more > 0 && <p className="small">{say.count('not_shown', more)}</p>}
              </section>
            );
          })}
        </div>
      )}
    </Panel>
  );
}

function Line({ item }: { readonly item: Item }) {
  const say = useWords();
  const common = useCommonWords();
  const date = item.due_date && calendarDate(item.due_date, say.language);
  return (
    <li>
      {item.severity && <StateGlyph of={item.severity} label={common(`severity_${item.severity}`)} />}
      <Link href={addressOf(item)}>
        <bdi>{textOf(item, say)}</bdi>
      </Link>
      <span className="waiting-aside">
        <bdi>{item.workspace_name}</bdi>
        {item.label && item.text && (
          <>
            {' · '}
            <bdi>{item.label}</bdi>
          </>
        )}
        {date && ` · ${say(item.kind === 'acceptance_ending' ? 'ends' : 'due', { date })}`}
      </span>
      {item.overdue && <span className="tag waiting-overdue">{say('overdue')}</span>}
    </li>
  );
}

const textOf = (item: Item, say: ReturnType<typeof useWords>): string => {
  if (item.kind === 'suspect_links') return say.count('links', item.count);
  if (item.kind === 'purge') return say('delete_asked', { name: item.label });
  return item.text ?? `${item.label}: ${say('document_changed')}`;
};

function addressOf({ kind, workspace_id, id, label }: Item): string {
  const workspace = `/w/${workspace_id}`;
  switch (kind) {
    case 'criterion_review':
      return `${workspace}/standards/${id}?at=${encodeURIComponent(label)}`;
    case 'checklist_review':
      return `${workspace}/checklists/${id}?item=${encodeURIComponent(label)}`;
    case 'suspect_links':
      return `${workspace}/trace/links?suspect=true`;
    case 'purge':
      return `${workspace}/settings/retention`;
    default:
      return `${workspace}/gaps/${id}`;
  }
}
