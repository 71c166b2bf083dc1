import type { RowCells } from '../../corpus/passages/tables.js';
import { cleanText } from '../../documents/clean-text.js';
import type { Cell } from '../../documents/document.js';
import { inlineText } from '../../documents/formats/markdown/inline-text.js';
import type { Location } from '../../documents/location.js';

const MARKUP = /[*`[\]\\&<!~]|(?:^|[\s(])_/;
const NO_LABELS: ReadonlySet<string> = new Set();
const SPACE = 32;
const BAR = 124;
const BACKSLASH = 92;

/** Inline Markdown as it is read, in one spelling. */
export function plainText(text: string): string {
  return cleanText(withoutMarkup(text));
}

/** The same with its line feeds. */
export function withoutMarkup(text: string): string {
  return MARKUP.test(text) ? inlineText(text, NO_LABELS).text : text;
}

/** `plainText` of a range. */
export function plainRange(text: string, from: number, end: number): string {
  const raw = text.slice(from, end);
  return isPlain(text, from, end) ? raw : plainText(raw);
}

/** Whether `plainText` would surely not change a range: one look at each character. */
function isPlain(text: string, from: number, end: number): boolean {
  let before = SPACE;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      const kind = KINDS[code]!;
      if (kind !== 0 && (kind === 1 || before === SPACE || (kind === 3 && before === OPENING))) return false;
    } else if (code < 0xa1 || code === 0xad || (code > 0xff && (code < 0x2010 || code > 0x2027)))
      return false;
    before = code;
  }
  return before !== SPACE;
}

const OPENING = 40;
/** By character: 1 what may be markup or is no text, 2 spaces, 3 underscores. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === SPACE) return 2;
  if (code === 95) return 3;
  return code < 32 || code === 127 || '*`[]\\&<!~'.includes(String.fromCharCode(code)) ? 1 : 0;
});

/** A row of a table, from its first bar to the end of its line. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
  readonly location: Location;
}

/** Number of cells of a row, and those that hold something (of a row of two: both) in the order of their columns. */
export function cellsOfRow(
  text: string,
  { start, end, location }: RowRange,
): { readonly count: number; readonly cells: readonly Cell[] } {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) <= SPACE) last--;
  // The bar at the end closes the last cell.
  if (last - 1 > start && text.charCodeAt(last - 1) === BAR && text.charCodeAt(last - 2) !== BACKSLASH)
    last--;
  const cells: Cell[] = [];
  let column = 0;
  for (let from = start + 1; from <= last; column++) {
    let bar = text.indexOf('|', from);
    while (bar >= 0 && bar < last && isEscaped(text, bar)) bar = text.indexOf('|', bar + 1);
    if (bar < 0 || bar > last) bar = last;
    let low = from;
    let high = bar;
    while (low < high && text.charCodeAt(low) <= SPACE) low++;
    while (high > low && text.charCodeAt(high - 1) <= SPACE) high--;
    if (high > low) {
      const content = isPlain(text, low, high)
        ? text.slice(low, high)
        : plainText(text.slice(low, high).replaceAll('\\|', '|'));
      if (content !== '') cells.push({ text: content, start: low, end: high, column, location });
    }
    from = bar + 1;
  }
  // Tables of two columns may be keys with values, and a value may be empty.
  if (column === 2) {
    for (const empty of [0, 1]) {
      if (cells[empty]?.column !== empty)
        cells.splice(empty, 0, { text: '', start: end, end, column: empty, location });
    }
  }
  return { count: column, cells };
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (first > 0 && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** Cells as rows of tables offer them; rows are short. */
export function rowCells(cells: readonly Cell[]): RowCells {
  return {
    size: cells.length,
    get(column) {
      for (let at = Math.min(column, cells.length - 1); at >= 0; at--) {
        const cell = cells[at]!;
        if (cell.column <= column) return cell.column === column ? cell : undefined;
      }
      return undefined;
    },
    values: () => cells,
  };
}
