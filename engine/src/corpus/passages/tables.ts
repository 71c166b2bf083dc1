import type { Block, Cell, Document } from '../../documents/document.js';
import type { Location } from '../../documents/location.js';
import { compactTitle, meaningOfTitles, vagueTitles } from '../../words/column-titles.js';

/** One table as a reader sees it: column titles and the rows under them. */
export interface Table {
  /** Position in the list of tables of its document. */
  readonly id: number;
  /** Column titles by grid column: of several header rows the lowest that names the column (`titleUnder`). */
  readonly columns: readonly (string | undefined)[];
  readonly headerBlocks: readonly number[];
  readonly rows: readonly TableRow[];
  /** Titles that columns are read under, where their own do not tell (`understood`). */
  readonly meant?: ReadonlyMap<number, string>;
  /** Of a card: what names its record is the heading above. */
  readonly headed?: true;
  /** So many columns are printed; those behind them are parts of their cells. */
  readonly printed?: number;
}

export interface TableRow {
  readonly block: number;
  /** Cells by grid column; a cell that covers several columns stands at its first, one that covers several rows in each of them. */
  readonly cells: ReadonlyMap<number, Cell>;
  /** The first cell of a row above, where it covers this row, too, and is the id of both. */
  readonly under?: Cell;
  /** Of a record that is no row of the printed table: where it stands. */
  readonly record?: {
    readonly start: number;
    readonly end: number;
    readonly location: Location;
    /** What a line above its id calls it: "Safety goal | Hold the torque". */
    readonly kind?: { readonly word: string; readonly name: string };
  };
}

/**
 * Tables of a document in reading order. A header row in the middle begins a new table. Linear.
 */
export function tablesOf(document: Document): readonly Table[] {
  const tables: Table[] = [];
  let current: { reader: number; headers: Block[]; rows: Block[] } | undefined;
  const finish = () => {
    if (current && (current.rows.length > 0 || current.headers.length > 0)) {
      tables.push(makeTable(tables.length, current.headers, current.rows));
    }
  };
  for (const block of document.blocks) {
    if (block.kind !== 'table_row' || !block.table || !block.cells) continue;
    const continues = current !== undefined && current.reader === block.table.id;
    const startsAgain = continues && block.table.header && current!.rows.length > 0;
    if (!continues || startsAgain) {
      finish();
      current = { reader: block.table.id, headers: [], rows: [] };
    }
    if (block.table.header) current!.headers.push(block);
    else current!.rows.push(block);
  }
  finish();
  return tables;
}

function makeTable(id: number, headers: readonly Block[], rows: readonly Block[]): Table {
  return {
    id,
    columns: columnTitles(headers),
    headerBlocks: headers.map((block) => block.index),
    rows: rowsOf(rows),
  };
}

interface Title {
  readonly text: string;
  /** Of the row above: the title of the group. */
  readonly above?: Title;
  /** The first column that the title stands over. */
  readonly first: number;
}

function columnTitles(headers: readonly Block[]): readonly (string | undefined)[] {
  const columns: (Title | undefined)[] = [];
  for (const header of headers) {
    for (const cell of header.cells ?? []) {
      const text = cell.text.trim().replace(/\s+/g, ' ');
      if (text === '') continue;
      for (let column = cell.column; column < cell.column + (cell.span ?? 1); column++) {
        const above = columns[column];
        columns[column] = { text, first: cell.column, ...(above && above.text !== text ? { above } : {}) };
      }
    }
  }
  const uses = new Map<string, number>();
  for (const title of columns) {
    if (title?.above) uses.set(title.text, (uses.get(title.text) ?? 0) + 1);
  }
  return Array.from(columns, (title, column) => title && titleUnder(title, column, uses));
}

/**
 * The title of a column under that of a group. "Class" and "Reason" under each of "Severity", "Exposure" and
 * "Controllability" say which only with their group: a word without a meaning of its own gives way to what the group is
 * called in the group's first column, and stands behind it in the others.
 */
function titleUnder({ text, above }: Title, column: number, uses: ReadonlyMap<string, number>): string {
  if (!above || !meaningOf(above.text)) return text;
  const isSame = (uses.get(text) ?? 0) > 1;
  if (!isSame && !isVague(text)) return text;
  return meaningOf(text) === undefined && above.first === column ? above.text : `${above.text} ${text}`;
}

const meaningOf = (title: string) => meaningOfTitles().get(compactTitle(title));
const isVague = (title: string) => meaningOf(title) === undefined && vagueTitles().has(compactTitle(title));

/**
 * Rows with their cells; a cell that covers several rows stands in each of them, as a reader sees it. So does the first
 * column only where the rows have ids of their own: else its cell is their id.
 */
function rowsOf(rows: readonly Block[]): readonly TableRow[] {
  const above = new Map<number, { readonly cell: Cell; left: number }>();
  const isGrouped = rows.some(({ cells }) => groupIn(cells?.[0]));
  const first = isGrouped && codeColumn(rows.map(({ cells = [] }) => cells)) !== undefined ? 0 : 1;
  let id: { readonly cell: Cell; left: number } | undefined;
  return rows.map((block) => {
    const cells = new Map((block.cells ?? []).map((cell) => [cell.column, cell]));
    const under =
      first > 0 && id !== undefined && id.left-- > 0 && !cells.get(0)?.text.trim() ? id.cell : undefined;
    for (const [column, covering] of above) {
      if (!cells.get(column)?.text.trim()) cells.set(column, covering.cell);
      if (--covering.left === 0) above.delete(column);
    }
    const group = isGrouped ? groupIn(block.cells?.[0]) : undefined;
    if (group) id = { cell: group, left: group.rows! - 1 };
    for (const cell of block.cells ?? []) {
      if (cell.rows !== undefined && cell.column >= first && cell.text.trim() !== '')
        above.set(cell.column, { cell, left: cell.rows - 1 });
    }
    return under ? { block: block.index, cells, under } : { block: block.index, cells };
  });
}

/** The leftmost cell, where it covers several rows. */
const groupIn = (cell: Cell | undefined) =>
  cell && cell.column === 0 && (cell.rows ?? 1) > 1 && cell.text.trim() !== '' ? cell : undefined;

/** The first column but the leftmost that holds a code in every row, none of them twice; titles of groups of rows are no rows. */
function codeColumn(rows: readonly (readonly Cell[])[]): number | undefined {
  const codes = new Map<number, Set<string>>();
  let count = 0;
  for (const cells of rows) {
    const filled = cells.filter(({ text }) => text.trim() !== '');
    if (filled.length < 2) continue;
    count++;
    for (const { column, text } of filled) {
      if (column === 0 || !isCode(text)) continue;
      const known = codes.get(column);
      if (known) known.add(text.trim());
      else codes.set(column, new Set([text.trim()]));
    }
  }
  const whole = [...codes].filter(([, { size }]) => size === count).map(([column]) => column);
  return whole.length === 0 ? undefined : Math.min(...whole);
}

/**
 * The column that holds the ids of the rows where the leftmost one names groups of them: its cells repeat or are empty, and
 * those of the other are codes, each of one row.
 */
export function idsBesideGroups({ rows }: Table): number | undefined {
  const cells = rows.map((row) => [...row.cells].map(([column, cell]) => ({ ...cell, column })));
  const full = cells.filter((row) => row.filter(({ text }) => text.trim() !== '').length > 1);
  const first = full.map((row) => row.find(({ column }) => column === 0)?.text.trim() ?? '');
  const isGrouped = first.some((text) => text === '') || new Set(first).size < first.length;
  return isGrouped && full.length > 1 ? codeColumn(cells) : undefined;
}

/** A code of one word: letters and a number, or capitals with signs between ("SG-A", "T_MAX"). */
const CODE =
  /^(?!ASIL|CAL\b|QM\b|SIL\b|[SEC][0-4]$)(?:(?=\D*\d)\p{L}[\p{L}\p{N}]{0,15}(?:[-_./][\p{L}\p{N}]{1,16}){0,6}|\p{Lu}{1,12}(?:[-_]\p{Lu}{1,16}){1,4})$/u;

/** Whether a cell holds one name of something and nothing else; ratings and levels are none. */
export const isCode = (text: string): boolean => CODE.test(text.trim());

/** Text of the cell in a column, `''` where the row has none. */
export function cellText(row: TableRow, column: number): string {
  return row.cells.get(column)?.text.trim() ?? '';
}
