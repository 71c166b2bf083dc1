import type { Box, Rule, Rules } from './page-content.js';

/** Cells between ruling lines. `xs` and `ys` are the places of the lines, ascending. */
export interface Grid extends Box {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly cells: readonly GridCell[];
}

/** A cell with its position in the grid; merged cells cover several columns or rows. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
}

/** Lines closer than this are one line drawn double or in pieces. Points. */
const SAME_LINE = 3;
/** More crossings than this are a drawing, not a table. */
const MOST_COMPARISONS = 1_000_000;
const MOST_CELLS = 20_000;
/** A row of cells lower, or a column narrower, than this holds no text. Points. */
const SMALLEST_CELL = 5;

/** Finds groups of crossing lines that enclose at least two columns. */
export function findGrids(rules: Rules): Grid[] {
  const { horizontal, vertical } = rules;
  if (horizontal.length * vertical.length > MOST_COMPARISONS) return [];
  const grids: Grid[] = [];
  for (const group of crossingGroups(horizontal, vertical)) {
    const grid = gridOf(group.horizontal, group.vertical);
    if (grid) grids.push(grid);
  }
  return grids;
}

function crossingGroups(horizontal: readonly Rule[], vertical: readonly Rule[]): Rules[] {
  const groupOfVertical = new Array<number>(vertical.length).fill(-1);
  const groupOfHorizontal = new Array<number>(horizontal.length).fill(-1);
  const groups: { horizontal: Rule[]; vertical: Rule[] }[] = [];
  for (let first = 0; first < vertical.length; first++) {
    if (groupOfVertical[first] !== -1) continue;
    const group = { horizontal: [] as Rule[], vertical: [] as Rule[] };
    const queue = [first];
    groupOfVertical[first] = groups.length;
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const line = vertical[next]!;
      group.vertical.push(line);
      for (let h = 0; h < horizontal.length; h++) {
        if (groupOfHorizontal[h] !== -1 || !cross(horizontal[h]!, line)) continue;
        groupOfHorizontal[h] = groups.length;
        group.horizontal.push(horizontal[h]!);
        for (let v = 0; v < vertical.length; v++) {
          if (groupOfVertical[v] !== -1 || !cross(horizontal[h]!, vertical[v]!)) continue;
          groupOfVertical[v] = groups.length;
          queue.push(v);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

function cross(horizontal: Rule, vertical: Rule): boolean {
  return (
    vertical.at >= horizontal.from - SAME_LINE &&
    vertical.at <= horizontal.to + SAME_LINE &&
    horizontal.at >= vertical.from - SAME_LINE &&
    horizontal.at <= vertical.to + SAME_LINE
  );
}

function gridOf(horizontal: readonly Rule[], vertical: readonly Rule[]): Grid | undefined {
  if (horizontal.length < 2 || vertical.length < 1) return undefined;
  const xs = places(vertical, horizontal);
  const ys = places(horizontal, vertical);
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  if (columns < 2 || rows < 1 || columns * rows > MOST_CELLS) return undefined;
  const wallRight = walls(vertical, xs, ys);
  const wallBelow = walls(horizontal, ys, xs);
  const taken = new Uint8Array(rows * columns);
  const cells: GridCell[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column]) continue;
      let columnSpan = 1;
      while (
        column + columnSpan < columns &&
        !taken[row * columns + column + columnSpan] &&
        !wallRight(column + columnSpan, row)
      ) {
        columnSpan++;
      }
      let rowSpan = 1;
      while (row + rowSpan < rows && open(wallBelow, row + rowSpan, column, columnSpan)) rowSpan++;
      for (let r = row; r < row + rowSpan; r++) {
        taken.fill(1, r * columns + column, r * columns + column + columnSpan);
      }
      cells.push({ row, column, rowSpan, columnSpan });
    }
  }
  return { xs, ys, cells, x0: xs[0]!, y0: ys[0]!, x1: xs[columns]!, y1: ys[rows]! };
}

/** Where the lines stand, and the ends of the crossing lines where the outer line is not drawn. */
function places(lines: readonly Rule[], crossing: readonly Rule[]): number[] {
  const sorted = lines.map((line) => line.at).sort((a, b) => a - b);
  const found: number[] = [];
  for (const at of sorted) {
    if (found.length === 0 || at - found[found.length - 1]! > SMALLEST_CELL) found.push(at);
  }
  const from = Math.min(...crossing.map((line) => line.from));
  const to = Math.max(...crossing.map((line) => line.to));
  if (found[0]! - from > 2 * SMALLEST_CELL) found.unshift(from);
  if (to - found[found.length - 1]! > 2 * SMALLEST_CELL) found.push(to);
  return found;
}

/** Says whether a line is drawn at place `index` along the stretch between `across[k]` and `across[k + 1]`. */
function walls(
  lines: readonly Rule[],
  at: readonly number[],
  across: readonly number[],
): (index: number, k: number) => boolean {
  const stretches = across.length - 1;
  const drawn = new Float64Array(at.length * stretches);
  for (const line of lines) {
    let index = 0;
    while (index + 1 < at.length && at[index + 1]! <= line.at + SAME_LINE / 2) index++;
    for (let k = 0; k < stretches; k++) {
      const covered = Math.min(line.to, across[k + 1]!) - Math.max(line.from, across[k]!);
      if (covered > 0) drawn[index * stretches + k]! += covered;
    }
  }
  return (index, k) => drawn[index * stretches + k]! >= 0.5 * (across[k + 1]! - across[k]!);
}

/** Whether nothing is drawn above `row` over the given columns. */
function open(
  wallBelow: (index: number, k: number) => boolean,
  row: number,
  column: number,
  span: number,
): boolean {
  for (let c = column; c < column + span; c++) if (wallBelow(row, c)) return false;
  return true;
}
