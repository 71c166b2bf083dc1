import type { UnderstoodPage } from './block-drafts.js';
import { headerOf, sameColumns, type Table, type TableCell, type TableRow } from './tables.js';
import { appendLine } from './text-normalisation.js';

/** A table that may go on on the next page: it is the last thing on its page. */
interface Open {
  readonly page: number;
  readonly item: number;
  readonly table: Table;
  /** Texts of the rows that name the columns, on the first page of the table. */
  readonly header: readonly string[];
}

/**
 * Puts together the rows that a page break has cut in two: the rest, at the top of the next page, is no row of its
 * own. It stays where the row begins.
 */
export function joinSplitRows(pages: readonly UnderstoodPage[]): readonly UnderstoodPage[] {
  const joined = pages.map((page) => ({ ...page, items: [...page.items] }));
  let open: Open | undefined;
  for (const [number, page] of joined.entries()) {
    const first = page.items[0];
    if (open && first && !('lines' in first) && first.kind === 'table') {
      const { table } = first;
      const rest = open.page < number && sameColumns(open.table.columns, table.columns);
      const at = rest ? restOf(open, table) : undefined;
      if (at !== undefined) {
        const whole = withLastRow(open.table, table.rows[at]!);
        joined[open.page]!.items[open.item] = { kind: 'table', table: whole };
        const rows = table.rows.filter((_, index) => index !== at);
        if (rows.every((row) => open!.header.includes(printed(row)))) {
          page.items.splice(0, 1);
          // Nothing else on the page: the row may go on on the one after.
          if (page.items.length === 0) {
            open = { ...open, table: whole };
            continue;
          }
        } else page.items[0] = { kind: 'table', table: { ...table, rows } };
      }
    }
    open = openTable(page, number, open);
  }
  return joined;
}

function openTable(page: UnderstoodPage, number: number, before: Open | undefined): Open | undefined {
  const item = page.items.length - 1;
  const last = page.items[item];
  if (!last || 'lines' in last || last.kind !== 'table') return undefined;
  const goesOn = item === 0 && before !== undefined && sameColumns(before.table.columns, last.table.columns);
  const { first, count } = headerOf(last.table);
  const header = goesOn ? before.header : last.table.rows.slice(first, first + count).map(printed);
  return { page: number, item, table: last.table, header };
}

/**
 * Position of the row that is the rest of the table's last one; undefined where the table goes on with a new row. A
 * rest goes on in cells that have a beginning, leaves a cell empty that no other row leaves empty, and either its
 * words run on or it is little beside its beginning.
 */
function restOf({ table, header }: Open, next: Table): number | undefined {
  const at = next.rows.findIndex((row) => !header.includes(printed(row)));
  const rest = next.rows[at];
  const beginning = table.rows.at(-1);
  if (!rest || !beginning || header.includes(printed(beginning))) return undefined;
  const others = [...table.rows.slice(0, -1), ...next.rows.slice(at + 1)].filter(
    (row) => !header.includes(printed(row)) && row.cells.length === rest.cells.length,
  );
  if (rest.cells.length !== beginning.cells.length) return undefined;
  const pairs = rest.cells.map((cell, index) => ({ begun: beginning.cells[index]!, cell }));
  if (pairs.some(({ begun, cell }) => cell.text !== '' && begun.text === '')) return undefined;
  const begun = pairs.filter((pair) => pair.begun.text !== '');
  const left = begun.filter(({ cell }) => cell.text === '');
  const isNeverEmpty = ({ column }: TableCell): boolean =>
    others.every((row) => row.cells.some((cell) => cell.column === column && cell.text !== ''));
  const runsOn = pairs.some((pair) => isRunOn(pair.begun.text, pair.cell.text));
  const key = keyOf(pairs[0]!, others);
  if (key === 'own') return undefined;
  if (left.length === 0) return runsOn && key === 'torn' ? at : undefined;
  if (!left.some(({ begun }) => others.length >= 1 && isNeverEmpty(begun))) return undefined;
  return runsOn || begun.length - left.length <= begun.length / 3 ? at : undefined;
}

/** Whether a sentence goes on: no end before, no beginning after. */
function isRunOn(before: string, after: string): boolean {
  return before !== '' && /^\p{Ll}/u.test(after) && !/[.!?:;]["”’)]?$/.test(before);
}

/**
 * What the first cell is: of the form of the others by itself (`own`), or only together with its beginning (`torn`).
 */
function keyOf(
  { begun, cell }: { readonly begun: TableCell; readonly cell: TableCell },
  others: readonly TableRow[],
): 'own' | 'torn' | undefined {
  if (cell.text === '') return undefined;
  const keys = new Set(others.map((row) => formOf(row.cells[0]?.text ?? '')));
  if (keys.has(formOf(cell.text))) return 'own';
  return keys.has(formOf(appendLine(begun.text, cell.text))) ? 'torn' : undefined;
}

/** `FSR 01-02` and `FSR 03-14` have one form. */
const formOf = (text: string): string => text.replace(/\p{N}+/gu, '0');

function withLastRow(table: Table, rest: TableRow): Table {
  const last = table.rows.at(-1)!;
  const cells = last.cells.map((cell, index) => ({
    ...cell,
    text: appendLine(cell.text, rest.cells[index]!.text),
    segments: [...cell.segments, ...rest.cells[index]!.segments],
  }));
  return { ...table, rows: [...table.rows.slice(0, -1), { ...last, cells }] };
}

const printed = (row: TableRow): string => row.cells.map((cell) => cell.text).join('\t');
