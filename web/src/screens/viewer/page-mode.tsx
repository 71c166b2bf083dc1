import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { forwardRef, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { Api } from '../../api/client.ts';
import type { Block } from '../../document/block-view.tsx';
import { boxesOf } from '../../document/boxes.ts';
import { linesOfPage, pictureOfPage, rememberWidth, sharpWidth } from '../../document/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import type { DrawnMark } from './marks.ts';
import { type PageMark, PageSheet } from './page-sheet.tsx';
import { Ruler } from './ruler.tsx';
import type { ShowsPlaces } from './text-mode.tsx';
import { useWords } from './use-words.ts';
import './page-mode.css';

const GAP = 16;
const EDGE = 56;
const WIDEST = 920;
/** Heights of lines on the screen in pixels: smaller ones cannot be read. */
const READABLE = 8;
const COMFORTABLE = 13;
const NO_BLOCKS: readonly Block[] = [];
const NO_MARKS: readonly PageMark[] = [];

/** Pages as the file draws them, those near the window only, with boxes around what is said about them. */
export const PageMode = forwardRef<
  ShowsPlaces,
  {
    readonly about: Api['DocumentPages'];
    readonly blocks: readonly Block[];
    readonly language: string | undefined;
    readonly marks: readonly DrawnMark[];
    /** What is chosen, or was looked for, and its page as soon as that is known. */
    readonly wanted:
      | { readonly start: number; readonly end: number; readonly page: number | undefined }
      | undefined;
    /** Its page is being asked for. */
    readonly isPlaceComing: boolean;
    readonly chosen: string | undefined;
    readonly hovered: string | undefined;
    readonly zoom: number;
    /** Makes pages at least this large: what is chosen must be readable. */
    readonly onEnlarge: (atLeast: number) => void;
    readonly onChoose: (id: string) => void;
    readonly onHover: (id: string | undefined) => void;
    readonly onPage: (page: number) => void;
    readonly onText: () => void;
  }
>(function PageMode(
  {
    about,
    blocks,
    language,
    marks,
    wanted,
    isPlaceComing,
    chosen,
    hovered,
    zoom,
    onEnlarge,
    onChoose,
    onHover,
    onPage,
    onText,
  },
  handle,
) {
  const say = useWords();
  const cache = useQueryClient();
  const scroller = useRef<HTMLDivElement>(null);
  const { work_product_id: workProduct, version, pages, places } = about;
  const room = useWidth(scroller);
  const width = Math.round(Math.max(200, Math.min(room - EDGE, WIDEST)) * zoom);
  const heights = useMemo(
    () => pages.map((page) => Math.round((width * page.height) / page.width) + GAP),
    [pages, width],
  );
  const list = useVirtualizer({
    count: pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[index]!,
    overscan: 1,
    enabled: room > 0,
  });
  useRestWhenResized(list, scroller, heights);

  /** What is shown once more when pages have become large enough for it. */
  const unreadable = useRef<{ readonly start: number; readonly page: number }>(undefined);
  const show = async (start: number, page: number): Promise<void> => {
    // At once, not when the window has come to rest there.
    const sharp = sharpWidth(width);
    const picture = cache.prefetchQuery(pictureOfPage({ workProduct, version, page }, sharp));
    rememberWidth(sharp);
    list.scrollToIndex(page - 1, { align: 'start' });
    const lines = await cache.fetchQuery(linesOfPage(workProduct, version, page));
    const [box] = boxesOf(lines, { start, end: start + 1 });
    const pane = scroller.current;
    const before = list.getOffsetForIndex(page - 1, 'start')?.[0];
    if (!box || !pane || before === undefined) return;
    const high = box.height * (heights[page - 1]! - GAP);
    if (high < READABLE) {
      unreadable.current = { start, page };
      onEnlarge((zoom * COMFORTABLE) / high);
    }
    const top = before + box.y * (heights[page - 1]! - GAP);
    list.scrollToOffset(Math.max(0, top - pane.clientHeight / 2), { align: 'start' });
    pane.scrollLeft = box.x * width - pane.clientWidth / 3;
    await picture;
  };
  /** Pages on the way to what is wanted are not asked for. */
  const [wasShown, setShown] = useState(false);
  const isThere = wasShown || (wanted?.page === undefined && !isPlaceComing);
  useImperativeHandle(handle, () => ({
    showPlace(start, { page }) {
      if (page !== undefined && pages.length > 0) void show(start, Math.min(page, pages.length));
    },
    showPage: (page) => list.scrollToIndex(page - 1, { align: 'start' }),
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place, when its page and the room are known
  useEffect(() => {
    if (wanted?.page !== undefined && room > 0)
      // What could not be fetched is said on its page. Everything else is asked for when this is there.
      void show(wanted.start, wanted.page)
        .catch(() => undefined)
        .finally(() => setShown(true));
  }, [wanted?.start, wanted?.page, room > 0]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: when pages got another size
  useEffect(() => {
    const again = unreadable.current;
    unreadable.current = undefined;
    if (again) void show(again.start, again.page);
  }, [heights]);

  const items = list.getVirtualItems();
  const middle = (list.scrollOffset ?? 0) + (scroller.current?.clientHeight ?? 0) / 3;
  const shownPage = (items.find(({ end }) => end > middle)?.index ?? 0) + 1;
  useEffect(() => {
    if (isThere) onPage(shownPage);
  }, [isThere, shownPage, onPage]);

  const byPage = useMemo(() => blocksByPage(blocks), [blocks]);
  const marksOfPage = useMemo(() => marksByPage(marks, wanted, chosen), [marks, wanted, chosen]);
  const linesOfWanted = useQuery({
    ...linesOfPage(workProduct, version, wanted?.page ?? 1),
    enabled: wanted?.page !== undefined,
  });
  const hasNoBox =
    wanted?.page !== undefined && linesOfWanted.data && boxesOf(linesOfWanted.data, wanted).length === 0;
  return (
    <>
      <div className="page-mode">
        {(hasNoBox || places === 'unknown') && (
          <div className="notice" data-kind="warning" role="status">
            <span className="notice-text">{say(places === 'unknown' ? 'places_unknown' : 'no_box')}</span>
            <Button onClick={onText}>{say('show_in_text')}</Button>
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
        <section ref={scroller} className="viewer-pages" tabIndex={0} aria-label={say('pages_of_document')}>
          <div style={{ height: list.getTotalSize(), minWidth: width + EDGE, position: 'relative' }}>
            {items.map(({ index, key, start }) => (
              <div
                key={key}
                className="virtual-row sheet-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <PageSheet
                  workProduct={workProduct}
                  version={version}
                  page={index + 1}
                  size={pages[index]!}
                  width={width}
                  isResting={isThere && !list.isScrolling}
                  blocks={byPage.get(index + 1) ?? NO_BLOCKS}
                  before={byPage.get(index) ?? NO_BLOCKS}
                  marks={marksOfPage.get(index + 1) ?? NO_MARKS}
                  chosen={chosen ?? 'at'}
                  hovered={hovered}
                  language={language}
                  onChoose={onChoose}
                  onHover={onHover}
                />
              </div>
            ))}
          </div>
        </section>
      </div>
      <Ruler
        marks={marks}
        onChoose={onChoose}
        shareOf={({ location: { page = 1 } }) => (page - 0.5) / Math.max(pages.length, 1)}
      />
    </>
  );
});

/** Width of an element on the screen; 0 until it is there. */
function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}

/** What was in the middle of the window stays there when pages get another size. */
function useRestWhenResized(
  list: { readonly measure: () => void; scrollToOffset(to: number): void },
  scroller: { readonly current: HTMLElement | null },
  heights: readonly number[],
): void {
  const before = useRef(heights);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when sizes change, and then only
  useEffect(() => {
    const pane = scroller.current;
    if (before.current === heights || !pane) return;
    const total = (of: readonly number[]): number => of.reduce((sum, height) => sum + height, 0);
    const half = pane.clientHeight / 2;
    const share = (pane.scrollTop + half) / Math.max(total(before.current), 1);
    before.current = heights;
    list.measure();
    // Who is at the beginning stays there, also when the window tells its size for the first time.
    if (pane.scrollTop > 0) list.scrollToOffset(Math.max(0, share * total(heights) - half));
  }, [heights]);
}

function blocksByPage(blocks: readonly Block[]): ReadonlyMap<number, readonly Block[]> {
  const found = new Map<number, Block[]>();
  for (const block of blocks) {
    const { page } = block.location;
    if (page === undefined) continue;
    const of = found.get(page);
    if (of) of.push(block);
    else found.set(page, [block]);
  }
  return found;
}

/** A mark that goes on on the next page is looked for there as well. */
function marksByPage(
  marks: readonly DrawnMark[],
  wanted: { readonly start: number; readonly end: number; readonly page: number | undefined } | undefined,
  chosen: string | undefined,
): ReadonlyMap<number, readonly PageMark[]> {
  const found = new Map<number, PageMark[]>();
  const add = (mark: PageMark, page: number | undefined): void => {
    if (page === undefined) return;
    for (const one of [page, page + 1]) found.set(one, [...(found.get(one) ?? []), mark]);
  };
  for (const mark of marks) add(mark, mark.location.page);
  if (wanted && chosen === undefined) {
    add({ id: 'at', start: wanted.start, end: wanted.end, role: 'context' }, wanted.page);
  }
  return found;
}
