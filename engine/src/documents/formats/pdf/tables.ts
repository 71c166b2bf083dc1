import { findTableHeader } from '../../table-header.js';
import type { Grid, GridCell } from './grids.js';
import type { Box, Segment } from './page-content.js';
import { type Row, rowsOf, textOf } from './rows.js';
import type { IsTorn } from './torn-words.js';

/** A table of one page; it may go on on the next. */
export interface Table extends Box {
  /** Left edges of the columns, to recognise the table's continuation. Points. */
  readonly columns: readonly number[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly y: number;
  readonly cells: readonly TableCell[];
  readonly bold: boolean;
}

export interface TableCell {
  readonly text: string;
  /** What the text was made of, in its order. */
  readonly segments: readonly Segment[];
  readonly column: number;
  readonly span: number;
  /** Rows that it covers, where more than one. */
  readonly rows?: number;
}

/** How far apart the columns of a table and of its continuation on the next page may stand. Points. */
const SAME_COLUMN = 4;

/** Whether two tables have the same columns, so that one may be the continuation of the other. */
export function sameColumns(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, index) => Math.abs(x - b[index]!) <= SAME_COLUMN);
}

/**
 * Fills the cells of a grid with the segments inside of it. Nothing where the lines are a drawing's; a single
 * filled cell is enough only for the rest of a table of the page before.
 */
export function tableOfGrid(
  grid: Grid,
  segments: readonly Segment[],
  { before, isTorn }: { readonly before: Table | undefined; readonly isTorn: IsTorn },
): Table | undefined {
  const columns = grid.xs.length - 1;
  const rows = grid.ys.length - 1;
  const owner = new Int32Array(rows * columns);
  grid.cells.forEach((cell, index) => {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      owner.fill(index, row * columns + cell.column, row * columns + cell.column + cell.columnSpan);
    }
  });
  const content = new Map<number, Segment[]>();
  let crossing = 0;
  for (const segment of segments) {
    const row = indexIn(grid.ys, segment.y - 0.3 * segment.size);
    const column = indexIn(grid.xs, (segment.x0 + segment.x1) / 2);
    const cell = owner[row * columns + column]!;
    const { column: left, columnSpan } = grid.cells[cell]!;
    const slack = segment.size;
    if (segment.x0 < grid.xs[left]! - slack || segment.x1 > grid.xs[left + columnSpan]! + slack) crossing++;
    const list = content.get(cell);
    if (list) list.push(segment);
    else content.set(cell, [segment]);
  }
  const isRest = before !== undefined && sameColumns(before.columns, grid.xs.slice(0, -1));
  if (content.size < (isRest ? 1 : 2) || crossing > 0.15 * segments.length + 1) return undefined;
  if (content.size < 0.04 * grid.cells.length) return undefined;

  const tableRows: TableRow[] = [];
  const cellsOfRow: { cell: GridCell; own: Segment[] }[][] = Array.from({ length: rows }, () => []);
  grid.cells.forEach((cell, index) => {
    cellsOfRow[cell.row]!.push({ cell, own: content.get(index) ?? [] });
  });
  for (const [row, cells] of cellsOfRow.entries()) {
    if (!hasText(cells)) continue;
    const coversRows = (index: number) =>
      cellsOfRow.slice(row + 1, row + cells[index]!.cell.rowSpan).filter(hasText).length + 1;
    const widths = cells.map(({ cell }) => grid.xs[cell.column + cell.columnSpan]! - grid.xs[cell.column]!);
    const lines = stackedRows(
      cells.map(({ own }) => own),
      widths,
    );
    for (const line of lines) {
      const segments = line.flat();
      if (segments.length === 0) continue;
      tableRows.push({
        y: grid.ys[row]!,
        cells: cells.map(({ cell }, at) => ({
          ...textOf(line[at]!, isTorn),
          column: cell.column,
          span: cell.columnSpan,
          ...(cell.rowSpan > 1 && lines.length === 1 ? { rows: coversRows(at) } : {}),
        })),
        bold: segments.every((segment) => segment.bold),
      });
    }
  }
  return {
    x0: grid.x0,
    y0: grid.y0,
    x1: grid.x1,
    y1: grid.y1,
    columns: grid.xs.slice(0, -1),
    rows: tableRows,
  };
}

const hasText = (cells: readonly { readonly own: readonly Segment[] }[]) =>
  cells.some(({ own }) => own.length > 0);

/**
 * Parts cells between two ruling lines that hold several rows stacked without lines between: their lines stand
 * on the same baselines, and either there are three or more in every cell of three or more, or some line ends
 * although the next word would have had room. Wrapped text does neither.
 */
function stackedRows(cells: readonly (readonly Segment[])[], widths: readonly number[]): Segment[][][] {
  const lines = cells.map((cell) => rowsOf(cell));
  const filled = lines.filter((cell) => cell.length > 0);
  const first = filled[0];
  const whole = [cells.map((cell) => [...cell])];
  if (!first || first.length < 2 || filled.length < 2) return whole;
  const at = (cell: readonly Row[], y: number): Row | undefined =>
    cell.find((line) => Math.abs(line.y - y) < 0.3 * line.size);
  const outside = filled.some((cell) => cell.some((line) => !at(first, line.y)));
  const count = filled.reduce((sum, cell) => sum + cell.length, 0);
  if (outside || count < 0.6 * filled.length * first.length) return whole;
  const even = count === filled.length * first.length && filled.length > 2 && first.length > 2;
  const free = lines.reduce((sum, cell, index) => sum + freeBreaks(cell, widths[index]!), 0);
  if (!even && free < first.length / 2) return whole;
  return first.map(({ y }) => lines.map((cell) => [...(at(cell, y)?.segments ?? [])]));
}

/** Line ends in a cell after which the next word would still have fitted. */
function freeBreaks(lines: readonly Row[], width: number): number {
  let count = 0;
  for (let index = 1; index < lines.length; index++) {
    const [before, line] = [lines[index - 1]!, lines[index]!];
    const text = line.text;
    const word = ((line.x1 - line.x0) * (text.split(' ')[0]?.length ?? 0)) / text.length;
    if (before.x1 - before.x0 + word + 1.5 * line.size < width) count++;
  }
  return count;
}

/** Whether the middle of a segment lies in a box. */
export function isInside(segment: Segment, box: Box): boolean {
  const x = (segment.x0 + segment.x1) / 2;
  const y = segment.y - 0.3 * segment.size;
  return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
}

function indexIn(places: readonly number[], value: number): number {
  let index = 0;
  while (index + 2 < places.length && places[index + 1]! <= value) index++;
  return index;
}

/** Which rows name the columns: the bold ones above others, else what reads like names. */
export function headerOf(table: Table): { readonly first: number; readonly count: number } {
  const { rows } = table;
  const bold = rows.findIndex((row) => !row.bold);
  if (bold > 0) return { first: 0, count: bold };
  return findTableHeader(
    rows.map((row) => row.cells.map((cell) => ({ ...cell, emphasised: row.bold && cell.text !== '' }))),
  );
}
