import { parse } from 'csv-parse/sync';
import { createBlockCollector, tooManyColumns } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { corruptFile, DocumentError, fileTooLarge } from '../../document-error.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { findTableHeader } from '../../table-header.js';
import { sniffDelimiter } from './delimiter.js';

/** Records looked at to find the one that names the columns. */
const HEAD_RECORDS = 14;

interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
  /** Below an empty line. */
  readonly isApart: boolean;
}

/** Separated values: one table, one row per record. */
export const csvReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    // Some spreadsheet programs say the separator in the first line.
    const stated = /^sep=(.)\n/i.exec(text);
    const delimiter = stated?.[1] ?? sniffDelimiter(text);
    refuseEndlessRecords(text, delimiter, limits);
    refuseTooManyRecords(text, limits);
    const collector = createBlockCollector(limits);
    const head: CsvRow[] = [];
    let header: { first: number; count: number } | undefined;
    let rowIndex = 0;
    let last = 0;

    const push = ({ cells, line }: CsvRow) => {
      const row = rowIndex++;
      collector.push({
        kind: 'table_row',
        text: '',
        location: { line },
        table: { id: 0, row, header: row >= header!.first && row < header!.first + header!.count },
        cells: cells.map((cell, column) => ({
          text: cell,
          column,
          location: { line, cell: `R${row + 1}C${column + 1}` },
        })),
      });
    };
    const flush = () => {
      const above = rowsAbove(head);
      const found = findTableHeader(
        head.slice(above).map((row) => row.cells.map((cell, column) => ({ text: cell, column }))),
      );
      header ??= { ...found, first: found.first + above };
      for (const row of head.splice(0)) push(row);
    };
    const take = (record: string[], lines: number) => {
      const line = lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      if (record.length > limits.maxColumns) throw tooManyColumns(limits, { line });
      const row = { cells: record.map(cleanText), line, isApart: line > last + 1 };
      if (row.cells.every((cell) => cell === '')) return;
      last = lines;
      if (header) push(row);
      else if (head.push(row) === HEAD_RECORDS) flush();
    };

    try {
      parse(text, {
        delimiter,
        from_line: stated ? 2 : 1,
        relax_quotes: true,
        relax_column_count: true,
        skip_empty_lines: true,
        on_record(record: string[], context) {
          take(record, context.lines);
          return null;
        },
      });
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      throw corruptFile('a quote that opens a cell is never closed');
    }
    flush();
    return { blocks: collector.blocks, properties: {}, notes };
  },
};

/** Lines about the file, set apart by an empty line from a table that is wider than all of them: so many are above it. */
function rowsAbove(head: readonly CsvRow[]): number {
  const width = ({ cells }: CsvRow) => cells.findLastIndex((cell) => cell !== '') + 1;
  const first = head.findIndex(
    (row, at) => at > 0 && row.isApart && head.slice(0, at).every((one) => width(one) < width(row)),
  );
  return first > 0 && first < head.length - 1 ? first : 0;
}

/** The parser builds a record before anybody can count its cells, so lines far past the limit are refused before. */
function refuseEndlessRecords(text: string, delimiter: string, limits: ReadingLimits): void {
  const far = limits.maxColumns * 10;
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > far && text.slice(start, end).split(delimiter, far + 1).length > far) {
      throw tooManyColumns(limits, { line });
    }
    start = end + 1;
  }
}

/** Counted before they are parsed: what goes far past the limit need not be read up to it. */
function refuseTooManyRecords(text: string, limits: ReadingLimits): void {
  // Lines inside quotes are none of their own, and quotes in the middle of cells hide where others begin.
  const most = text.includes('"') ? 2 * limits.maxBlocks : limits.maxBlocks;
  let records = 0;
  let isQuoted = false;
  let isEmpty = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isQuoted = !isQuoted;
    if (code !== 0x0a) isEmpty = false;
    else if (!isQuoted) {
      if (!isEmpty && ++records > most) {
        throw fileTooLarge(`The table has more than ${limits.maxBlocks} rows.`);
      }
      isEmpty = true;
    }
  }
}
