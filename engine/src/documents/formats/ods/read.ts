import { type BlockCollector, createBlockCollector, tooManyColumns } from '../../block-collector.js';
import { openOpenDocument } from '../../files/open-document.js';
import type { FormatReader } from '../../format-reader.js';
import { allHidden } from '../../hidden-ranges.js';
import { findTableHeader } from '../../table-header.js';
import { printCellReference } from '../xlsx/cell-reference.js';
import { type OdsRow, type OdsSheet, readSheets } from './sheets.js';

/** OpenDocument spreadsheets: one heading for each sheet, one table row for each filled row. */
export const odsReader: FormatReader = {
  async read(bytes, { limits }) {
    const file = await openOpenDocument(bytes, limits);
    try {
      const sheets = await readSheets(file, limits);
      const collector = createBlockCollector(limits);
      let tables = 0;
      for (const sheet of sheets) {
        if (sheet.rows.length === 0) continue;
        const location = { sheet: sheet.name };
        const hidden = sheet.hidden ? { hidden: allHidden(sheet.name, 'hidden-sheet') } : {};
        collector.push({ kind: 'heading', level: 1, text: sheet.name, location, ...hidden });
        if (sheet.rows.some((row) => row.cells.length > limits.maxColumns))
          throw tooManyColumns(limits, location);
        tables = pushSheet(collector, sheet, tables);
      }
      return {
        blocks: collector.blocks,
        properties: await file.properties(),
        pageCount: sheets.length,
        notes: [],
      };
    } finally {
      file.close();
    }
  },
};

/** Tables are runs of rows without an empty row between them. Gives back the next free number of a table. */
function pushSheet(collector: BlockCollector, sheet: OdsSheet, firstTable: number): number {
  let id = firstTable;
  for (const rows of runs(sheet.rows)) {
    const header = findTableHeader(rows.map((row) => row.cells));
    const left = rows.reduce((least, row) => Math.min(least, row.cells[0]?.column ?? Infinity), Infinity);
    const place = { section: [sheet.name], sheet: sheet.name };
    rows.forEach((row, index) => {
      if (row.cells.length > 0) {
        const first = printCellReference(row.row, row.cells[0]!.column);
        const last = printCellReference(row.row, row.cells.at(-1)!.column);
        collector.push({
          kind: 'table_row',
          text: '',
          location: { ...place, cell: first === last ? first : `${first}:${last}` },
          table: { id, row: index, header: index >= header.first && index < header.first + header.count },
          cells: row.cells.map(({ text, column, span, hidden }) => ({
            text,
            column: column - left,
            ...(span > 1 ? { span } : {}),
            location: { ...place, cell: printCellReference(row.row, column) },
            ...(hidden ? { hidden } : {}),
          })),
        });
      }
      for (const comment of row.comments) {
        const cell = printCellReference(row.row, comment.column);
        collector.push({ kind: 'comment', text: comment.text, location: { ...place, cell } });
      }
    });
    id++;
  }
  return id;
}

function runs(rows: readonly OdsRow[]): OdsRow[][] {
  const found: OdsRow[][] = [];
  let last = -2;
  for (const row of rows) {
    if (row.row > last + 1) found.push([]);
    found.at(-1)!.push(row);
    last = row.row;
  }
  return found;
}
