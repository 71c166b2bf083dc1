import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useMembers, useWorkspaceId } from '../../app/workspace.ts';
import { More } from '../../parts/more.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, dateAndTime } from '../../words/moments.ts';
import { catalog } from '../../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';
import '../../parts/list.css';
import './activity.css';

const useWords = catalog(en, de);
type Activity = Api['Activity'];

const TYPES = [
  'analysis',
  'gap',
  'work_product',
  'standard',
  'criterion',
  'checklist',
  'trace',
  'report',
  'template',
  'member',
  'workspace',
] as const;

/** Actions after which it matters what something is since. */
const TELLS_STATE = /^analysis[.]|status|severity_changed|reopened|member[.]/;

/** Said without what it was about. */
const NEEDS_NO_NAME = /deleted|bulk|^template[.]|^checklist[.](created|changed|released)|^analysis[.]/;

/** What was done in a workspace, newest first; many changes by one act are one line. */
export default function ActivityPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [query, setQuery] = useSearchParams();
  const { data: members } = useMembers(workspace);
  const type = TYPES.find((one) => one === query.get('type'));
  const actor = query.get('actor') ?? undefined;
  const list = useInfiniteQuery({
    queryKey: ['activity', workspace, type, actor],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/workspaces/{id}/activity', {
          params: {
            path: { id: workspace },
            query: {
              limit: 50,
              ...(type && { type: [type] }),
              ...(actor && { actor_id: actor }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const set = (name: string, value: string): void =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('activity')}</h1>
        <div className="row">
          <select
            className="input"
            aria-label={say('type')}
            value={type ?? ''}
            onChange={(event) => set('type', event.target.value)}
          >
            <option value="">{say('everything')}</option>
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {say(`type_${one}`)}
              </option>
            ))}
          </select>
          <select
            className="input"
            aria-label={say('person')}
            value={actor ?? ''}
            onChange={(event) => set('actor', event.target.value)}
          >
            <option value="">{say('everybody')}</option>
            {members?.items.map(({ user_id, name, email }) => (
              <option key={user_id} value={user_id}>
                {name || email}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Loaded query={list}>
        {({ pages }) => {
          const groups = grouped(pages.flatMap(({ items }) => items));
          return groups.length === 0 ? (
            <Empty title={say('none')}>
              <p>{say('none_text')}</p>
            </Empty>
          ) : (
            <>
              <ol className="activity">
                {groups.map((group) => (
                  <Line key={group[0]!.id} group={group} workspace={workspace} />
                ))}
              </ol>
              <More of={list} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** What stands beside each other and was done in one request, together. */
function grouped(items: readonly Activity[]): readonly (readonly Activity[])[] {
  const groups: Activity[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && item.group_key !== null && last[0]!.group_key === item.group_key) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

function Line({ group, workspace }: { readonly group: readonly Activity[]; readonly workspace: string }) {
  const say = useWords();
  const common = useCommonWords();
  const one = group[0]!;
  const address = addressOf(one, workspace);
  const state =
    one.became &&
    TELLS_STATE.test(one.action) &&
    (one.type === 'analysis' ? common.named('analysis', one.became) : stateOf(common, one.became));
  const of = one.text ?? one.label;
  // A run is named as everywhere else: what it was, and of what.
  const name = one.type === 'analysis' ? [state, of].filter(Boolean).join(': ') : of;
  const says = one.type !== 'workspace' && (Boolean(name) || !NEEDS_NO_NAME.test(one.action));
  return (
    <li>
      <span className="activity-who">
        <bdi>{one.actor?.name || say('somebody')}</bdi>
      </span>{' '}
      {say.named('did', one.action)}{' '}
      {says &&
        (address ? (
          <Link href={address}>
            <bdi>{name || say('gone')}</bdi>
          </Link>
        ) : (
          <bdi>{name || say('gone')}</bdi>
        ))}
      {one.version !== null && ` · ${say('version', { version: one.version })}`}
      {state && one.type !== 'analysis' && ` · ${say('became', { state })}`}
      {group.length > 1 && ` · ${say.count('others', group.length - 1)}`}
      <time dateTime={one.created_at} title={dateAndTime(one.created_at, say.language)}>
        {ago(one.created_at, say.language)}
      </time>
    </li>
  );
}

const stateOf = (common: ReturnType<typeof useCommonWords>, state: string): string =>
  ['critical', 'high', 'medium', 'low'].includes(state)
    ? common.named('severity', state)
    : common.named('status', state);

function addressOf({ type, action, object_id, label }: Activity, workspace: string): string | undefined {
  const base = `/w/${workspace}`;
  if (label === null && type !== 'analysis') return undefined;
  switch (type) {
    case 'gap':
      return `${base}/gaps/${object_id}`;
    case 'work_product':
      return action.endsWith('deleted') ? undefined : `${base}/documents/${object_id}`;
    case 'analysis':
      return `${base}/runs/${object_id}`;
    case 'standard':
      return `${base}/standards/${object_id}`;
    case 'criterion':
      return `${base}/standards/${object_id}?at=${encodeURIComponent(label ?? '')}`;
    case 'checklist':
      return `${base}/checklists/${object_id}`;
    case 'report':
      return `${base}/reports`;
    case 'trace':
      return `${base}/trace`;
    default:
      return undefined;
  }
}
