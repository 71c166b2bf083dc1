import type { Grid } from './grids.js';
import type { Box, Segment } from './page-content.js';
import { textOf } from './rows.js';

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
  readonly column: number;
  readonly span: number;
}

/** Fills the cells of a grid with the segments inside of it. Nothing where the lines are a drawing's. */
export function tableOfGrid(grid: Grid, segments: readonly Segment[]): Table | undefined {
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
  if (content.size < 2 || crossing > 0.15 * segments.length + 1) return undefined;
  if (content.size < 0.04 * grid.cells.length) return undefined;

  const tableRows: TableRow[] = [];
  for (let row = 0; row < rows; row++) {
    const cells: TableCell[] = [];
    let [bold, filled] = [true, false];
    grid.cells.forEach((cell, index) => {
      if (cell.row !== row) return;
      const own = content.get(index);
      if (own) {
        filled = true;
        bold &&= own.every((segment) => segment.bold);
      }
      cells.push({ text: own ? textOf(own) : '', column: cell.column, span: cell.columnSpan });
    });
    if (filled) tableRows.push({ y: grid.ys[row]!, cells, bold });
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

const LONGEST_COLUMN_NAME = 40;

/** How many rows at the top name the columns: bold ones above others, else a first row of short words. */
export function headerRows(table: Table): number {
  const { rows } = table;
  if (rows.length < 2) return 0;
  const bold = rows.findIndex((row) => !row.bold);
  if (bold > 0) return bold;
  const first = rows[0]!;
  const names = first.cells.every(
    (cell) => /\p{L}/u.test(cell.text) && cell.text.length <= LONGEST_COLUMN_NAME && !/\d{3}/.test(cell.text),
  );
  return names && first.cells.length > 2 ? 1 : 0;
}
