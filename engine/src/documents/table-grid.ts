import { say } from '../sentences/sentence.js';
import type { BlockDraft, DraftNote } from './block.js';
import { tooManyColumns } from './block-collector.js';
import type { ReadingLimits } from './reading-limits.js';
import { noteOf } from './reading-notes.js';

/** Columns or rows that one cell may say that it covers; what the HTML standard allows. Word itself stops at 63. */
export const WIDEST_SPAN = 1000;

/**
 * How many columns or rows a cell says that it covers, or how often it stands there: a whole number from 1 to `most`.
 * Every reader asks here: files say a billion, and numbers that are none.
 */
export function readSpan(stated: string | undefined, most = WIDEST_SPAN): number {
  return Math.min(most, Math.max(1, Number.parseInt(stated ?? '1', 10) || 1));
}

/**
 * Holds the cells of every table to the columns that the table really has, which are those in which a cell begins: a
 * span ends with the last of them. Where a table says that it has more columns than the limits allow, those in which no
 * cell begins are left out, and a note about the first of them says so. Changes the drafts; linear in the cells.
 * Throws `DocumentError` for a table with more real columns than the limits allow.
 */
export function fitTables(blocks: readonly BlockDraft[], limits: ReadingLimits): readonly DraftNote[] {
  const tables = new Map<number, { columns: number; width: number; negative: boolean }>();
  for (const { table, cells = [] } of blocks) {
    if (!table) continue;
    const found = tables.get(table.id);
    const known = found ?? { columns: 0, width: 0, negative: false };
    if (!found) tables.set(table.id, known);
    for (const { column, span = 1 } of cells) {
      if (column >= known.columns) known.columns = column + 1;
      if (column + span > known.width) known.width = column + span;
      if (column < 0) known.negative = true;
    }
  }
  const rowsOf = new Map<number, BlockDraft[]>();
  for (const [id, { columns, width, negative }] of tables) {
    if (columns > limits.maxColumns || width !== columns || negative) rowsOf.set(id, []);
  }
  if (rowsOf.size === 0) return [];
  for (const block of blocks) if (block.table) rowsOf.get(block.table.id)?.push(block);
  let note: DraftNote | undefined;
  for (const [id, rows] of rowsOf) {
    const { columns, negative } = tables.get(id)!;
    if (columns > limits.maxColumns || negative) {
      const left = leaveOutColumns(rows, limits);
      note ??= left;
    } else for (const { cells = [] } of rows) for (const cell of cells) setSpan(cell, columns - cell.column);
  }
  return note ? [note] : [];
}

/** Numbers the columns anew; a span then covers the columns in which cells begin below it. */
function leaveOutColumns(rows: readonly BlockDraft[], limits: ReadingLimits): DraftNote {
  const cells = rows.flatMap((row) => row.cells ?? []);
  const columns = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b);
  const [{ location }] = rows as [BlockDraft];
  if (columns.length > limits.maxColumns) throw tooManyColumns(limits, location);
  const place = new Map(columns.map((column, at) => [column, at]));
  for (const cell of cells) {
    const end = cell.column + (cell.span ?? 1);
    cell.column = place.get(cell.column)!;
    let covered = 1;
    while (columns[cell.column + covered]! < end) covered++;
    setSpan(cell, covered);
  }
  return noteOf(
    'columns_left_out',
    say('reading.columns-left-out', { columns: limits.maxColumns }),
    location,
  );
}

function setSpan(cell: NonNullable<BlockDraft['cells']>[number], most: number): void {
  const span = Math.min(cell.span ?? 1, most);
  if (span > 1) cell.span = span;
  else delete cell.span;
}
