import { talksToAuthor } from '../../corpus/passages/guidance.js';
import { roleOfTable } from '../../corpus/passages/section-roles.js';
import type { Table } from '../../corpus/passages/tables.js';
import type { Block, Cell } from '../../documents/document.js';
import { isMark } from './element-names.js';
import { cellsOfRow, rowCells } from './markdown-text.js';
import { readTable, settleTable } from './read-statements.js';
import {
  BAR,
  endOfLine,
  HASH,
  isPlainItem,
  type Line,
  locationOf,
  NO_LIST,
  nextLine,
  type Scan,
  settleAbove,
} from './scan-state.js';
import type { Statement } from './statement.js';
import { rowStatement, SAMPLE, tableShape } from './table-statements.js';

const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/** Reads the table that begins at a line; gives back the line after it. */
export function readRows(scan: Scan, first: Line): { readonly start: number; readonly number: number } {
  // A paragraph goes on with what only looks like a table.
  if (scan.paragraph.lines > 0) scan.needsReader = true;
  scan.list = NO_LIST;
  const { text, reading } = scan;
  const header = rowAt(scan, first);
  const columns = titlesOf(header);
  const sample = columnSample(columns, header.block);
  let { start, end, number } = first;
  let talks = header.talks;
  let rows = 0;
  for (; start < text.length && text.charCodeAt(start) === BAR; rows++) {
    if (rows === 1) {
      const isDelimiter = DELIMITER_ROW.test(text.slice(start, end).trimEnd());
      if (!isDelimiter || rowAt(scan, { start, end, number }).count !== header.count) scan.needsReader = true;
    } else if (rows > 1 && !sample.isFull()) sample.add(rowAt(scan, { start, end, number }).cells);
    start = Math.min(text.length, nextLine(text, end));
    number++;
    end = endOfLine(text, start);
  }
  // A line directly below that begins nothing else is a row, too.
  const code = text.charCodeAt(start);
  const ends = start >= text.length || start === end || code === HASH || isPlainItem(text, start);
  if (rows < 2 || !ends) scan.needsReader = true;
  const after = { start, number: number - 1 };
  if (scan.silent || roleOfTable(sample.table) !== undefined || scan.needsReader) {
    // Only its first row decides whether it states anything, but any may open instructions.
    for (const row of rowsBelow(scan, first, rows)) talks ||= row.talks;
    if (talks) scan.needsReader = true;
    return after;
  }
  const shape = tableShape({ ...reading, blocks: [header.block] }, sample.table, false);
  if (shape) {
    const statements: Statement[] = [];
    let firstEnd = header.block.end;
    for (const { cells, block, index, talks: opens } of rowsBelow(scan, first, rows)) {
      if (index === 0) firstEnd = block.end;
      talks ||= opens;
      const statement = rowStatement(reading, rowCells(cells), { shape, block });
      if (statement) statements.push(statement);
    }
    settleTable(reading, statements, { end: firstEnd, above: settleAbove(scan), state: scan.state });
  } else {
    const all = [...rowsBelow(scan, first, rows)];
    talks ||= all.some((row) => row.talks);
    const blocks = [header.block, ...all.map(({ block }) => block)];
    const own = all.map(({ cells }, at) => ({ block: at + 1, cells: rowCells(cells) }));
    const table = { id: 0, columns, headerBlocks: [0], rows: own };
    readTable({ ...reading, blocks }, { table, above: settleAbove(scan), state: scan.state });
  }
  if (talks) scan.needsReader = true;
  // The line that ended the table is counted when it is read.
  return after;
}

interface Row {
  /** Of the rows below the header, from 0. */
  readonly index: number;
  readonly count: number;
  readonly cells: readonly Cell[];
  readonly block: Block;
  /** It may open instructions of a template. */
  readonly talks: boolean;
}

function rowAt(scan: Scan, { start, end, number }: Line, index = 0): Row {
  const location = locationOf(scan, number);
  const { cells, count } = cellsOfRow(scan.text, { start, end, location });
  const row = { index, kind: 'table_row', text: '', start, end, location } as const;
  // Only pairs of key and value are asked for by their block.
  const block: Block = count === 2 ? { ...row, cells } : row;
  const talks = cells.length <= 2 && cells.some(({ text }) => talksToAuthor(text));
  return { index, count, cells, block, talks };
}

/** Rows below the header and its line of dashes, made one by one: in large tables nothing of them is kept. */
function* rowsBelow(scan: Scan, first: Line, rows: number): Generator<Row> {
  let { start, end, number } = first;
  for (let row = 0; row < rows; row++) {
    if (row > 1) yield rowAt(scan, { start, end, number }, row - 2);
    start = nextLine(scan.text, end);
    end = endOfLine(scan.text, start);
    number++;
  }
}

/** The cells of each column by which `tableShape` tells what it is, as a table of few rows. */
function columnSample(columns: readonly string[], header: Block) {
  const rows = Array.from({ length: SAMPLE + 1 }, () => new Map<number, Cell>());
  const counts = new Int32Array(columns.length);
  const unmarked = new Uint8Array(columns.length);
  let open = columns.length;
  const table: Table = {
    id: 0,
    columns,
    headerBlocks: [],
    rows: rows.map((cells) => ({ block: header.index, cells })),
  };
  return {
    table,
    /** Nothing more of any column has to be known. */
    isFull: () => open === 0,
    add(cells: readonly Cell[]): void {
      for (const cell of cells) {
        const { column, text } = cell;
        if (column >= columns.length || text === '') continue;
        const isNew =
          counts[column]! < SAMPLE || (counts[column] === SAMPLE && unmarked[column] === 0 && !isMark(text));
        if (!isNew) continue;
        rows[counts[column]!]!.set(column, cell);
        counts[column]!++;
        if (!isMark(text)) unmarked[column] = 1;
        if (counts[column]! >= SAMPLE && unmarked[column] === 1) open--;
      }
    },
  };
}

function titlesOf({ cells, count }: Row): string[] {
  const titles = new Array<string>(count).fill('');
  for (const cell of cells) titles[cell.column] = cell.text;
  return titles;
}
