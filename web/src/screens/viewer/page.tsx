import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Comments, type Subject, useComments } from '../../comments/comments.tsx';
import type { Block } from '../../document/block-view.tsx';
import { blockAt, readRange } from '../../document/segments.ts';
import { sheetsOf } from '../../document/sheets.ts';
import { useDocument, usePassage } from '../../document/use-document.ts';
import { usePages } from '../../document/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { copyText } from '../../parts/copy-text.ts';
import { PanelEdge } from '../../parts/panel-edge.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { Choice } from './choice.tsx';
import { Find } from './find.tsx';
import { GridMode } from './grid-mode.tsx';
import { Margin } from './margin.tsx';
import { chosenMark, commentMarks, commentOf, isOfGap, type Shown, shownMarks } from './marks.ts';
import { type Mode, modesOf, useZoom } from './modes.ts';
import { Outline } from './outline.tsx';
import { PageMode } from './page-mode.tsx';
import { SelectionBar, useSelected } from './selection-bar.tsx';
import { type ShowsPlaces, TextMode } from './text-mode.tsx';
import { Thumbnails } from './thumbnails.tsx';
import { UseAsEvidence } from './use-as-evidence.tsx';
import { usePanels } from './use-panels.ts';
import { useWords } from './use-words.ts';
import { PageTools, ViewerHead } from './viewer-head.tsx';
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
  /** Marks are those of this run, and not what counts now. */
  const run = search.get('run');
  const kinds = (search.get('show') ?? 'gaps') as Shown;
  const pages = usePages(id, version);
  /** Unknown until pages are shown: what is smaller, and what stands on others, is asked for after them. */
  const [page, turnTo] = useState<number>();
  const asked = search.get('mode') as Mode | null;
  const arePagesComing = asked !== 'text' && !pages.error && pages.data?.total !== 0 && page === undefined;
  const document = useDocument(id, version, { mayFollow: !arePagesComing });
  const marks = useQuery({
    queryKey: ['marks', workspace, id, version, run],
    enabled: version !== undefined,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions/{version}/marks', {
          params: { path: { id, version: version! }, query: run ? { analysis_id: run } : {} },
          signal,
        }),
      ),
  });
  const all = useMemo(() => shownMarks(marks.data?.marks ?? [], kinds), [marks.data, kinds]);
  const place = search.get('at');
  const at = useMemo(() => readRange(place), [place]);
  const about = search.get('gap');
  const chosen = useMemo(() => chosenMark(all, at, about), [all, at, about]);
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
  const subject = useMemo(
    (): Subject | undefined =>
      version === undefined ? undefined : { about: 'document', work_product_id: id, version },
    [id, version],
  );
  const comments = useComments(workspace, subject).data?.items;
  const commented = useMemo(() => commentMarks(comments ?? [], document.blocks), [comments, document.blocks]);
  const drawn = useMemo(() => [...all, ...commented], [all, commented]);
  // A comment that somebody points at in the document; a finding at the same words is what the address means.
  const isCommentMeant = about === null && at !== undefined;
  const chosenComment = isCommentMeant
    ? commented.find(({ start, end }) => start === at.start && end === at.end)
    : undefined;
  const choose = useCallback(
    (markOf: string) => {
      const comment = commented.find((one) => one.id === markOf);
      if (comment) change({ at: `${comment.start}-${comment.end}`, gap: null });
      const mark = all.find((one) => one.id === markOf);
      if (mark) change({ at: `${mark.start}-${mark.end}`, gap: mark.ref.id });
    },
    [all, commented, change],
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
  const [hovered, hover] = useState<string>();
  const [zoom, setZoom, enlarge] = useZoom();
  const [side, setSide] = useState<'pages' | 'outline'>('pages');
  const { panels, toggle } = usePanels();
  const sheets = useMemo(() => sheetsOf(document.blocks), [document.blocks]);
  const hasSheets = document.about && sheets.length > 0;
  const modes = useMemo(
    () => modesOf(pages.error ? 0 : pages.data?.total, document.error ? false : hasSheets),
    [pages.error, pages.data, document.error, hasSheets],
  );
  const mode = modes?.find((one) => one === asked) ?? modes?.[0];
  const show = useCallback((next: Mode) => change({ mode: next }), [change]);
  const may = useMay(workspace);
  const selected = useSelected(document.blocks);
  const [evidence, askEvidence] = useState<{ start: number; end: number; text: string }>();
  const field = useRef<HTMLTextAreaElement>(null);
  const comment = useCallback(() => {
    if (selected) change({ at: `${selected.start}-${selected.end}`, gap: null });
    field.current?.scrollIntoView({ block: 'center' });
    field.current?.focus();
  }, [selected, change]);
  const range = at ?? chosen;
  const quote = useQuoteOf(document.blocks, range);
  useKeys(
    useMemo(
      () => ({
        c: comment,
        n: () => walk(1),
        j: () => walk(1),
        p: () => walk(-1),
        k: () => walk(-1),
        Enter: () => {
          if (chosen && isOfGap(chosen)) go(`/w/${workspace}/gaps/${chosen.ref.id}`);
        },
        'Mod+f': () => find(true),
        '/': () => find(true),
        v: () => {
          const next = modes?.find((one) => one !== mode);
          if (next) show(next);
        },
        '+': () => setZoom(1),
        '-': () => setZoom(-1),
        0: () => setZoom(0),
        o: () => toggle('side'),
        ']': () => toggle('margin'),
      }),
      [toggle, walk, chosen, go, workspace, modes, mode, show, setZoom, comment],
    ),
  );
  useTellKeys(
    say('findings'),
    useMemo(
      () => [
        ['n p', say('key_next')],
        ['/', say('key_find')],
        ['v', say('key_mode')],
        ...(mode === 'page' ? [['+ - 0', say('key_zoom')] as const] : []),
        ...(mode === 'grid' ? [['← ↑ → ↓', say('key_cells')] as const] : []),
        ['Enter', say('key_open')],
        ['c', say('key_comment')],
        ['o', say('key_outline')],
        [']', say('key_margin')],
      ],
      [say, mode],
    ),
  );
  const isReady = document.blocks.length > 0;
  // Where no mark says the page of a place, the block at it does: also of a long document that is not whole yet. It is asked for
  // with everything else, before marks and pages have come.
  const isUnknownPlace = at !== undefined && chosen === undefined && (mode ?? 'page') === 'page';
  const passage = usePassage(
    id,
    version ?? 0,
    { around: at?.start ?? 0, blocks: 1 },
    { enabled: isUnknownPlace && version !== undefined },
  );
  const wanted = useMemo(() => {
    const range = chosen ?? at;
    if (!range) return undefined;
    const known = chosen ? chosen.location : isUnknownPlace ? passage.data?.blocks[0]?.location : undefined;
    return { start: range.start, end: range.end, page: known?.page };
  }, [chosen, at, isUnknownPlace, passage.data]);
  const shown = useRef<ShowsPlaces>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when more of the document arrived
  useEffect(() => {
    if (wanted && isReady && mode === 'text') shown.current?.showPlace(wanted.start, {});
  }, [wanted?.start, isReady, document.isWhole, mode]);

  const copy = (): void => {
    const selected = getSelection()?.toString().trim();
    if (!selected || !product.data || !document.about) return;
    const source = `${product.data.name} v${version}, sha256 ${document.about.sha256.slice(0, 12)}…`;
    void copyText(`“${selected}” – ${source}`).then((copied) => toast(say(copied ? 'copied' : 'not_copied')));
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
  const outline = version !== undefined && (
    <Outline
      workProduct={id}
      version={version}
      onPlace={(start, of) => shown.current?.showPlace(start, { align: 'start', page: of })}
    />
  );
  return (
    <div className="viewer">
      <ViewerHead
        workspace={workspace}
        product={product.data}
        version={version}
        versions={versions.data?.items ?? []}
        modes={modes ?? []}
        mode={mode ?? 'text'}
        onMode={show}
        onVersion={(next) => change({ v: next, at: null, gap: null })}
        onFind={() => find(!isFinding)}
        onWalk={walk}
        onCopy={copy}
      >
        {pages.data && mode === 'page' && (
          <PageTools
            page={page ?? 1}
            total={pages.data.total}
            zoom={zoom}
            onPage={(next) => shown.current?.showPage?.(next)}
            onZoom={setZoom}
          />
        )}
      </ViewerHead>
      {run && (
        <p className="viewer-run" role="status">
          {say('as_run')} <Link href={`/w/${workspace}/runs/${run}`}>{say('the_run')}</Link>
          <Button onClick={() => change({ run: null })}>{say('as_now')}</Button>
        </p>
      )}
      {isFinding && (
        <Find
          blocks={document.blocks}
          onPlace={(start, end) => change({ at: `${start}-${end}`, gap: null })}
          onClose={() => find(false)}
        />
      )}
      <div className="viewer-body" data-side={panels.side} data-margin={panels.margin}>
        {pages.data && mode === 'page' ? (
          <div className="viewer-side">
            <div className="viewer-side-choice">
              <Choice
                name={say('side')}
                values={['pages', 'outline']}
                value={side}
                labelOf={(one) => say(one === 'pages' ? 'thumbnails' : 'outline')}
                onChange={setSide}
              />
            </div>
            {side === 'outline' ? (
              outline
            ) : (
              <Thumbnails
                about={pages.data}
                marks={all}
                page={page}
                onPage={(next) => shown.current?.showPage?.(next)}
              />
            )}
          </div>
        ) : (
          outline
        )}
        <PanelEdge panel="viewer.outline" side="left" label={say('outline')} />
        {mode === 'page' && pages.data ? (
          <PageMode
            ref={shown}
            about={pages.data}
            blocks={document.blocks}
            language={document.about?.language}
            marks={drawn}
            wanted={wanted}
            isPlaceComing={isUnknownPlace && passage.isLoading}
            chosen={chosen?.id ?? chosenComment?.id}
            hovered={hovered}
            zoom={zoom}
            onEnlarge={enlarge}
            onChoose={choose}
            onHover={hover}
            onPage={turnTo}
            onText={() => show('text')}
          />
        ) : mode === 'grid' ? (
          <GridMode
            ref={shown}
            sheets={sheets}
            language={document.about?.language}
            marks={drawn}
            wanted={wanted}
            chosen={chosen?.id ?? chosenComment?.id}
            onChoose={choose}
          />
        ) : document.error ? (
          <div className="viewer-text">
            <Failure error={document.error} onAgain={() => void document.refetch()} />
          </div>
        ) : mode !== undefined && isReady ? (
          <TextMode
            ref={shown}
            blocks={document.blocks}
            columns={document.columns}
            language={document.about?.language}
            marks={drawn}
            at={chosen || chosenComment ? undefined : at}
            chosen={chosen?.id ?? chosenComment?.id}
            onChoose={choose}
          />
        ) : (
          <div className="viewer-text">
            <Skeleton lines={12} />
          </div>
        )}
        <PanelEdge panel="viewer.margin" side="right" label={say('findings')} />
        <Margin
          workspace={workspace}
          marks={all}
          about={marks.data}
          notes={document.about?.notes ?? []}
          shown={kinds}
          chosen={chosen?.id}
          hovered={hovered}
          elsewhere={markedElsewhere ? newest : undefined}
          onShow={(next) => change({ show: next === 'gaps' ? null : next })}
          onChoose={choose}
          onHover={hover}
          onVersion={(next) => change({ v: String(next), at: null, gap: null })}
        >
          {subject && (
            <div className="margin-comments">
              <Comments
                workspace={workspace}
                subject={subject}
                chosen={chosenComment && commentOf(chosenComment.id)}
                range={quote === undefined ? undefined : range && { start: range.start, end: range.end }}
                field={field}
                hint={quote === undefined ? say('comment_about_all') : say('comment_about', { quote })}
                placeOf={(one) =>
                  one.range && (
                    <button
                      type="button"
                      className="comment-place"
                      onClick={() => change({ at: `${one.range!.start}-${one.range!.end}`, gap: null })}
                    >
                      <bdi>{one.quote}</bdi>
                    </button>
                  )
                }
              />
            </div>
          )}
        </Margin>
      </div>
      {selected && !evidence && (
        <SelectionBar
          of={selected}
          mayComment={may('findings.comment')}
          mayJudge={may('checklists.answer')}
          onComment={comment}
          onEvidence={() => askEvidence(selected)}
        />
      )}
      {evidence && (
        <UseAsEvidence
          workspace={workspace}
          document={id}
          place={evidence}
          onClose={() => askEvidence(undefined)}
        />
      )}
    </div>
  );
}

/** Letters of a range that a comment is about, at most. */
const LONGEST_COMMENTED = 4000;
const LONGEST_SHOWN = 120;

/** The words of a range where it lies in one block that has arrived, shortened; undefined without a range that can be commented. */
function useQuoteOf(
  blocks: readonly Block[],
  range: { readonly start: number; readonly end: number } | undefined,
): string | undefined {
  return useMemo(() => {
    if (!range || range.end - range.start > LONGEST_COMMENTED) return undefined;
    const block = blocks[blockAt(blocks, range.start)];
    if (!block) return undefined;
    const words = block.text.slice(range.start - block.start, range.end - block.start).trim();
    return words.length > LONGEST_SHOWN ? `${words.slice(0, LONGEST_SHOWN)}…` : words;
  }, [blocks, range]);
}
