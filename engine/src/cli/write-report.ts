import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Severity } from '../findings/finding.js';
import { makeReport, type ReportInput } from '../reports/make-report.js';
import { type ReportFormat, renderReport } from '../reports/render-report.js';
import { REPORT_LANGUAGES, type ReportLanguage } from '../reports/report.js';
import { render } from '../sentences/render.js';
import type { Language } from '../sentences/sentence.js';
import { CommandError } from './command-error.js';
import { oneOf } from './options.js';
import type { NotAssessed } from './read-files.js';
import type { Output } from './terminal.js';

/** Formats of reports that the commands write; `json` is the result of the engine itself. */
export const REPORT_OUTPUTS = ['html', 'pdf', 'docx', 'xlsx', 'csv', 'sarif', 'junit'] as const;
type ReportOutput = (typeof REPORT_OUTPUTS)[number];
/** They cannot be shown in a terminal. */
const BINARY: readonly ReportFormat[] = ['pdf', 'docx', 'xlsx'];

/** Options of every command that writes reports, for `parseArgs`. */
export const REPORT_OPTIONS = {
  title: { type: 'string' },
  language: { type: 'string', default: 'en' },
} as const;

/** What a person asked for, or undefined when no report was. Throws `CommandError` for what cannot be. */
export function reportAskedFor<Format extends string>(values: {
  readonly format: Format;
  readonly output: string | undefined;
  readonly title: string | undefined;
  readonly language: string;
}):
  | { readonly format: ReportOutput; readonly title: string | undefined; readonly language: ReportLanguage }
  | undefined {
  const format = REPORT_OUTPUTS.find((one) => one === values.format);
  if (!format) return undefined;
  if (BINARY.includes(format) && values.output === undefined) {
    throw new CommandError(`--format ${format} needs --output.`, `For example: --output report.${format}`);
  }
  return { format, title: values.title, language: oneOf('--language', values.language, REPORT_LANGUAGES) };
}

/** Writes a report to the terminal or to a file; resolves to the file's name. Throws `CommandError` where that fails. */
export async function writeReportFile(
  input: Pick<ReportInput, 'title' | 'language' | 'scope' | 'documents' | 'parts'>,
  options: {
    readonly format: ReportOutput;
    readonly out: Output;
    readonly outputFile: string | undefined;
    /** JUnit: findings from here on are failures. */
    readonly failOn: Severity | undefined;
  },
): Promise<string | undefined> {
  const { format, out, outputFile, failOn } = options;
  const report = makeReport({ ...input, createdAt: new Date().toISOString() });
  const content = renderReport(report, format, failOn === undefined ? {} : { failOn });
  if (outputFile === undefined) {
    for await (const piece of content) out.write(piece);
    return undefined;
  }
  try {
    await pipeline(content, createWriteStream(outputFile));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'path' in error)) throw error;
    throw new CommandError(
      `The result cannot be written to "${outputFile}".`,
      'Give --output a path in a folder that exists and may be written to.',
    );
  }
  return outputFile;
}

/** Files that could not be read, as a report lists them. */
export const asNotAssessed = (files: readonly NotAssessed[], language: Language) =>
  files.map(({ name, said }) => ({ subject: name, reason: render(said, language) }));
