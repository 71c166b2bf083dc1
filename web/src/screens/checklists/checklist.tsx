import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useKeys } from '../../app/keys.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { PanelEdge } from '../../parts/panel-edge.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { ago } from '../../words/moments.ts';
import { ItemTable } from './item-table.tsx';
import { ANSWERS, ItemVerdict } from './item-verdict.tsx';
import { ItemView } from './item-view.tsx';
import { RunChecklist } from './page.tsx';
import { ReleaseChecklist } from './release-checklist.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import './checklists.css';

type State = Api['ChecklistState'];

/** A checklist as it stands: item by item, or as a table. */
export default function ChecklistPage() {
  const workspace = useWorkspaceId();
  const { checklist } = useParams<{ checklist: string }>();
  const state = useQuery({
    queryKey: ['checklists', workspace, checklist, 'state'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/compliance/checklists/{id}/results', {
          params: { path: { id: checklist }, query: { workspace_id: workspace } },
          signal,
        }),
      ),
  });
  return (
    <div className="page">
      <Loaded query={state}>{(data) => <Checklist state={data} />}</Loaded>
    </div>
  );
}

function Checklist({ state }: { readonly state: State }) {
  const say = useWords();
  const workspace = state.workspace_id;
  const may = useMay(workspace);
  const [query] = useSearchParams();
  const mode = query.get('mode') === 'table' ? 'table' : 'one';
  const { counts, review, releases, analysis } = state;
  const [newest] = releases;
  const unread =
    analysis?.documents.filter(({ version, newest_version }) => newest_version !== version) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>
          <bdi>{(say.language === 'de' && state.title.de) || state.title.en}</bdi>
        </h1>
        {may('analyses.start') && <RunChecklist workspace={workspace} checklist={state.checklist_id} />}
        {may('reports.release') && analysis && (
          <ReleaseChecklist workspace={workspace} checklist={state.checklist_id} />
        )}
      </div>
      <p className="row">
        {([...ANSWERS, 'to_be_reviewed'] as const)
          .filter((one) => counts.effective[one] > 0)
          .map((one) => (
            <span key={one} className="state-label">
              <ItemVerdict of={one} /> {counts.effective[one]}
            </span>
          ))}
      </p>
      <p className="row small">
        <span>
          {review.needed === 0
            ? say('nothing_needed')
            : say('reviewed', { done: review.done, needed: review.needed })}
        </span>
        {newest && (
          <span>
            {say(newest.current ? 'released' : 'released_old', {
              name: newest.released_by_name,
              when: ago(newest.released_at, say.language),
            })}
          </span>
        )}
        {unread.length > 0 && (
          <span>{say('replaced', { names: unread.map(({ name }) => name).join(', ') })}</span>
        )}
      </p>
      {analysis === null ? (
        <Empty title={say('no_run')}>
          <p>{say('no_run_text')}</p>
        </Empty>
      ) : (
        <>
          <nav className="tabs" aria-label={say('checklists')}>
            {(['one', 'table'] as const).map((one) => (
              <Link key={one} href={`?mode=${one}`} aria-current={one === mode ? 'page' : undefined}>
                {say(one)}
              </Link>
            ))}
          </nav>
          {mode === 'one' ? <OneByOne state={state} /> : <ItemTable state={state} />}
        </>
      )}
    </>
  );
}

function OneByOne({ state }: { readonly state: State }) {
  const say = useWords();
  const [query, setQuery] = useSearchParams();
  const { items } = state;
  const firstOpen = items.findIndex(({ review_status }) => review_status === 'to_be_reviewed');
  const told = items.findIndex(({ item_id }) => item_id === query.get('item'));
  const at = told >= 0 ? told : Math.max(0, firstOpen);
  const item = items[at];
  const keys = useMemo(() => {
    const go = (to: number): void => {
      const next = items[to];
      if (next) setQuery({ mode: 'one', item: next.item_id });
    };
    return {
      go,
      map: {
        j: () => go(at + 1),
        n: () => go(at + 1),
        ArrowRight: () => go(at + 1),
        k: () => go(at - 1),
        p: () => go(at - 1),
        ArrowLeft: () => go(at - 1),
      },
    };
  }, [items, at, setQuery]);
  useKeys(keys.map);
  if (!item) return null;
  return (
    <div className="one-by-one">
      <nav aria-label={say('items')}>
        <ol>
          {items.map((one) => (
            <li key={one.item_id}>
              <Link
                href={`?mode=one&item=${encodeURIComponent(one.item_id)}`}
                aria-current={one === item ? 'true' : undefined}
              >
                <span className="mono">{one.item_id}</span>
                <ItemVerdict of={one.effective_verdict} />
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <PanelEdge panel="checklists.items" side="left" label={say('items')} />
      <div className="stack">
        <div className="row">
          <strong>{say('item_of', { at: at + 1, of: items.length })}</strong>
          <progress
            value={state.review.done}
            max={Math.max(1, state.review.needed)}
            aria-label={say('reviewed', { done: state.review.done, needed: state.review.needed })}
          />
          <Button disabled={at === 0} onClick={() => keys.go(at - 1)}>
            {say('previous')} <kbd>k</kbd>
          </Button>
          <Button disabled={at === items.length - 1} onClick={() => keys.go(at + 1)}>
            {say('next')} <kbd>j</kbd>
          </Button>
        </div>
        <ItemView key={item.item_id} item={item} state={state} onDone={() => keys.go(at + 1)} />
      </div>
    </div>
  );
}
