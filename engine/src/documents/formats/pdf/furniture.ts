import type { Row } from './rows.js';
import { rowText } from './rows.js';
import type { Table } from './tables.js';

/** What may be a running header or footer: a row of text or a whole small table near an edge of a page. */
export interface EdgeItem {
  readonly y: number;
  readonly text: string;
  readonly item: Row | Table;
}

/** The candidates of one page, each list from the edge inwards. */
export interface PageEdges {
  readonly width: number;
  readonly height: number;
  readonly top: readonly EdgeItem[];
  readonly bottom: readonly EdgeItem[];
}

/** Share of the page's height in which running headers and footers stand. */
const EDGE_BAND = 0.15;
/** How far apart pages may be whose headers are compared: left and right pages alternate. */
const NEIGHBOURS = [-2, -1, 1, 2];
const SAME_HEIGHT = 3;
const PAGE_NUMBER = /^[\W_]*(?:page|seite|p\.|s\.)?\s*(?:\d+|[ivxlc]+)(?:\s*(?:of|von|\/)\s*\d+)?[\W_]*$/i;
const PAGE_OF_PAGES = /^[\W_]*(?:page|seite)\s+\d+(?:\s*(?:of|von|\/)\s*\d+)?[\W_]*$/i;

/** Collects what stands in the bands at the top and the bottom of a page. */
export function pageEdges(
  page: { readonly width: number; readonly height: number },
  rows: readonly Row[],
  tables: readonly Table[],
): PageEdges {
  const band = page.height * EDGE_BAND;
  const items: (EdgeItem & { y1: number })[] = [
    ...rows.map((row) => ({ y: row.y, y1: row.y, text: rowText(row), item: row })),
    ...tables.map((table) => ({
      y: table.y0,
      y1: table.y1,
      text: table.rows.map((row) => row.cells.map((cell) => cell.text).join(' ')).join(' '),
      item: table,
    })),
  ].sort((a, b) => a.y - b.y);
  return {
    width: page.width,
    height: page.height,
    top: items.filter((item) => item.y1 <= band),
    bottom: items.filter((item) => item.y >= page.height - band).reverse(),
  };
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
        NEIGHBOURS.some((step) => isRepeated(item, page, pages[index + step], step, edge)),
      ),
    );
    const usual = usualPlaces(pages, repeated, edge);
    pages.forEach((page, index) => {
      for (const [at, item] of page[edge].entries()) {
        const alone = edge === 'bottom' && at === 0 && PAGE_OF_PAGES.test(item.text);
        if (!repeated[index]![at] && !alone && !usual(page, item)) break;
        found.set(item.item, edge === 'top' ? 'page_header' : 'page_footer');
      }
    });
  }
  return found;
}

function isRepeated(
  item: EdgeItem,
  page: PageEdges,
  other: PageEdges | undefined,
  step: number,
  edge: 'top' | 'bottom',
): boolean {
  if (!other || !sameShape(page, other)) return false;
  return other[edge].some(
    (candidate) =>
      Math.abs(candidate.y - item.y) <= SAME_HEIGHT && isSimilar(item.text, candidate.text, step),
  );
}

/** Same words but for numbers; a line of numbers only counts when it goes on by one a page. */
function isSimilar(text: string, other: string, step: number): boolean {
  if (!/\p{L}{2}/u.test(text)) {
    const [number, next] = [numberIn(text), numberIn(other)];
    if (number !== undefined && next !== undefined) return next - number === step;
    return PAGE_NUMBER.test(text) && PAGE_NUMBER.test(other);
  }
  const words = wordsOf(text);
  const others = wordsOf(other);
  let common = 0;
  const left = [...others];
  for (const word of words) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return (2 * common) / (words.length + others.length) >= 0.6;
}

/** The only number of a short line: a page number. */
function numberIn(text: string): number | undefined {
  const numbers = text.match(/\d+/g);
  return numbers && PAGE_NUMBER.test(text) ? Number(numbers[0]) : undefined;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().replace(/\d+/g, '#').split(/\s+/).slice(0, 60);
}

/** Heights at which at least half of the pages of that shape have something repeated. */
function usualPlaces(
  pages: readonly PageEdges[],
  repeated: readonly (readonly boolean[])[],
  edge: 'top' | 'bottom',
): (page: PageEdges, item: EdgeItem) => boolean {
  const heights = new Map<string, Map<number, number>>();
  const pageCount = new Map<string, number>();
  pages.forEach((page, index) => {
    const shape = shapeOf(page);
    pageCount.set(shape, (pageCount.get(shape) ?? 0) + 1);
    const counts = heights.get(shape) ?? new Map<number, number>();
    heights.set(shape, counts);
    page[edge].forEach((item, at) => {
      if (!repeated[index]![at]) return;
      const y = Math.round(item.y);
      counts.set(y, (counts.get(y) ?? 0) + 1);
    });
  });
  return (page, item) => {
    const shape = shapeOf(page);
    const count = heights.get(shape)?.get(Math.round(item.y)) ?? 0;
    return count >= 3 && count >= 0.5 * pageCount.get(shape)! && item.text.length < 200;
  };
}

function sameShape(a: PageEdges, b: PageEdges): boolean {
  return shapeOf(a) === shapeOf(b);
}

function shapeOf(page: PageEdges): string {
  return `${Math.round(page.width)}x${Math.round(page.height)}`;
}
