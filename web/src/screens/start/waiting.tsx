import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkEvents } from '../../api/work-stream.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Item = Api['WorkItem'];

/** Of each kind: more stand in the lists of their workspaces. */
const SHOWN = 10;
/** Where no stream arrives, what happens in workspaces is looked for so often. */
const AGAIN_MS = 60_000;

/** Gaps, proposals, answers and links that wait for a person, whatever the workspace. */
export function Waiting() {
  const say = useWords();
  const isLive = useWorkEvents();
  const { data, error, refetch } = useQuery({
    queryKey: ['work'],
    refetchInterval: isLive ? false : AGAIN_MS,
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

/** Where a comment is shown. */
function placeOf(place: Item['place']): string {
  switch (place?.about) {
    case 'gap':
      return `/gaps/${place.gap_id}`;
    case 'criterion':
      return `/standards/${place.standard_id}?at=${encodeURIComponent(place.criterion_id ?? '')}`;
    case 'checklist_item':
      return `/checklists/${place.checklist_id}?item=${encodeURIComponent(place.item_id ?? '')}`;
    case 'document':
      return `/documents/${place.work_product_id}?v=${place.version}${place.range ? `&at=${place.range.start}-${place.range.end}` : ''}`;
    case 'artifact':
      return `/trace/artifacts?search=${encodeURIComponent(place.artifact_id ?? '')}`;
    default:
      return '';
  }
}

function addressOf({ kind, workspace_id, id, label, place }: Item): string {
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
    case 'mention':
      return `${workspace}${placeOf(place)}`;
    default:
      return `${workspace}/gaps/${id}`;
  }
}
