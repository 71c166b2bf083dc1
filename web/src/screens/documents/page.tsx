import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocumentTypeName } from '../../app/document-types.ts';
import { useKeys } from '../../app/keys.ts';
import { useInstallation, useMay, useMembers, useWorkspaceId } from '../../app/workspace.ts';
import { Icon, StateGlyph } from '../../look/glyphs.tsx';
import { Breakable } from '../../parts/breakable.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, fileSize, number } from '../../words/moments.ts';
import { Bulk } from './bulk.tsx';
import { Entries, isArchive } from './entries.tsx';
import { type Filter, Filters, filterOf } from './filters.tsx';
import { Queue } from './queue.tsx';
import { choose } from './sending.ts';
import { useWords } from './use-words.ts';
import './documents.css';

const SORTS = ['-updated_at', '-gaps', 'name', 'category', '-page_count', '-created_at'] as const;
const PAGE = 100;
type Item = Api['ListedWorkProduct'];

/** The documents of a workspace; files can be dropped anywhere on it. */
export default function DocumentsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const { data: installation } = useInstallation();
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(address)), [address]);
  const words = search.get('q') ?? '';
  const sort = SORTS.find((one) => one === search.get('sort')) ?? SORTS[0];
  const list = useInfiniteQuery({
    queryKey: ['documents', workspace, 'list', filter, sort],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }): Promise<Api['WorkProductList']> =>
      take(
        api.GET('/work-products', {
          params: {
            query: {
              workspace_id: workspace,
              limit: PAGE,
              sort,
              include: 'summary',
              ...filter,
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.total ?? 0;
  const mayWrite = may('work-products.write');
  const picker = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const add = (files: Iterable<File>): void => {
    if (installation && mayWrite) void choose(workspace, [...files], installation.uploads);
  };
  const isFiltered = Object.keys(filter).length > 0;
  const selection = useSelection(items, total, filter);
  const change = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  useKeys(useMemo(() => ({ '/': () => field.current?.focus() }), []));
  return (
    <DropZone isOn={mayWrite} words={say('drop')} onFiles={add}>
      <div className="page">
        <div className="page-head">
          <h1>{say('documents')}</h1>
          <Input
            ref={field}
            type="search"
            aria-label={say('find')}
            placeholder={say('find')}
            value={words}
            onChange={(event) => change('q', event.target.value)}
          />
          <label className="sort-field">
            <span>{say('sort')}</span>
            <select className="input" value={sort} onChange={(event) => change('sort', event.target.value)}>
              {SORTS.map((one) => (
                <option key={one} value={one}>
                  {say(`sort_${one}`)}
                </option>
              ))}
            </select>
          </label>
          {mayWrite && (
            <Button kind="primary" onClick={() => picker.current?.click()}>
              <Icon name="upload" /> {say('upload')}
            </Button>
          )}
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              add(event.target.files ?? []);
              event.target.value = '';
            }}
          />
        </div>
        <Queue workspace={workspace} />
        <Filters workspace={workspace} filter={filter} search={search} onChange={change} />
        <Loaded query={list}>
          {() =>
            items.length === 0 ? (
              <Empty title={isFiltered ? say('none_found') : say('none')}>
                {isFiltered ? (
                  <Button onClick={() => setSearch(new URLSearchParams(), { replace: true })}>
                    {say('all')}
                  </Button>
                ) : (
                  mayWrite && <p>{say('none_text')}</p>
                )}
              </Empty>
            ) : (
              <>
                <p className="list-total" role="status">
                  {say.count('total', total)}
                </p>
                {selection.count > 0 && (
                  <Bulk
                    workspace={workspace}
                    target={selection.target}
                    count={selection.count}
                    total={total}
                    isAll={selection.isAll}
                    tags={selection.tags}
                    onAll={selection.all}
                    onNone={selection.none}
                  />
                )}
                <DocumentTable
                  workspace={workspace}
                  items={items}
                  sort={sort}
                  onSort={(next) => change('sort', next)}
                  selection={mayWrite ? selection : undefined}
                />
                {list.hasNextPage && (
                  <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    {say('more')}
                  </Button>
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </DropZone>
  );
}

/** What is selected: rows that were ticked, or everything that the filter matches, as long as it is the same filter. */
function useSelection(items: readonly Item[], total: number, filter: Filter) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [allOf, setAllOf] = useState<Filter>();
  const isAll = allOf === filter;
  const chosen = items.filter(({ id }) => isAll || ticked.has(id));
  return {
    isAll,
    count: isAll ? total : chosen.length,
    has: (id: string): boolean => isAll || ticked.has(id),
    target: isAll ? { filter, expected_total: total } : { ids: chosen.map(({ id }) => id) },
    tags: [...new Set(chosen.flatMap(({ tags }) => tags))].sort(),
    toggle: (ids: readonly string[], isOn: boolean): void => {
      setAllOf(undefined);
      const next = new Set(isAll ? items.map(({ id }) => id) : ticked);
      for (const id of ids) isOn ? next.add(id) : next.delete(id);
      setTicked(next);
    },
    all: (): void => setAllOf(filter),
    none: (): void => {
      setAllOf(undefined);
      setTicked(new Set());
    },
  };
}

/** Columns, with the order that a click on their head gives. */
const COLUMNS = [
  ['name', 'name'],
  ['type', 'category'],
  ['pages', '-page_count'],
  ['gaps', '-gaps'],
  ['state', undefined],
  ['changed', '-updated_at'],
] as const;

function DocumentTable({
  workspace,
  items,
  sort,
  onSort,
  selection,
}: {
  readonly workspace: string;
  readonly items: readonly Item[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** Where the person may change documents. */
  readonly selection: ReturnType<typeof useSelection> | undefined;
}) {
  const say = useWords();
  const isAllTicked = items.every(({ id }) => selection?.has(id));
  return (
    <div className="table-scroll">
      <table className="documents">
        <thead>
          <tr>
            {selection && (
              <td className="document-check">
                <input
                  type="checkbox"
                  aria-label={say('select_page')}
                  checked={isAllTicked}
                  onChange={() =>
                    selection.toggle(
                      items.map(({ id }) => id),
                      !isAllTicked,
                    )
                  }
                />
              </td>
            )}
            {COLUMNS.map(([column, by]) => (
              <th
                key={column}
                scope="col"
                data-column={column}
                aria-sort={
                  by === undefined || by !== sort
                    ? undefined
                    : by.startsWith('-')
                      ? 'descending'
                      : 'ascending'
                }
              >
                {by === undefined ? (
                  say(column)
                ) : (
                  <button type="button" className="sort-button" onClick={() => onSort(by)}>
                    {say(column)}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <DocumentRow key={item.id} workspace={workspace} item={item} selection={selection} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DocumentRow({
  workspace,
  item,
  selection,
}: {
  readonly workspace: string;
  readonly item: Item;
  readonly selection: ReturnType<typeof useSelection> | undefined;
}) {
  const say = useWords();
  const common = useCommonWords();
  const typeName = useDocumentTypeName();
  const members = useMembers(workspace).data?.items;
  const again = useMutation({
    mutationFn: () => take(api.POST('/work-products/{id}/reprocess', { params: { path: { id: item.id } } })),
    onError: (error) => toast(error.message),
  });
  const address = `/w/${workspace}/documents/${item.id}`;
  const { gaps, newest_run: run } = item.summary ?? {};
  const found = SEVERITIES.filter((severity) => (gaps?.[severity] ?? 0) > 0);
  const by = members?.find(({ user_id }) => user_id === item.uploaded_by)?.name;
  const isTicked = selection?.has(item.id) ?? false;
  return (
    <tr aria-selected={isTicked || undefined}>
      {selection && (
        <td className="document-check">
          <input
            type="checkbox"
            aria-label={say('select_one', { name: item.name })}
            checked={isTicked}
            onChange={() => selection.toggle([item.id], !isTicked)}
          />
        </td>
      )}
      <th scope="row">
        {item.processing_status === 'completed' && !isArchive(item) ? (
          <Link href={address}>
            <Breakable name={item.name} />
          </Link>
        ) : (
          <Breakable name={item.name} />
        )}
        {item.version > 1 && <span className="document-version"> v{item.version}</span>}
        {item.tags.map((tag) => (
          <span key={tag} className="tag">
            <bdi>{tag}</bdi>
          </span>
        ))}
        {isArchive(item) && <Entries of={item} workspace={workspace} />}
      </th>
      <td data-column="type">{item.category === null ? '–' : typeName(item.category)}</td>
      <td data-column="pages">
        {item.page_count === null
          ? fileSize(item.file_size, say.language)
          : say.count(item.format === 'xlsx' ? 'sheet_count' : 'page_count', item.page_count)}
        <span className="field-hint">{endingOf(item.original_filename)}</span>
      </td>
      <td data-column="gaps">
        {found.length === 0
          ? run
            ? number(0, say.language)
            : '–'
          : found.map((severity) => (
              <span
                key={severity}
                className="document-gaps"
                title={`${common(`severity_${severity}`)}: ${gaps?.[severity]}`}
              >
                <StateGlyph of={severity} />
                <span className="visually-hidden">{common(`severity_${severity}`)} </span>
                {number(gaps?.[severity] ?? 0, say.language)}
              </span>
            ))}
      </td>
      <td data-column="state">
        <span className="document-state" data-status={item.processing_status}>
          {say(`status_${item.processing_status}`)}
        </span>
        {run && run.version < item.version && <span className="field-hint">{say('not_analysed')}</span>}
        {item.processing_error && <span className="field-hint">{item.processing_error}</span>}
        {item.processing_status === 'failed' && selection && (
          <Button disabled={again.isPending} onClick={() => again.mutate()}>
            {say('again')}
          </Button>
        )}
      </td>
      <td data-column="changed">
        {ago(item.updated_at, say.language)}
        {by && (
          <span className="field-hint">
            <bdi>{by}</bdi>
          </span>
        )}
      </td>
    </tr>
  );
}

/** Names leave it out; two documents may differ in nothing else. */
const endingOf = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toUpperCase() ?? '';

/** Takes files that are dropped anywhere on it, and says so while they are held over it. */
function DropZone({
  isOn,
  words,
  onFiles,
  children,
}: {
  readonly isOn: boolean;
  readonly words: string;
  readonly onFiles: (files: Iterable<File>) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    if (!isOn) return;
    let depth = 0;
    const holds = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent): void => {
      if (!holds(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!holds(event)) return;
      depth -= 1;
      if (depth <= 0) setOver(false);
    };
    const over = (event: DragEvent): void => {
      if (holds(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!holds(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      latest.current(event.dataTransfer?.files ?? []);
    };
    const stopping = new AbortController();
    const { signal } = stopping;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => stopping.abort();
  }, [isOn]);
  return (
    <>
      {children}
      {isOver && (
        <div className="drop-veil">
          <p>{words}</p>
        </div>
      )}
    </>
  );
}
