import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useKeys } from '../../app/keys.ts';
import { useInstallation, useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ago, fileSize, percent } from '../../words/moments.ts';
import { Queue } from './queue.tsx';
import { choose } from './sending.ts';
import { useWords } from './use-words.ts';
import './documents.css';

const SORTS = ['-updated_at', 'name', '-created_at'] as const;
const PAGE = 100;

/** The documents of a workspace; files can be dropped anywhere on it. */
export default function DocumentsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const { data: installation } = useInstallation();
  const [search, setSearch] = useSearchParams();
  const words = search.get('q') ?? '';
  const sort = SORTS.find((one) => one === search.get('sort')) ?? SORTS[0];
  const list = useInfiniteQuery({
    queryKey: ['documents', workspace, 'list', words, sort],
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
              ...(words && { search: words }),
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
    if (installation && mayWrite)
      choose(workspace, [...files], { uploads: installation.uploads, known: items });
  };
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
        <Loaded query={list}>
          {() =>
            items.length === 0 ? (
              <Empty title={words ? say('none_found') : say('none')}>
                {words ? (
                  <Button onClick={() => change('q', '')}>{say('all')}</Button>
                ) : (
                  mayWrite && <p>{say('none_text')}</p>
                )}
              </Empty>
            ) : (
              <>
                <p className="list-total" role="status">
                  {say.count('total', total)}
                </p>
                <DocumentTable workspace={workspace} items={items} mayWrite={mayWrite} />
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

function DocumentTable({
  workspace,
  items,
  mayWrite,
}: {
  readonly workspace: string;
  readonly items: readonly Api['WorkProduct'][];
  readonly mayWrite: boolean;
}) {
  const say = useWords();
  const again = useMutation({
    mutationFn: (id: string) => take(api.POST('/work-products/{id}/reprocess', { params: { path: { id } } })),
    onError: (error) => toast(error.message),
  });
  return (
    <div className="table-scroll">
      <table className="documents">
        <thead>
          <tr>
            {(['name', 'type', 'version', 'size', 'score', 'state', 'changed'] as const).map((column) => (
              <th key={column} scope="col" data-column={column}>
                {say(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <th scope="row">
                {item.processing_status === 'completed' ? (
                  <Link href={`/w/${workspace}/documents/${item.id}`}>
                    <bdi>{item.name}</bdi>
                  </Link>
                ) : (
                  <bdi>{item.name}</bdi>
                )}
                {item.tags.map((tag) => (
                  <span key={tag} className="tag">
                    <bdi>{tag}</bdi>
                  </span>
                ))}
              </th>
              <td>{item.category?.replaceAll('_', ' ') ?? '–'}</td>
              <td>{item.version}</td>
              <td>{fileSize(item.file_size, say.language)}</td>
              <td>{item.assessed ? percent(item.compliance_score, say.language) : '–'}</td>
              <td>
                <span className="document-state" data-status={item.processing_status}>
                  {say(`status_${item.processing_status}`)}
                </span>
                {item.processing_error && <span className="field-hint">{item.processing_error}</span>}
                {item.processing_status === 'failed' && mayWrite && (
                  <Button onClick={() => again.mutate(item.id)}>{say('again')}</Button>
                )}
              </td>
              <td>{ago(item.updated_at, say.language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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
