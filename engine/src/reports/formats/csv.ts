import { selectionOf } from '../layout/frame.js';
import type { Report } from '../report.js';
import type { ReportWords } from '../report-words.js';
import { printable } from './escape.js';
import {
  adviceRows,
  FINDING_COLUMNS,
  findingRows,
  hasOpinions,
  MATRIX_COLUMNS,
  matrixRows,
  OPINION_COLUMNS,
  RESULT_COLUMNS,
  resultRows,
} from './rows.js';

/** What a spreadsheet would take for a formula, also in full width and after spaces. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** A cell as text by RFC 4180, with an apostrophe before what a spreadsheet would run as a formula. */
export function csvCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const text = printable(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * CSV by RFC 4180, UTF-8 with a byte order mark, as spreadsheets expect it. `record` says what a line is: the report
 * itself (title, tool as `kind`, hash of the content as `fingerprint`, what it is not as `note`), the selection where findings are
 * left out (which are told, and how many are not, as `note`), a finding, a result (criterion, section, checklist item), advice of a language model or a row of the trace matrix; columns that it has not are empty.
 */
export function* toCsv(report: Report, words: ReportWords): Generator<string> {
  const columns = [
    ...new Set([
      'record',
      ...FINDING_COLUMNS,
      ...RESULT_COLUMNS,
      ...MATRIX_COLUMNS,
      ...(hasOpinions(report) ? OPINION_COLUMNS : []),
    ]),
  ];
  yield `\ufeff${columns.join(',')}\r\n`;
  const line = (record: string, row: Readonly<Record<string, string | number | boolean>>): string =>
    `${columns.map((column) => (column === 'record' ? record : csvCell(row[column] ?? ''))).join(',')}\r\n`;
  const { title, tool, contentHash, notice, selection } = report;
  const kind = `${tool.name} ${tool.version}`.replace(/^@/, '');
  yield line('report', { title, kind, fingerprint: contentHash, note: notice });
  if (selection) {
    yield line('selection', { title: words.text('selection'), note: selectionOf(selection, words) });
  }
  for (const row of findingRows(report)) yield line('finding', row);
  for (const row of resultRows(report)) yield line('result', row);
  for (const row of adviceRows(report)) yield line('advice', row);
  for (const row of matrixRows(report)) yield line('matrix', row);
}
