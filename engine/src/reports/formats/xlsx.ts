import { writeXlsx } from 'hucre/xlsx';
import { statedOnCover } from '../layout/frame.js';
import { COLOURS } from '../pictures/colours.js';
import type { Report } from '../report.js';
import type { ReportWords } from '../report-words.js';
import { printable } from './escape.js';
import {
  DOCUMENT_COLUMNS,
  documentRows,
  FINDING_COLUMNS,
  findingRows,
  MATRIX_COLUMNS,
  matrixRows,
  RESULT_COLUMNS,
  resultRows,
} from './rows.js';

/** A cell of Excel holds no more characters. */
const LONGEST = 32_000;
const WIDE = [
  'expected',
  'observed',
  'why_it_matters',
  'recommendation',
  'places',
  'quotes',
  'text',
  'reason',
];
const MIDDLE = [
  'title',
  'area',
  'searched',
  'sha256',
  'upstream',
  'downstream',
  'document',
  'affected_items',
];

type Cell = string | number | boolean;
type Rows = Iterable<Readonly<Record<string, Cell>>>;

/**
 * A workbook: what was reported, findings, results, trace matrix, documents; each table with a head that stays in
 * place and a filter. Texts are written as texts, so that nothing in them is ever run as a formula.
 */
export async function* toXlsx(report: Report, words: ReportWords): AsyncGenerator<Uint8Array> {
  const made = new Date(report.createdAt);
  const { text } = words;
  const tables = [
    sheet(text('findings'), FINDING_COLUMNS, findingRows(report)),
    sheet(text('results'), RESULT_COLUMNS, resultRows(report)),
    sheet(text('matrix'), MATRIX_COLUMNS, matrixRows(report)),
    sheet(text('documents'), DOCUMENT_COLUMNS, documentRows(report)),
  ];
  yield await writeXlsx({
    sheets: [about(report, words), ...tables.filter((one, at) => at === 0 || one.rows.length > 1)],
    properties: {
      title: safe(report.title),
      subject: words.text('notice'),
      creator: safe(report.author ?? report.tool.name),
      created: made,
      modified: made,
    },
  });
}

function about(report: Report, words: ReportWords) {
  const { text } = words;
  const rows: Cell[][] = [
    [text('title'), report.title],
    [text('workspace'), report.workspace ?? ''],
    [text('item'), report.scope.item ?? text('whole_workspace')],
    [text('date'), words.time(report.createdAt)],
    [text('author'), report.author ?? ''],
    ...statedOnCover(report, words),
    [text('tool'), `${report.tool.name} ${report.tool.version}`],
    [text('content_hash'), report.contentHash],
    ['', text('notice')],
  ];
  if (report.copyFor) {
    rows.push(['', text('copy_for', { name: report.copyFor.name, date: words.time(report.copyFor.at) })]);
  }
  for (const part of report.parts) {
    rows.push([], [words.of('types', part.type), part.subject]);
    if (part.score.value !== null) rows.push([text('score'), part.score.value]);
    for (const severity of ['critical', 'high', 'medium', 'low'] as const) {
      rows.push([words.of('severities', severity), part.severities[severity]]);
    }
    for (const { metric, share } of part.trace?.coverage ?? []) {
      rows.push([
        words.of('metrics', metric),
        share.percentage ?? '–',
        `${share.numerator} / ${share.denominator}`,
      ]);
    }
    for (const { subject, reason } of part.notAssessed) rows.push([text('not_assessed'), subject, reason]);
    for (const method of words.method(part.type)) rows.push([text('method'), method]);
  }
  return {
    name: nameOf(text('summary')),
    rows: rows.map((cells) => cells.map(cellOf)),
    columns: [
      { width: 26 },
      { width: 90, style: { alignment: { wrapText: true, vertical: 'top' as const } } },
      { width: 40 },
    ],
  };
}

function sheet(name: string, columns: readonly string[], rows: Rows) {
  const table: Cell[][] = [[...columns]];
  for (const row of rows) table.push(columns.map((column) => cellOf(row[column] ?? '')));
  const style = { alignment: { wrapText: true, vertical: 'top' as const } };
  const at = columns.indexOf('severity');
  const cells = new Map(
    columns.map((_, column) => [
      `0,${column}`,
      {
        style: {
          font: { bold: true },
          fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'E9EDF1' } },
        },
      },
    ]),
  );
  if (at >= 0) {
    table.forEach((row, number) => {
      const colours = COLOURS[row[at] as keyof typeof COLOURS];
      if (number === 0 || colours === undefined) return;
      const fgColor = { rgb: colours.paper.slice(1).toUpperCase() };
      cells.set(`${number},${at}`, {
        style: { font: { bold: true }, fill: { type: 'pattern', pattern: 'solid', fgColor } },
      });
    });
  }
  return {
    name: nameOf(name),
    columns: columns.map((column) => ({
      width: WIDE.includes(column) ? 48 : MIDDLE.includes(column) ? 28 : 14,
      style,
    })),
    rows: table,
    cells,
    freezePane: { rows: 1 },
    autoFilter: { range: `A1:${letters(columns.length)}${table.length}` },
  };
}

function cellOf(value: Cell): Cell {
  return typeof value === 'string' ? safe(value) : value;
}

function safe(value: string): string {
  const text = printable(value).replace(/\r\n?/g, '\n');
  return text.length <= LONGEST ? text : `${printable(text.slice(0, LONGEST))}…`;
}

/** Sheet names: 31 characters, none of `[]:*?/\`. */
const nameOf = (name: string): string => name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31);

function letters(column: number): string {
  const rest = (column - 1) % 26;
  const last = String.fromCharCode(65 + rest);
  return column <= 26 ? last : letters((column - 1 - rest) / 26) + last;
}
