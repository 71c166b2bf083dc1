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
  /** Cells by grid column; a cell that covers several columns stands at its first. */
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
    rows: rows.map((block) => ({
      block: block.index,
      cells: new Map((block.cells ?? []).map((cell) => [cell.column, cell])),
    })),
  };
}

/** Text of the cell in a column, `''` where the row has none. */
export function cellText(row: TableRow, column: number): string {
  return row.cells.get(column)?.text.trim() ?? '';
}
