import type { Picture, Segment } from './page-content.js';
import { type Row, rowsOf } from './rows.js';
import type { Table } from './tables.js';

/** What stands in the flow of a page, in the order in which it is read. */
export type FlowItem =
  | {
      readonly kind: 'row';
      readonly row: Row;
      /** Right edge of the column that the row stands in. */
      readonly right: number;
      /** Number of the column run; a new one starts at the top of a column. */
      readonly region: number;
    }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'picture'; readonly picture: Picture };

/** Something with a place: a segment of text, or a table or picture as a whole. */
type Piece = Segment | Placed;

interface Placed {
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly item: FlowItem;
}

/** Columns within columns are looked for this deep: three columns need two. */
const DEEPEST_COLUMN = 3;
/** A side of a gutter with fewer lines is no column. */
const FEWEST_LINES = 4;

/** Puts the content of a page in reading order: column after column where prose runs in columns, else row by row. */
export function readingOrder(
  rows: readonly Row[],
  tables: readonly Table[],
  pictures: readonly Picture[],
): FlowItem[] {
  const placed: Placed[] = [
    ...tables.map(
      (table): Placed => ({ x0: table.x0, x1: table.x1, y: table.y0, item: { kind: 'table', table } }),
    ),
    ...pictures.map(
      (picture): Placed => ({
        x0: picture.x0,
        x1: picture.x1,
        y: picture.y0,
        item: { kind: 'picture', picture },
      }),
    ),
  ].sort((a, b) => a.y - b.y);
  const pieces: Piece[] = rows.flatMap((row) => row.segments);
  pieces.push(...placed);
  const flow: FlowItem[] = [];
  if (findGutter(pieces) === undefined) pushRows(rows, placed, { flow, region: 0 });
  else
    orderRegion(
      pieces.sort((a, b) => a.y - b.y),
      flow,
      { depth: 0, regions: 0 },
    );
  return flow;
}

function orderRegion(
  pieces: readonly Piece[],
  flow: FlowItem[],
  state: { depth: number; regions: number },
): void {
  const gutter = state.depth < DEEPEST_COLUMN ? findGutter(pieces) : undefined;
  if (gutter === undefined) {
    orderRows(pieces, flow, state.regions++);
    return;
  }
  let pending: Piece[] = [];
  let band: Piece[] = [];
  const endBand = (): void => {
    const left = band.filter((piece) => piece.x1 <= gutter + 1);
    const right = band.filter((piece) => piece.x1 > gutter + 1);
    if (areColumns(left, right)) {
      orderRows(pending, flow, state.regions++);
      pending = [];
      state.depth++;
      orderRegion(left, flow, state);
      orderRegion(right, flow, state);
      state.depth--;
    } else pending.push(...band);
    band = [];
  };
  for (const piece of pieces) {
    if (piece.x0 < gutter - 1 && piece.x1 > gutter + 1) {
      endBand();
      pending.push(piece);
    } else band.push(piece);
  }
  endBand();
  orderRows(pending, flow, state.regions++);
}

function orderRows(pieces: readonly Piece[], flow: FlowItem[], region: number): void {
  const segments: Segment[] = [];
  const placed: Placed[] = [];
  for (const piece of pieces) {
    if ('item' in piece) placed.push(piece);
    else segments.push(piece);
  }
  pushRows(rowsOf(segments), placed, { flow, region });
}

function pushRows(
  rows: readonly Row[],
  placed: readonly Placed[],
  to: { readonly flow: FlowItem[]; readonly region: number },
): void {
  const { flow, region } = to;
  let right = 0;
  for (const row of rows) right = Math.max(right, row.x1);
  let next = 0;
  for (const row of rows) {
    while (next < placed.length && placed[next]!.y < row.y) flow.push(placed[next++]!.item);
    flow.push({ kind: 'row', row, right, region });
  }
  while (next < placed.length) flow.push(placed[next++]!.item);
}

/** The x of the emptiest vertical strip in the middle of the region, if enough lines stand on both of its sides. */
function findGutter(pieces: readonly Piece[]): number | undefined {
  if (pieces.length < 2 * FEWEST_LINES) return undefined;
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const piece of pieces) {
    from = Math.min(from, piece.x0);
    to = Math.max(to, piece.x1);
  }
  const step = 2;
  const bins = Math.ceil((to - from) / step) + 1;
  if (!(bins > 20) || bins > 10_000) return undefined;
  const crossing = new Int32Array(bins + 1);
  const startsAt = new Int32Array(bins + 1);
  const endsAt = new Int32Array(bins + 1);
  for (const piece of pieces) {
    const first = Math.floor((piece.x0 - from) / step);
    const last = Math.max(first, Math.ceil((piece.x1 - from) / step) - 1);
    crossing[first]!++;
    crossing[last + 1]!--;
    startsAt[first]!++;
    endsAt[last]!++;
  }
  for (let bin = 1; bin <= bins; bin++) crossing[bin]! += crossing[bin - 1]!;
  let left = 0;
  let right = pieces.length;
  let best: { bin: number; count: number; width: number } | undefined;
  for (let bin = 0; bin < bins; bin++) {
    right -= startsAt[bin]!;
    const count = crossing[bin]!;
    if (bin > bins * 0.2 && bin < bins * 0.8 && left >= FEWEST_LINES && right >= FEWEST_LINES) {
      if (!best || count < best.count) best = { bin, count, width: 1 };
      else if (count === best.count && bin === best.bin + best.width) best.width++;
    }
    left += endsAt[bin]!;
  }
  if (!best || best.count > 0.35 * pieces.length) return undefined;
  return from + (best.bin + best.width / 2) * step;
}

/** Two sides are columns of prose when lines fill them; short pieces side by side are a table. */
function areColumns(left: readonly Piece[], right: readonly Piece[]): boolean {
  const [a, b] = [filling(left), filling(right)];
  return (
    Math.min(a.rows, b.rows) >= 3 &&
    Math.min(a.rows, b.rows) >= 0.2 * Math.max(a.rows, b.rows) &&
    Math.min(a.width, b.width) >= 0.4 * Math.max(a.width, b.width) &&
    a.share >= 0.6 &&
    b.share >= 0.6
  );
}

/** Rows of text on one side, the side's width and the share of it that the median row fills. */
function filling(pieces: readonly Piece[]): { rows: number; width: number; share: number } {
  const rows = rowsOf(pieces.filter((piece): piece is Segment => !('item' in piece)));
  if (rows.length === 0) return { rows: 0, width: 0, share: 0 };
  const x0 = Math.min(...rows.map((row) => row.x0));
  const x1 = Math.max(...rows.map((row) => row.x1));
  const filled = rows
    .map((row) => row.segments.reduce((sum, segment) => sum + segment.x1 - segment.x0, 0) / (x1 - x0))
    .sort((a, b) => a - b);
  return { rows: rows.length, width: x1 - x0, share: filled[filled.length >> 1]! };
}
