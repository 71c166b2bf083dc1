import type { Block, Cell, Document } from '../../documents/document.js';

/** One table as a reader sees it: column titles and the rows under them. */
export interface Table {
  /** Position in the list of tables of its document. */
  readonly id: number;
  /** Column titles by grid column: of several header rows the lowest that names the column. */
  readonly columns: readonly (string | undefined)[];
  readonly headerBlocks: readonly number[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly block: number;
  /** Cells by grid column; a cell that covers several columns stands at its first, one that covers several rows in each of them. */
  readonly cells: ReadonlyMap<number, Cell>;
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
  const columns: (string | undefined)[] = [];
  for (const header of headers) {
    for (const cell of header.cells ?? []) {
      const title = cell.text.trim().replace(/\s+/g, ' ');
      if (title === '') continue;
      for (let column = cell.column; column < cell.column + (cell.span ?? 1); column++) {
        columns[column] = title;
      }
    }
  }
  return {
    id,
    columns: Array.from(columns),
    headerBlocks: headers.map((block) => block.index),
    rows: rowsOf(rows),
  };
}

/** Rows with their cells; a cell that covers several rows stands in each of them, as a reader sees it. Not so the first column. */
function rowsOf(rows: readonly Block[]): readonly TableRow[] {
  const above = new Map<number, { readonly cell: Cell; left: number }>();
  return rows.map((block) => {
    const cells = new Map((block.cells ?? []).map((cell) => [cell.column, cell]));
    for (const [column, covering] of above) {
      if (!cells.get(column)?.text.trim()) cells.set(column, covering.cell);
      if (--covering.left === 0) above.delete(column);
    }
    for (const cell of block.cells ?? []) {
      if (cell.rows !== undefined && cell.column > 0 && cell.text.trim() !== '')
        above.set(cell.column, { cell, left: cell.rows - 1 });
    }
    return { block: block.index, cells };
  });
}

/** Text of the cell in a column, `''` where the row has none. */
export function cellText(row: TableRow, column: number): string {
  return row.cells.get(column)?.text.trim() ?? '';
}
