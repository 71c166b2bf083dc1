import type { Row } from './rows.js';
import type { Table } from './tables.js';
import { hasLeader } from './toc.js';

/** What may be a running header or footer: a row of text or a whole small table near an edge of a page. */
interface EdgeItem {
  readonly y: number;
  readonly item: Row | Table;
  /** Words to compare with other pages, digits as `#`; none in a line of numbers or signs. */
  readonly words: readonly string[];
  readonly key: string;
  /** Larger than the text of the page: only the very same title is repeated. */
  readonly title: boolean;
  /** The number of a line that looks like a page number; NaN when it is Roman. */
  readonly number?: number;
  /** "Page 3 of 12" needs no other page to be recognised. */
  readonly pageOfPages: boolean;
  readonly short: boolean;
  /** Far from what stands next on the page. */
  readonly apart: boolean;
}

/** The candidates of one page, each list from the edge inwards. */
export interface PageEdges {
  /** Width and height; headers are compared between pages of one shape. */
  readonly shape: string;
  readonly top: readonly EdgeItem[];
  readonly bottom: readonly EdgeItem[];
}

/** Share of the page's height in which running headers and footers stand. */
const EDGE_BAND = 0.15;
/** How far apart pages may be whose headers are compared: left and right pages alternate. */
const NEIGHBOURS = [-2, -1, 1, 2];
const SAME_HEIGHT = 3;
/** Text this much larger than the page's median is a title. */
const LARGER = 1.15;
/** A page number that stands this far from the text is one even when no other page shows one there. Points. */
const APART = 22;
const PAGE_NUMBER = /^[\W_]*(?:page|seite|p\.|s\.)?\s*(?:\d+|[ivxlc]+)(?:\s*(?:of|von|\/)\s*\d+)?[\W_]*$/i;
const PAGE_OF_PAGES = /^[\W_]*(?:page|seite)\s+\d+(?:\s*(?:of|von|\/)\s*\d+)?[\W_]*$/i;

/** Collects what stands in the bands at the top and the bottom of a page. */
export function pageEdges(
  page: { readonly width: number; readonly height: number },
  rows: readonly Row[],
  tables: readonly Table[],
): PageEdges {
  const band = page.height * EDGE_BAND;
  const isInner = (row: Row): boolean => row.y > band && row.y < page.height - band;
  const nearest = [rows.find(isInner), rows.findLast(isInner)];
  const items = [
    ...rows
      .filter((row) => !isInner(row) || nearest.includes(row))
      .map((item): Piece => ({ y: item.y, y1: item.y, item })),
    ...tables.map((item): Piece => ({ y: item.y0, y1: item.y1, item })),
  ].sort((a, b) => a.y - b.y);
  const sizes = rows.map((row) => row.size).sort((a, b) => a - b);
  const largest = LARGER * (sizes[sizes.length >> 1] ?? 0);
  const top: EdgeItem[] = [];
  const bottom: EdgeItem[] = [];
  items.forEach((piece, at) => {
    if (piece.y1 <= band)
      pushEdge(top, piece, { distance: (items[at + 1]?.y ?? page.height) - piece.y1, largest });
    if (piece.y >= page.height - band)
      pushEdge(bottom, piece, { distance: piece.y - (items[at - 1]?.y1 ?? 0), largest });
  });
  return { shape: `${Math.round(page.width)}x${Math.round(page.height)}`, top, bottom: bottom.reverse() };
}

interface Piece {
  readonly y: number;
  readonly y1: number;
  readonly item: Row | Table;
}

function pushEdge(
  list: EdgeItem[],
  piece: Piece,
  { distance, largest }: { distance: number; largest: number },
): void {
  const { item, y } = piece;
  const text =
    'segments' in item
      ? item.text
      : item.rows.map((row) => row.cells.map((cell) => cell.text).join(' ')).join(' ');
  if (hasLeader(text)) return;
  const plain = closeUp(text);
  const title = 'size' in item && item.size > largest;
  const words = /\p{L}{2}/u.test(plain) ? wordsOf(plain, title) : [];
  const number = PAGE_NUMBER.test(plain) ? Number(/\d+/.exec(plain)?.[0] ?? Number.NaN) : undefined;
  list.push({
    y,
    item,
    words,
    key: words.join(' '),
    title,
    short: text.length < 200,
    apart: distance > APART,
    ...(number === undefined ? {} : { number }),
    pageOfPages: PAGE_OF_PAGES.test(plain),
  });
}

/**
 * Finds the running headers and footers: what stands at the same height on neighbouring pages with the same or
 * nearly the same words, numbers apart. Goes from the edge inwards and stops at the first thing that is not
 * repeated, so that a repeated line of the text stays text.
 */
export function findFurniture(pages: readonly PageEdges[]): Map<Row | Table, 'page_header' | 'page_footer'> {
  const found = new Map<Row | Table, 'page_header' | 'page_footer'>();
  for (const edge of ['top', 'bottom'] as const) {
    const repeated = pages.map((page, index) =>
      page[edge].map((item) =>
        Math.max(
          ...NEIGHBOURS.map((step) => repetition(item, { page, other: pages[index + step] }, step, edge)),
        ),
      ),
    );
    const usual = usualPlaces(pages, repeated, edge);
    pages.forEach((page, index) => {
      for (const [at, item] of page[edge].entries()) {
        const alone = at === 0 && (item.pageOfPages || (item.apart && item.number !== undefined));
        if (repeated[index]![at] !== SAME && !alone && !usual(page, item)) break;
        found.set(item.item, edge === 'top' ? 'page_header' : 'page_footer');
      }
    });
  }
  return found;
}

const SAME = 2;
const SIMILAR = 1;
const DIFFERENT = 0;

function repetition(
  item: EdgeItem,
  place: { readonly page: PageEdges; readonly other: PageEdges | undefined },
  step: number,
  edge: 'top' | 'bottom',
): number {
  const { page, other } = place;
  if (!other || page.shape !== other.shape) return DIFFERENT;
  let best = DIFFERENT;
  for (const candidate of other[edge]) {
    if (Math.abs(candidate.y - item.y) <= SAME_HEIGHT)
      best = Math.max(best, similarity(item, candidate, step));
  }
  return best;
}

/** Same words but for numbers and one stretch that changes, as the chapter does; a line of numbers only counts when it goes on by one a page. */
function similarity(item: EdgeItem, other: EdgeItem, step: number): number {
  if (item.words.length === 0) {
    if (item.number === undefined || other.number === undefined) return DIFFERENT;
    return Number.isNaN(item.number) || other.number - item.number === step ? SAME : DIFFERENT;
  }
  if (item.key === other.key) return SAME;
  if (item.title) return DIFFERENT;
  const [words, others] = [item.words, other.words];
  const most = Math.min(words.length, others.length);
  let same = 0;
  while (same < most && words[same] === others[same]) same++;
  const left = most - same;
  for (let end = 1; end <= left && words.at(-end) === others.at(-end); end++) same++;
  return same >= 0.5 * Math.max(words.length, others.length) ? SIMILAR : DIFFERENT;
}

/** Letter-spaced text without its spaces. */
function closeUp(text: string): string {
  const words = text.split(' ');
  const letters = words.filter((word) => word.length === 1).length;
  return letters > 0.6 * words.length ? words.join('') : text;
}

function wordsOf(text: string, withNumbers: boolean): string[] {
  const lower = text.toLowerCase();
  return (withNumbers ? lower : lower.replace(/\d+/g, '#')).split(/\s+/).slice(0, 60);
}

/** Heights at which at least half of the pages of that shape have something repeated. */
function usualPlaces(
  pages: readonly PageEdges[],
  repeated: readonly (readonly number[])[],
  edge: 'top' | 'bottom',
): (page: PageEdges, item: EdgeItem) => boolean {
  const heights = new Map<string, Map<number, number>>();
  const pageCount = new Map<string, number>();
  pages.forEach((page, index) => {
    const { shape } = page;
    pageCount.set(shape, (pageCount.get(shape) ?? 0) + 1);
    const counts = heights.get(shape) ?? new Map<number, number>();
    heights.set(shape, counts);
    page[edge].forEach((item, at) => {
      if (repeated[index]![at] === DIFFERENT) return;
      const y = Math.round(item.y);
      counts.set(y, (counts.get(y) ?? 0) + 1);
    });
  });
  return (page, item) => {
    const { shape } = page;
    const counts = heights.get(shape);
    const y = Math.round(item.y);
    let count = 0;
    for (let near = y - 1; near <= y + 1; near++) count += counts?.get(near) ?? 0;
    return !item.title && count >= 3 && count >= 0.5 * pageCount.get(shape)! && item.short;
  };
}
