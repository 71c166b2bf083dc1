import type { Rule, Segment } from './page-content.js';
import type { FlowItem } from './reading-order.js';
import { type Row, textOf } from './rows.js';
import type { Table, TableRow } from './tables.js';
import { endsInPageNumber, isTocHeading, isTocRow } from './toc.js';

interface Column {
  x0: number;
  x1: number;
}

/** Columns are parted by at least this gap in every row. Ems. */
const NARROWEST_GAP = 0.8;
/** Rows further apart than this belong to different tables. Ems. */
const WIDEST_LEADING = 2.8;
/** Looking for columns takes the square of the rows of a page; no page that a person reads has more. */
const MOST_ROWS = 600;
const LIST_MARKER = /^(?:[^\p{L}\p{N}]{1,2}|\(?[\p{L}\p{N}]{1,3}[.)]|\(\p{N}+\)|o)$/u;

/**
 * Replaces runs of rows whose pieces stand under one another in columns by tables: the tables that have no
 * vertical lines.
 */
export function findAlignedTables(
  flow: readonly FlowItem[],
  horizontal: readonly Rule[],
  state: { inToc: boolean },
): FlowItem[] {
  if (flow.length > MOST_ROWS) return [...flow];
  const result: FlowItem[] = [];
  let index = 0;
  while (index < flow.length) {
    const found = tableAt(flow, index, horizontal);
    followContents(flow, index, state);
    if (found && !(state.inToc && isPageList(found.table))) {
      result.push({ kind: 'table', table: found.table });
      index = found.end;
    } else result.push(flow[index++]!);
  }
  return result;
}

function tableAt(
  flow: readonly FlowItem[],
  start: number,
  horizontal: readonly Rule[],
): { table: Table; end: number } | undefined {
  const first = flow[start]!;
  if (first.kind !== 'row' || !isTabular(first.row)) return undefined;
  const size = first.row.size;
  let columns = columnsOf(first.row.segments, size);
  let end = start + 1;
  let lastTabular = start;
  let tabular = 1;
  for (; end < flow.length; end++) {
    const item = flow[end]!;
    const before = flow[end - 1]!;
    if (item.kind !== 'row' || before.kind !== 'row' || item.region !== first.region) break;
    if (item.row.y - before.row.y > WIDEST_LEADING * size || isTocRow(item.row)) break;
    if (Math.abs(item.row.size - size) > 0.3 * size) break;
    const merged = addTo(columns, item.row.segments, size);
    if (merged.length < Math.max(2, columns.length - 1)) break;
    if (isTabular(item.row)) {
      tabular++;
      lastTabular = end;
    } else if (merged.length < columns.length || outgrows(columns, merged, size)) break;
    else if (item.row.x0 > columns[1]!.x0 - size) lastTabular = end;
    columns = merged;
  }
  end = lastTabular + 1;
  const rows: Row[] = flow.slice(start, end).flatMap((item) => (item.kind === 'row' ? [item.row] : []));
  columns = columnsOf(
    rows.flatMap((row) => row.segments),
    size,
  );
  const ruled = rulesOver(rows, horizontal);
  if (columns.length < 2 || tabular < (ruled ? 2 : 3) || tabular < 0.4 * rows.length) return undefined;
  if (!isAligned(rows, columns) || isList(rows, columns)) return undefined;
  return { table: tableOf(rows, columns), end };
}

/** Keeps track of being in the contents: from their heading until two lines follow that are no entries. */
function followContents(flow: readonly FlowItem[], index: number, state: { inToc: boolean }): void {
  const isEntry = (item: FlowItem | undefined): boolean =>
    item?.kind === 'row' && (isTocRow(item.row) || endsInPageNumber(item.row));
  const item = flow[index]!;
  if (item.kind === 'row' && isTocHeading(item.row.text)) state.inToc = true;
  else if (state.inToc && !isEntry(item) && !isEntry(flow[index + 1])) state.inToc = false;
}

/** Titles and page numbers. */
function isPageList(table: Table): boolean {
  const pages = table.rows.map((row) => row.cells[row.cells.length - 1]!.text);
  return pages.every((page) => /^(?:\d{1,4}|[ivxlc]{1,7})$/i.test(page));
}

function isTabular(row: Row): boolean {
  return row.segments.length > 1 && columnsOf(row.segments, row.size).length > 1 && !isTocRow(row);
}

function columnsOf(segments: readonly Segment[], size: number): Column[] {
  return addTo([], segments, size);
}

function addTo(columns: readonly Column[], segments: readonly Segment[], size: number): Column[] {
  const all = [...columns, ...segments].map(({ x0, x1 }) => ({ x0, x1 })).sort((a, b) => a.x0 - b.x0);
  const merged: Column[] = [];
  for (const column of all) {
    const last = merged[merged.length - 1];
    if (last && column.x0 - last.x1 < NARROWEST_GAP * size) last.x1 = Math.max(last.x1, column.x1);
    else merged.push(column);
  }
  return merged;
}

/** Whether a single piece makes a column much wider: then it is a line of text below the table. */
function outgrows(columns: readonly Column[], merged: readonly Column[], size: number): boolean {
  return columns.some(
    (column, index) => merged[index]!.x1 - merged[index]!.x0 > 2 * (column.x1 - column.x0) + 4 * size,
  );
}

function rulesOver(rows: readonly Row[], horizontal: readonly Rule[]): boolean {
  const top = rows[0]!.y - 2.5 * rows[0]!.size;
  const bottom = rows[rows.length - 1]!.y + 1.5 * rows[0]!.size;
  const near = horizontal.filter(
    (rule) => rule.at > top && rule.at < bottom && rule.from < rows[0]!.x1 && rule.to > rows[0]!.x0,
  );
  return near.length >= 2;
}

/** Most cells of each column begin, end or are centred at one place. */
function isAligned(rows: readonly Row[], columns: readonly Column[]): boolean {
  return columns.slice(1).every((column) => {
    const cells = rows.flatMap((row) =>
      row.segments.filter((segment) => segment.x0 >= column.x0 - 1 && segment.x1 <= column.x1 + 1),
    );
    const starts = cells.map((cell) => cell.x0);
    const ends = cells.map((cell) => cell.x1);
    const middles = cells.map((cell) => (cell.x0 + cell.x1) / 2);
    return [starts, ends, middles].some((places) => agreeing(places) >= 0.55 * places.length);
  });
}

function agreeing(places: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const place of places) {
    const key = Math.round(place / 3);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let best = 0;
  for (const [key, count] of counts) best = Math.max(best, count + (counts.get(key + 1) ?? 0));
  return best;
}

/** Markers in the first column and text in the second are a list. */
function isList(rows: readonly Row[], columns: readonly Column[]): boolean {
  if (columns.length > 2) return false;
  const markers = rows.filter((row) => row.segments[0]!.x0 < columns[0]!.x1);
  return markers.every((row) => LIST_MARKER.test(row.segments[0]!.text));
}

/** A row that leaves the first column empty right under another one goes on with its cells. */
function tableOf(rows: readonly Row[], columns: readonly Column[]): Table {
  const groups: Segment[][][] = [];
  const ys: number[] = [];
  let before: Row | undefined;
  for (const row of rows) {
    const cells: Segment[][] = columns.map(() => []);
    for (const segment of row.segments) {
      let column = 0;
      while (column + 1 < columns.length && columns[column + 1]!.x0 <= segment.x0 + 1) column++;
      cells[column]!.push(segment);
    }
    const last = groups[groups.length - 1];
    if (last && before && cells[0]!.length === 0 && row.y - before.y < 1.5 * row.size) {
      cells.forEach((cell, column) => {
        last[column]!.push(...cell);
      });
    } else {
      groups.push(cells);
      ys.push(row.y - row.size);
    }
    before = row;
  }
  const tableRows = groups.map(
    (cells, index): TableRow => ({
      y: ys[index]!,
      cells: cells.map((segments, column) => ({ ...textOf(segments), column, span: 1 })),
      bold: cells.every((segments) => segments.every((segment) => segment.bold)),
    }),
  );
  return {
    x0: columns[0]!.x0,
    x1: columns[columns.length - 1]!.x1,
    y0: ys[0]!,
    y1: rows[rows.length - 1]!.y,
    columns: columns.map((column) => column.x0),
    rows: tableRows,
  };
}
