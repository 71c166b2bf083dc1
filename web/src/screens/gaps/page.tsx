import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Redirect, useLocation, useSearchParams } from 'wouter';
import { download } from '../../api/download.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { type KeyMap, useKeys } from '../../app/keys.ts';
import { useMay, useProfile, useWorkspaceId } from '../../app/workspace.ts';
import { type Asked, ChangeDialog } from '../../findings/change-dialog.tsx';
import { type GapChange, type Target, useChangeGaps } from '../../findings/change-gaps.ts';
import { copyLink, linkOf } from '../../findings/gap-actions.tsx';
import { useGap } from '../../findings/use-gap.ts';
import { useGapWords } from '../../findings/use-words.ts';
import { rememberList } from '../../findings/walked-list.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { Hint } from '../../parts/hint.tsx';
import { PanelEdge } from '../../parts/panel-edge.tsx';
import { Empty, Failure, Skeleton, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { Bulk } from './bulk.tsx';
import { ColumnDialog } from './column-dialog.tsx';
import { columnsInAddress, columnsOf, GROUPS, type Group, groupOf } from './columns.ts';
import { Facets, useFacetWords } from './facets.tsx';
import {
  chosenFilters,
  EVERYTHING,
  fileOf,
  filterOf,
  OPEN,
  SORTS,
  type Sorts,
  sortsOf,
  targetOf,
  toggled,
} from './filters.ts';
import { GapRows } from './list.tsx';
import { type GapList, idsAround, type Summary, useGapList } from './pages.ts';
import { Peek } from './peek.tsx';
import { SavedViews, useDropped } from './saved-views.tsx';
import { useWords } from './use-words.ts';
import { addressOf, useViews } from './views.ts';
import './gaps.css';

const NOTHING: readonly Summary[] = [];

export default function GapsPage() {
  const workspace = useWorkspaceId();
  const [search] = useSearchParams();
  if (search.size === 0) return <Begin workspace={workspace} />;
  return <Inbox key={workspace} workspace={workspace} />;
}

/** An inbox begins with what is still to be decided, or with what somebody chose; every other view says so in its address. */
function Begin({ workspace }: { readonly workspace: string }) {
  const views = useViews(workspace);
  const tellDropped = useDropped();
  const view = views.data?.items.find(({ is_default }) => is_default);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the view that it begins with
  useEffect(() => {
    if (view) tellDropped(view);
  }, [view]);
  if (views.isPending) return <Skeleton lines={12} />;
  return <Redirect to={`/w/${workspace}/gaps?${view ? addressOf(view) : OPEN}`} replace />;
}

/** The list of gaps with its filters, and beside it the chosen one at its place. */
function Inbox({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(address)), [address]);
  const group = groupOf(search);
  const sorts = useMemo(() => sortsOf(new URLSearchParams(address)), [address]);
  const sort = useMemo(() => (group ? [GROUPS[group], ...sorts] : sorts), [group, sorts]);
  const columns = useMemo(() => columnsOf(new URLSearchParams(address)), [address]);
  const open = search.get('open') ?? undefined;
  const { list, error, again, look, isAnswered } = useGapList(workspace, filter, sort);
  const items = list?.items ?? NOTHING;
  const total = list?.total ?? 0;

  const change = useCallback(
    (update: (next: URLSearchParams) => URLSearchParams) =>
      setSearch((before) => update(new URLSearchParams(before)), { replace: true }),
    [setSearch],
  );
  const openGap = useCallback(
    (id: string | undefined) =>
      change((next) => {
        if (id) next.set('open', id);
        else next.delete('open');
        return next;
      }),
    [change],
  );
  const [here, setHere] = useState<string>();
  const cursor = open ?? here;
  const goTo = useCallback(
    (id: string) => {
      setHere(id);
      openGap(id);
    },
    [openGap],
  );
  const may = useMay(workspace);
  const failure = useFailureWords();
  const takeFile = may('reports.export')
    ? () => void download(fileOf(workspace, filter, sort)).catch((error: unknown) => toast(failure(error)))
    : undefined;
  const selection = useSelection(items);
  const field = useRef<HTMLInputElement>(null);
  const comment = useRef<HTMLTextAreaElement>(null);
  const [asked, ask] = useState<Asked>();
  const [areFacetsOpen, openFacets] = useState(false);

  useEffect(() => {
    if (!list) return;
    const around = idsAround(list, list.placeOf(cursor));
    rememberList({ workspace, ...around, total, address: `/w/${workspace}/gaps?${address}` });
  }, [list, cursor, workspace, total, address]);

  const target = useMemo((): Target | undefined => {
    if (selection.isAll) return targetOf(filter, total);
    if (selection.ids.size > 0) return { ids: [...selection.ids] };
    return cursor ? { ids: [cursor] } : undefined;
  }, [selection.isAll, selection.ids, filter, total, cursor]);
  const count = selection.isAll ? total : Math.max(selection.ids.size, 1);
  const ids = asked === undefined || !target || !('ids' in target) ? [] : target.ids;
  const only = asked === 'severity' ? cursor : ids.length === 1 ? ids[0] : undefined;
  const single = useGap(workspace, only);

  useInboxKeys({
    workspace,
    list,
    cursor,
    isOpen: open !== undefined,
    target,
    selection,
    onFile: takeFile,
    onCursor: (id) => (open ? goTo(id) : setHere(id)),
    onPeek: openGap,
    onAsk: ask,
    onFind: () => field.current?.focus(),
    onComment: () => comment.current?.focus(),
  });

  return (
    <div className="inbox" data-peek={open ? true : undefined} data-facets={areFacetsOpen || undefined}>
      <Head
        workspace={workspace}
        search={search}
        total={list ? total : undefined}
        sorts={sorts}
        group={group}
        field={field}
        onFile={takeFile}
        areFacetsOpen={areFacetsOpen}
        onFacets={() => openFacets(!areFacetsOpen)}
        onChange={change}
      />
      <Facets
        workspace={workspace}
        filter={filter}
        search={search}
        total={list ? total : undefined}
        isListAnswered={isAnswered}
        onToggle={(name, value) => change((next) => toggled(next, name, value))}
        onDone={() => openFacets(false)}
      />
      <PanelEdge panel="gaps.facets" side="left" label={say('facets')} />
      <div className="inbox-list">
        {total > 0 && !open && <Hint name="peek" />}
        {list ? (
          total === 0 ? (
            <Nothing workspace={workspace} search={search} onChange={change} />
          ) : (
            <GapRows
              list={list}
              columns={columns}
              group={group}
              order={`${sort} ${JSON.stringify(filter)}`}
              cursor={cursor}
              isAll={selection.isAll}
              selected={selection.ids}
              onLook={look}
              onCursor={goTo}
              onSelect={selection.toggle}
            />
          )
        ) : error ? (
          <Failure error={error} onAgain={again} />
        ) : (
          <Skeleton lines={12} />
        )}
        {(selection.isAll || selection.ids.size > 0) && target && (
          <Bulk
            workspace={workspace}
            target={target}
            count={count}
            total={total}
            isAll={selection.isAll}
            onAll={selection.all}
            onNone={selection.none}
            onAsk={ask}
          />
        )}
      </div>
      {open && (
        <>
          <PanelEdge panel="gaps.peek" side="right" label={say('peek')} />
          <Peek
            workspace={workspace}
            id={open}
            comment={comment}
            onAsk={(one) => {
              selection.none();
              ask(one);
            }}
            onClose={() => {
              setHere(open);
              openGap(undefined);
            }}
          />
        </>
      )}
      {asked && target && (only === undefined || single.data) && (
        <ChangeDialog
          asked={asked}
          workspace={workspace}
          target={target}
          count={count}
          gap={single.data}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  );
}

interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Everything that the filter finds, also what is not loaded. */
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  readonly add: (id: string) => void;
  readonly all: () => void;
  readonly none: () => void;
}

function useSelection(items: readonly Summary[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const toggle = useCallback(
    (id: string) => {
      setAll(false);
      setIds((before) => {
        const next = new Set(isAll ? items.map((item) => item.id) : before);
        if (!next.delete(id)) next.add(id);
        return next;
      });
    },
    [isAll, items],
  );
  const add = useCallback((id: string) => setIds((before) => new Set(before).add(id)), []);
  const all = useCallback(() => setAll(true), []);
  const none = useCallback(() => {
    setAll(false);
    setIds(new Set());
  }, []);
  return useMemo(() => ({ ids, isAll, toggle, add, all, none }), [ids, isAll, toggle, add, all, none]);
}

function useInboxKeys(inbox: {
  readonly workspace: string;
  readonly list: GapList | undefined;
  readonly cursor: string | undefined;
  readonly isOpen: boolean;
  readonly target: Target | undefined;
  readonly selection: Selection;
  readonly onFile: (() => void) | undefined;
  readonly onCursor: (id: string) => void;
  readonly onPeek: (id: string | undefined) => void;
  readonly onAsk: (asked: Asked) => void;
  readonly onFind: () => void;
  readonly onComment: () => void;
}): void {
  const say = useWords();
  const gapWords = useGapWords();
  const [, go] = useLocation();
  const { data: me } = useProfile();
  const may = useMay(inbox.workspace);
  const { mutate } = useChangeGaps(inbox.workspace);
  const latest = useRef(inbox);
  latest.current = inbox;
  const mayChange = may('findings.status');
  const mayRate = may('findings.severity');
  const myId = me?.id;
  const linkCopied = gapWords('link_copied');
  const selectFirst = say('select_first');
  const keys = useMemo((): KeyMap => {
    const walk =
      (step: number, extends_ = false) =>
      (): void => {
        const { list, cursor, onCursor, selection } = latest.current;
        if (!list) return;
        const next = list.at(Math.min(Math.max(list.placeOf(cursor) + step, 0), list.total - 1));
        if (!next) return;
        if (extends_) for (const id of [cursor, next.id]) if (id) selection.add(id);
        onCursor(next.id);
      };
    const onCursor = (action: (id: string) => void) => (): void => {
      const { cursor } = latest.current;
      if (cursor) action(cursor);
      else toast(selectFirst);
    };
    const onTarget = (action: (target: Target) => void) => (): void => {
      const { target } = latest.current;
      if (target) action(target);
      else toast(selectFirst);
    };
    const set = (change: GapChange) => onTarget((target) => mutate({ target, change }));
    const ask = (asked: Asked) => onTarget(() => latest.current.onAsk(asked));
    return {
      j: walk(1),
      ArrowDown: walk(1),
      k: walk(-1),
      ArrowUp: walk(-1),
      'Shift+j': walk(1, true),
      'Shift+k': walk(-1, true),
      x: onCursor((id) => latest.current.selection.toggle(id)),
      Space: onCursor((id) => latest.current.onPeek(latest.current.isOpen ? undefined : id)),
      ']': onCursor((id) => latest.current.onPeek(latest.current.isOpen ? undefined : id)),
      Enter: onCursor((id) => go(`/w/${latest.current.workspace}/gaps/${id}`)),
      y: onCursor((id) => copyLink(linkOf(latest.current.workspace, id), linkCopied)),
      c: onCursor((id) => {
        latest.current.onPeek(id);
        setTimeout(() => latest.current.onComment(), 150);
      }),
      e: () => latest.current.onFile?.(),
      '/': () => latest.current.onFind(),
      Escape: () => {
        const { selection, isOpen, onPeek } = latest.current;
        if (selection.isAll || selection.ids.size > 0) selection.none();
        else if (isOpen) onPeek(undefined);
      },
      ...(mayChange && {
        '1': set({ status: 'open' }),
        '2': set({ status: 'in_progress' }),
        '3': set({ status: 'resolved' }),
        '4': ask('accept'),
        f: ask('false_positive'),
        a: ask('owner'),
        d: ask('due'),
        m: () => {
          if (myId) set({ assignee: myId })();
        },
        'Mod+a': () => latest.current.selection.all(),
      }),
      ...(mayRate && { s: onCursor(() => latest.current.onAsk('severity')) }),
    };
  }, [go, mutate, mayChange, mayRate, myId, linkCopied, selectFirst]);
  useKeys(keys);
  useTellKeys(
    say('keys'),
    useMemo(
      () => [
        ['j k', say('key_walk')],
        ['Space ]', say('key_peek')],
        ['Enter', say('key_open')],
        ['x ⇧j', say('key_select')],
        ['1 2 3 4', say('key_status')],
        ['f', say('key_false_positive')],
        ['a m', say('key_owner')],
        ['d', say('key_due')],
        ['s', say('key_severity')],
        ['c', say('key_comment')],
        ['z', say('key_undo')],
        ['y', say('key_link')],
        ['e', say('key_file')],
        ['/', say('key_find')],
      ],
      [say],
    ),
  );
}

function Head({
  workspace,
  search,
  total,
  sorts: [sort, then],
  group,
  field,
  onFile,
  areFacetsOpen,
  onFacets,
  onChange,
}: {
  readonly workspace: string;
  readonly search: URLSearchParams;
  readonly total: number | undefined;
  readonly sorts: Sorts;
  readonly group: Group | undefined;
  readonly field: React.Ref<HTMLInputElement>;
  /** For whom may take the list away as a file. */
  readonly onFile: (() => void) | undefined;
  readonly areFacetsOpen: boolean;
  readonly onFacets: () => void;
  readonly onChange: (update: (next: URLSearchParams) => URLSearchParams) => void;
}) {
  const say = useWords();
  const { data: me } = useProfile();
  const [isChoosing, choose] = useState(false);
  const base = `/w/${workspace}/gaps`;
  const presets = [
    ['open', OPEN],
    ['new', 'status=open&change=new'],
    ['mine', `${OPEN}&assignee=${me?.id ?? 'me'}`],
    ['all', EVERYTHING],
  ] as const;
  const now = new URLSearchParams(search);
  now.delete('open');
  const whole = decodeURIComponent(now.toString());
  for (const name of ['sort', 'group', 'columns']) now.delete(name);
  const address = decodeURIComponent(now.toString());
  const set = (name: string, value: string): void =>
    onChange((next) => {
      if (value) next.set(name, value);
      else next.delete(name);
      if (next.size === 0) next.set('status', 'open,in_progress,resolved,accepted');
      return next;
    });
  return (
    <div className="inbox-head">
      <h1>{say('gaps')}</h1>
      <span role="status" className="inbox-total">
        {total !== undefined && say.count('total', total)}
      </span>
      <nav aria-label={say('presets')} className="inbox-presets">
        {presets.map(([name, query]) => (
          <Link key={name} href={`${base}?${query}`} aria-current={address === query ? 'page' : undefined}>
            {say(`preset_${name}`)}
          </Link>
        ))}
      </nav>
      <Button className="facets-button" aria-expanded={areFacetsOpen} onClick={onFacets}>
        {say('facets')}
      </Button>
      <SavedViews workspace={workspace} address={whole} />
      <Input
        ref={field}
        type="search"
        aria-label={say('find')}
        placeholder={say('find')}
        value={search.get('q') ?? ''}
        onChange={(event) => set('q', event.target.value)}
        onKeyDown={(event) => {
          // From what was looked for to what was found, past all filters.
          if (event.key === 'Enter') document.querySelector<HTMLElement>('.gap-rows')?.focus();
        }}
      />
      <label className="sort-field">
        <span className="visually-hidden">{say('sort')}</span>
        <select
          className="input"
          value={sort}
          onChange={(event) => set('sort', [event.target.value, then ?? []].flat().join(','))}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {say.named('sort', one)}
            </option>
          ))}
        </select>
      </label>
      <Button className="columns-button" onClick={() => choose(true)}>
        {say('columns')}
      </Button>
      {onFile && (
        <Button
          iconOnly
          className="columns-button"
          title={`${say('file')} (e)`}
          aria-label={say('file')}
          onClick={onFile}
        >
          <Icon name="download" />
        </Button>
      )}
      {isChoosing && (
        <ColumnDialog
          columns={columnsOf(search)}
          group={group}
          onGroup={(one) => set('group', one)}
          sorts={then ? [sort, then] : [sort]}
          onThen={(one) => set('sort', one ? `${sort},${one}` : sort)}
          onChange={(columns) => set('columns', columnsInAddress(columns))}
          onClose={() => choose(false)}
        />
      )}
    </div>
  );
}

/** Why the list is empty: which filter excludes what, or that there is nothing at all. */
function Nothing({
  workspace,
  search,
  onChange,
}: {
  readonly workspace: string;
  readonly search: URLSearchParams;
  readonly onChange: (update: (next: URLSearchParams) => URLSearchParams) => void;
}) {
  const say = useWords();
  const words = useFacetWords();
  const filters = chosenFilters(search);
  const isEverything =
    filters.length === 1 && filters[0]?.name === 'status' && filters[0].values.length === 4;
  if (isEverything || filters.length === 0) {
    return (
      <Empty title={say('empty')}>
        <p>{say('empty_text')}</p>
        <Link className="button" href={`/w/${workspace}`}>
          {say('to_overview')}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title={say('empty_filtered')}>
      <p>{say('empty_filtered_text')}</p>
      {filters.map(({ name, values }) => {
        const shown = values.map((value) => words(name, value)).join(', ');
        const filter = `${say.named('facet', name)}: ${/_id$/.test(name) ? '…' : shown}`;
        return (
          <Button
            key={name}
            onClick={() =>
              onChange((next) => {
                next.delete(name);
                if (next.size === 0) next.set('status', 'open,in_progress,resolved,accepted');
                return next;
              })
            }
          >
            <Icon name="close" /> {say('without', { filter })}
          </Button>
        );
      })}
    </Empty>
  );
}
