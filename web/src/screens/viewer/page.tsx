import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { readRange } from '../../document/segments.ts';
import { useDocument } from '../../document/use-document.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { calendarDate } from '../../words/moments.ts';
import { Find } from './find.tsx';
import { Margin } from './margin.tsx';
import { chosenMark, type Shown, shownMarks } from './marks.ts';
import { Outline } from './outline.tsx';
import { TextMode, type TextModeHandle } from './text-mode.tsx';
import { useWords } from './use-words.ts';
import './viewer.css';

/** A document as it was read, with what is said about its places beside it; both sides lead to the other. */
export default function ViewerPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const { document: id } = useParams<{ document: string }>();
  const [search, setSearch] = useSearchParams();
  const [, go] = useLocation();
  const product = useQuery({
    queryKey: ['documents', workspace, id],
    queryFn: ({ signal }) => take(api.GET('/work-products/{id}', { params: { path: { id } }, signal })),
  });
  const versions = useQuery({
    queryKey: ['documents', workspace, id, 'versions'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions', {
          params: { path: { id }, query: { limit: 100, sort: '-version' } },
          signal,
        }),
      ),
  });
  const version = Number(search.get('v') ?? Number.NaN) || product.data?.version;
  const shown = (search.get('show') ?? 'gaps') as Shown;
  const document = useDocument(id, version);
  const marks = useQuery({
    queryKey: ['marks', workspace, id, version],
    enabled: version !== undefined,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions/{version}/marks', {
          params: { path: { id, version: version! } },
          signal,
        }),
      ),
  });
  const all = useMemo(() => shownMarks(marks.data?.marks ?? [], shown), [marks.data, shown]);
  const place = search.get('at');
  const at = useMemo(() => readRange(place), [place]);
  const about = search.get('gap');
  const chosen = useMemo(() => chosenMark(all, at, about), [all, at, about]);
  const text = useRef<TextModeHandle>(null);

  const change = useCallback(
    (values: Readonly<Record<string, string | null>>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values)) {
            if (value === null) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const choose = useCallback(
    (markOf: string) => {
      const mark = all.find((one) => one.id === markOf);
      if (mark) change({ at: `${mark.start}-${mark.end}`, gap: mark.ref.id });
    },
    [all, change],
  );
  const walk = useCallback(
    (step: 1 | -1) => {
      const now = all.findIndex(({ id: one }) => one === chosen?.id);
      const next = all[now === -1 ? (step === 1 ? 0 : all.length - 1) : now + step];
      if (next) choose(next.id);
    },
    [all, chosen, choose],
  );
  const [isFinding, find] = useState(false);
  useKeys(
    useMemo(
      () => ({
        n: () => walk(1),
        j: () => walk(1),
        p: () => walk(-1),
        k: () => walk(-1),
        Enter: () => {
          if (chosen?.about === 'gap') go(`/w/${workspace}/gaps/${chosen.ref.id}`);
        },
        'Mod+f': () => find(true),
        '/': () => find(true),
      }),
      [walk, chosen, go, workspace],
    ),
  );
  useTellKeys(
    say('findings'),
    useMemo(
      () => [
        ['n p', say('key_next')],
        ['/', say('key_find')],
        ['Enter', say('key_open')],
      ],
      [say],
    ),
  );
  const isReady = document.blocks.length > 0;
  const wanted = chosen ?? at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when more of the document arrived
  useEffect(() => {
    if (wanted && isReady) text.current?.showPlace(wanted.start);
  }, [wanted?.start, isReady, document.isWhole]);

  const copy = (): void => {
    const selected = getSelection()?.toString().trim();
    if (!selected || !product.data || !document.about) return;
    const source = `${product.data.name} v${version}, sha256 ${document.about.sha256.slice(0, 12)}…`;
    void navigator.clipboard.writeText(`“${selected}” – ${source}`).then(() => toast(say('copied')));
  };

  if (product.error) {
    return (
      <div className="page">
        <Failure error={product.error} onAgain={() => void product.refetch()} />
      </div>
    );
  }
  const newest = marks.data?.newest_marked_version ?? null;
  const markedElsewhere = marks.data?.total === 0 && newest !== null && newest !== version;
  return (
    <div className="viewer">
      <header className="viewer-head">
        <Link href={`/w/${workspace}/documents`} className="viewer-back">
          {say('documents')}
        </Link>
        <h1>
          <bdi>{product.data?.name}</bdi>
        </h1>
        <select
          className="input viewer-version"
          aria-label={say('version')}
          value={version ?? ''}
          onChange={(event) => change({ v: event.target.value, at: null, gap: null })}
        >
          {(versions.data?.items ?? []).map((one) => (
            <option key={one.version} value={one.version}>
              {say('version_name', {
                version: one.version,
                date: calendarDate(one.uploaded_at, say.language),
              })}
            </option>
          ))}
        </select>
        {document.about?.page_count && (
          <span className="tag">{say.count('pages', document.about.page_count)}</span>
        )}
        <span className="viewer-tools">
          <Button kind="quiet" iconOnly aria-label={say('find')} onClick={() => find(!isFinding)}>
            <Icon name="search" />
          </Button>
          <Button kind="quiet" iconOnly aria-label={say('previous')} onClick={() => walk(-1)}>
            <Icon name="up" />
          </Button>
          <Button kind="quiet" iconOnly aria-label={say('next')} onClick={() => walk(1)}>
            <Icon name="down" />
          </Button>
          <Button kind="quiet" iconOnly aria-label={say('copy')} onClick={copy}>
            <Icon name="copy" />
          </Button>
          <a
            className="button"
            data-kind="quiet"
            aria-label={say('original')}
            href={`/api/v1/work-products/${id}/content?version=${version ?? 1}`}
            download
          >
            <Icon name="download" /> <span className="viewer-original">{say('original')}</span>
          </a>
        </span>
      </header>
      {isFinding && (
        <Find
          blocks={document.blocks}
          onPlace={(start, end) => {
            change({ at: `${start}-${end}`, gap: null });
            text.current?.showPlace(start);
          }}
          onClose={() => find(false)}
        />
      )}
      <div className="viewer-body">
        {version !== undefined && (
          <Outline
            workProduct={id}
            version={version}
            onPlace={(start) => text.current?.showPlace(start, 'start')}
          />
        )}
        {document.error ? (
          <div className="viewer-text">
            <Failure error={document.error} onAgain={() => void document.refetch()} />
          </div>
        ) : isReady ? (
          <TextMode
            ref={text}
            blocks={document.blocks}
            columns={document.columns}
            language={document.about?.language}
            marks={all}
            at={chosen ? undefined : at}
            chosen={chosen?.id}
            onChoose={choose}
          />
        ) : (
          <div className="viewer-text">
            <Skeleton lines={12} />
          </div>
        )}
        <Margin
          workspace={workspace}
          marks={all}
          about={marks.data}
          notes={document.about?.notes ?? []}
          shown={shown}
          chosen={chosen?.id}
          elsewhere={markedElsewhere ? newest : undefined}
          onShow={(next) => change({ show: next === 'gaps' ? null : next })}
          onChoose={choose}
          onVersion={(next) => change({ v: String(next), at: null, gap: null })}
        />
      </div>
    </div>
  );
}
