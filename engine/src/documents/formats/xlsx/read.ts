import { type BlockCollector, createBlockCollector, tooManyColumns } from '../../block-collector.js';
import { openOfficePackage } from '../../files/office-package.js';
import type { FormatReader } from '../../format-reader.js';
import { allHidden } from '../../hidden-ranges.js';
import { findTableHeader } from '../../table-header.js';
import { printCellReference } from './cell-reference.js';
import { readComments } from './comments.js';
import { readDrawing } from './drawing.js';
import { readSheet, type SheetRow } from './sheet.js';
import { readWorkbook } from './workbook.js';

/** Excel workbooks (ECMA-376 SpreadsheetML): one heading per sheet, one table row per filled row. */
export const xlsxReader: FormatReader = {
  async read(bytes, { limits, onProgress }) {
    const file = await openOfficePackage(bytes, limits);
    try {
      const workbook = await readWorkbook(file, limits);
      const collector = createBlockCollector(limits);
      const tables = { next: 0 };
      for (const [index, entry] of workbook.sheets.entries()) {
        const sheet = await readSheet(file, entry, workbook, limits);
        const comments = await readComments(file, entry.part);
        const drawing = await readDrawing(file, entry.part, entry.name);
        const location = { sheet: entry.name };
        if (sheet.rows.length > 0 || comments.size > 0 || drawing.length > 0) {
          const hidden = entry.hidden ? { hidden: allHidden(entry.name, 'hidden-sheet') } : {};
          collector.push({ kind: 'heading', level: 1, text: entry.name, location, ...hidden });
          const maxColumns = limits.maxColumns;
          if (sheet.rows.some((row) => row.cells.length > maxColumns)) throw tooManyColumns(limits, location);
          pushRows(collector, entry.name, sheet.rows, comments, tables);
          for (const block of drawing)
            collector.push(
              entry.hidden ? { ...block, hidden: allHidden(block.text, 'hidden-sheet') } : block,
            );
        }
        onProgress?.(index + 1, workbook.sheets.length);
      }
      return {
        blocks: collector.blocks,
        properties: await file.properties(),
        pageCount: workbook.sheets.length,
        notes: [],
      };
    } finally {
      file.close();
    }
  },
};

function pushRows(
  collector: BlockCollector,
  sheet: string,
  rows: readonly SheetRow[],
  comments: Map<string, string[]>,
  tables: { next: number },
): void {
  const section = [sheet];
  for (const region of tableRegions(rows)) {
    const first = region.rows.reduce((left, row) => Math.min(left, row.cells[0]!.column), Infinity);
    region.rows.forEach((row, index) => {
      const location = { section, sheet };
      collector.push({
        kind: 'table_row',
        text: '',
        location: { ...location, cell: rowReference(row) },
        table: {
          id: tables.next,
          row: index,
          header: index >= region.header.first && index < region.header.first + region.header.count,
        },
        cells: row.cells.map((cell) => ({
          text: cell.text,
          column: cell.column - first,
          ...(cell.span > 1 ? { span: cell.span } : {}),
          ...(cell.rowSpan > 1 ? { rows: rowsUntil(region.rows, index, row.row + cell.rowSpan) } : {}),
          location: { ...location, cell: printCellReference(row.row, cell.column) },
          ...(cell.hidden ? { hidden: allHidden(cell.text, cell.hidden) } : {}),
        })),
      });
      for (const cell of row.cells) {
        const reference = printCellReference(row.row, cell.column);
        for (const text of comments.get(reference) ?? []) {
          collector.push({ kind: 'comment', text, location: { ...location, cell: reference } });
        }
        comments.delete(reference);
      }
    });
    tables.next++;
  }
  for (const [cell, texts] of comments) {
    for (const text of texts) collector.push({ kind: 'comment', text, location: { section, sheet, cell } });
  }
}

interface Region {
  rows: SheetRow[];
  header: { first: number; count: number };
}

/**
 * Tables of a sheet: runs of rows without an empty row between them. A run without a header of its own that
 * stays within the columns of the table above continues it, because people leave empty rows to group.
 */
function tableRegions(rows: readonly SheetRow[]): Region[] {
  const regions: Region[] = [];
  for (const run of contiguousRuns(rows)) {
    const header = findTableHeader(
      run.map((row) => row.cells.map((cell) => ({ ...cell, emphasised: cell.bold }))),
    );
    const previous = regions.at(-1);
    if (header.count === 0 && previous && continues(previous, run)) previous.rows.push(...run);
    else regions.push({ rows: run, header });
  }
  return regions;
}

/** Rows from one on that stand above a row of the sheet. */
function rowsUntil(rows: readonly SheetRow[], from: number, end: number): number {
  let count = 1;
  while (from + count < rows.length && rows[from + count]!.row < end) count++;
  return count;
}

function contiguousRuns(rows: readonly SheetRow[]): SheetRow[][] {
  const runs: SheetRow[][] = [];
  let lastRow = -2;
  for (const row of rows) {
    if (row.row > lastRow + 1) runs.push([]);
    runs.at(-1)!.push(row);
    lastRow = Math.max(
      lastRow,
      row.row + row.cells.reduce((most, cell) => Math.max(most, cell.rowSpan), 1) - 1,
    );
  }
  return runs;
}

function continues(previous: Region, run: readonly SheetRow[]): boolean {
  if (previous.header.count === 0) return false;
  const columns = new Set(previous.rows[previous.header.first]!.cells.map((cell) => cell.column));
  return run.every((row) => row.cells.length >= 2 && row.cells.every((cell) => columns.has(cell.column)));
}

function rowReference(row: SheetRow): string {
  const first = printCellReference(row.row, row.cells[0]!.column);
  const last = printCellReference(row.row, row.cells.at(-1)!.column);
  return first === last ? first : `${first}:${last}`;
}
