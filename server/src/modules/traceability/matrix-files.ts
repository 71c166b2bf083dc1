import { csvCell, type MatrixLink, type MatrixRow } from '@normtrace/engine';
import type { CellValue } from 'hucre/xlsx';
import { type PackedRows, packRows } from './packed-rows.js';

export const MATRIX_FORMATS = ['json', 'csv', 'xlsx'] as const;
export type MatrixFormat = (typeof MATRIX_FORMATS)[number];

const TITLES = [
  'requirement_id',
  'requirement_text',
  'type',
  'integrity',
  'status',
  'upstream',
  'downstream',
];
const WIDTHS = [18, 60, 28, 12, 12, 40, 40];
/** Longest text of a cell in a workbook, and most rows of a sheet. */
const MAX_CELL_LENGTH = 32_767;
const MAX_SHEET_ROWS = 1_048_576;

const encoder = new TextEncoder();

export interface MatrixFile {
  readonly bytes: Uint8Array;
}

/** Rows of the trace matrix in the API's spelling, or a file: CSV or a workbook. `links`: most of a row in each direction, in the former. */
export async function writeMatrix(
  rows: Iterable<MatrixRow>,
  format: MatrixFormat,
  links = Number.POSITIVE_INFINITY,
): Promise<PackedRows | MatrixFile> {
  if (format === 'json') return packRows(inApiSpelling(rows, links));
  return { bytes: format === 'csv' ? encoder.encode(toCsv(rows)) : await toWorkbook(rows) };
}

function* inApiSpelling(rows: Iterable<MatrixRow>, links: number): IterableIterator<unknown> {
  for (const row of rows) yield toJson(row, links);
}

const toJson = (row: MatrixRow, links: number) => ({
  id: null,
  requirement_id: row.requirementId,
  requirement_name: null,
  requirement_text: row.requirementText,
  type: row.type,
  integrity: row.integrity ?? null,
  upstream_links: row.upstreamLinks.slice(0, links).map(linkToJson),
  downstream_links: row.downstreamLinks.slice(0, links).map(linkToJson),
  more_upstream: Math.max(0, row.upstreamLinks.length - links),
  more_downstream: Math.max(0, row.downstreamLinks.length - links),
  linked: null,
  status: row.status,
  missing: null,
  severity: null,
  result: null,
});

const linkToJson = ({ artifactId, artifactName, artifactType, linkType }: MatrixLink) => ({
  id: null,
  artifact_id: artifactId,
  artifact_name: artifactName,
  artifact_type: artifactType,
  link_type: linkType,
});

const cellsOf = (row: MatrixRow): string[] => [
  row.requirementId,
  row.requirementText,
  row.type,
  row.integrity ?? '',
  row.status,
  printLinks(row.upstreamLinks),
  printLinks(row.downstreamLinks),
];

const printLinks = (links: readonly MatrixLink[]): string =>
  links.map(({ artifactId, linkType }) => `${artifactId} (${linkType})`).join('; ');

/** RFC 4180 in UTF-8 with a byte order mark, so that spreadsheets take it for what it is. */
function toCsv(rows: Iterable<MatrixRow>): string {
  const lines = [TITLES.join(',')];
  for (const row of rows) lines.push(cellsOf(row).map(csvCell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

async function toWorkbook(rows: Iterable<MatrixRow>): Promise<Uint8Array> {
  const cells: CellValue[][] = [TITLES];
  for (const row of rows) {
    if (cells.length === MAX_SHEET_ROWS) break;
    cells.push(cellsOf(row).map((text) => text.slice(0, MAX_CELL_LENGTH)));
  }
  const { writeXlsx } = await import('hucre/xlsx');
  const written = await writeXlsx({
    sheets: [
      {
        name: 'Trace matrix',
        columns: WIDTHS.map((width) => ({ width })),
        rows: cells,
        freezePane: { rows: 1 },
        autoFilter: { range: `A1:G${cells.length}` },
      },
    ],
  });
  // A copy of its own, so that it can be handed over to another thread.
  return new Uint8Array(written);
}
