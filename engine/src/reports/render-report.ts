import type { Severity } from '../findings/finding.js';
import type { Report } from './report.js';
import { loadReportWords, type ReportWords } from './report-words.js';
import type { ToldOfWriting } from './watched.js';

export const REPORT_FORMATS = ['html', 'pdf', 'docx', 'xlsx', 'csv', 'json', 'sarif', 'junit'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** How each format is called outside. */
export const REPORT_FILES: Readonly<
  Record<ReportFormat, { readonly mediaType: string; readonly extension: string }>
> = {
  html: { mediaType: 'text/html; charset=utf-8', extension: 'html' },
  pdf: { mediaType: 'application/pdf', extension: 'pdf' },
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extension: 'docx',
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', extension: 'csv' },
  json: { mediaType: 'application/json', extension: 'json' },
  sarif: { mediaType: 'application/sarif+json', extension: 'sarif' },
  junit: { mediaType: 'application/xml', extension: 'xml' },
};

export interface RenderOptions {
  /** JUnit: findings from this severity on are failures. High where absent. */
  readonly failOn?: Severity;
  /** Of HTML, PDF and Word, which are written block by block; the others come in one go. */
  readonly onProgress?: ToldOfWriting;
}

/**
 * A report as a file, piece by piece. The same report gives the same bytes. What a format needs is loaded when it is
 * asked for.
 */
export async function* renderReport(
  report: Report,
  format: ReportFormat,
  options: RenderOptions = {},
): AsyncGenerator<Uint8Array> {
  const words = await loadReportWords(report.language);
  const content = await RENDERERS[format](report, words, options);
  let piece = '';
  for await (const part of content) {
    if (typeof part !== 'string') {
      yield part;
      continue;
    }
    piece += part;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

const PIECE = 1 << 16;

type Content = Iterable<string> | AsyncIterable<Uint8Array>;

const RENDERERS: Readonly<
  Record<ReportFormat, (report: Report, words: ReportWords, options: RenderOptions) => Promise<Content>>
> = {
  html: async (report, words, { onProgress }) =>
    (await import('./formats/html.js')).toHtml(report, words, onProgress),
  pdf: async (report, words, { onProgress }) =>
    (await import('./formats/pdf/to-pdf.js')).toPdf(report, words, onProgress),
  docx: async (report, words, { onProgress }) =>
    (await import('./formats/docx/to-docx.js')).toDocx(report, words, onProgress),
  xlsx: async (report, words) => (await import('./formats/xlsx.js')).toXlsx(report, words),
  csv: async (report, words) => (await import('./formats/csv.js')).toCsv(report, words),
  json: async (report) => (await import('./formats/json.js')).toJson(report),
  sarif: async (report, words) => (await import('./formats/sarif.js')).toSarif(report, words),
  junit: async (report, words, { failOn = 'high' }) =>
    (await import('./formats/junit.js')).toJunit(report, words, failOn),
};
