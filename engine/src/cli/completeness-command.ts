import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { listDocumentTypeIds } from '../data/list-document-types.js';
import type { DocumentType } from '../document-types/document-type.js';
import { readDocumentSafely } from '../documents/document-reader.js';
import { checkCompleteness } from '../engines/completeness/run.js';
import { SEVERITIES } from '../findings/finding.js';
import { hasAtLeast } from '../findings/severities.js';
import { completenessDocuments, completenessPart } from '../reports/parts/completeness-part.js';
import { say } from '../sentences/sentence.js';
import { inLanguage } from '../sentences/worded.js';
import { readTemplate } from '../templates/read-template.js';
import { qualityWords } from '../words/quality-words.js';
import type { Streams } from './analyse-command.js';
import { answersOf } from './answers.js';
import { CommandError } from './command-error.js';
import { exitCodeOf, RESULT_OPTIONS, resultOptions, SCOPE_OPTIONS, scopeOf } from './document-options.js';
import { MODEL_OPTIONS, modelOf, printEstimate } from './model-options.js';
import { oneOf, writeOutput } from './options.js';
import { printCompleteness } from './print-completeness.js';
import { createProgress } from './progress.js';
import { readFiles, withReader } from './read-files.js';
import { COMPLETENESS_USAGE } from './usage.js';
import { wordsIn } from './words.js';
import { asNotAssessed, writeReportFile } from './write-report.js';

const STAGES = {
  passages: 'Taking the documents apart',
  conditions: 'Finding out what applies',
  documents: 'Checking',
  opinions: 'Asking the model',
  findings: 'Writing the findings',
} as const;

/** `normtrace completeness`; resolves to the exit code 0 or 1. Throws `CommandError` for what a person can correct. */
export async function completenessCommand(args: readonly string[], { out, error }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      template: { type: 'string', multiple: true, default: [] },
      type: { type: 'string' },
      ...SCOPE_OPTIONS,
      without: { type: 'string', multiple: true, default: [] },
      ...MODEL_OPTIONS,
      ...RESULT_OPTIONS,
    },
  });
  if (values.help) {
    out.write(COMPLETENESS_USAGE);
    return 0;
  }
  if (positionals.length === 0) {
    throw new CommandError('No folder or file was given.', 'For example: normtrace completeness docs');
  }
  const { format, failOn, report, language } = resultOptions(values);
  const conditions = await answersOf(values.answer);
  const without = values.without.map((rule) => oneOf('--without', rule, [...qualityWords().rules.keys()]));
  const templates = await Promise.all(values.template.map(templateOf));
  const type = values.type === undefined ? undefined : await typeOf(values.type, templates);

  const model = await modelOf(values);
  const progress = createProgress(error);
  const { documents, notAssessed, unread } = await withReader((reader) =>
    readFiles(positionals, progress, { reader }),
  );
  const checked = await checkCompleteness({
    documents: documents.map((one) => (type === undefined ? one : { ...one, documentType: type })),
    templates,
    scope: scopeOf(values),
    options: {
      conditions,
      today: new Date().toISOString().slice(0, 10),
      requirementQuality: { without },
    },
    ...(model ? { model: model.use } : {}),
    onProgress: (event) => {
      if (event.type === 'progress') progress.step(STAGES[event.stage], event.done, Math.max(1, event.total));
      else progress.step(`Checking: ${event.unit.document.name}`, event.done, event.total);
    },
  });
  progress.end();
  if (model?.estimate) {
    printEstimate(out, await model.estimate(), model);
    return 0;
  }
  const result = inLanguage(checked, language);
  const words = wordsIn(language);
  const written = report
    ? await writeReportFile(
        {
          title: report.title ?? words(say('terminal.title-completeness')),
          language: report.language,
          scope: result.method.scope,
          documents: completenessDocuments(result),
          parts: [
            completenessPart(result, {
              id: 'completeness',
              language: report.language,
              notAssessed: asNotAssessed(notAssessed, language),
            }),
          ],
        },
        { format: report.format, failOn, out, outputFile: values.output },
      )
    : await writeOutput(
        { out, outputFile: values.output },
        format === 'json'
          ? { json: { ...result, notAssessed } }
          : { print: (target) => printCompleteness(target, result, { notAssessed, words }) },
      );
  const { severities } = result.counts;
  if (written !== undefined) {
    const counts = SEVERITIES.map((severity) => `${severities[severity]} ${severity}`).join(', ');
    progress.note(`Wrote ${written}: ${counts}.`);
  }
  const isReached = failOn !== undefined && hasAtLeast(severities, failOn);
  return exitCodeOf({ unread, isReached }, values['allow-unread'], error);
}

async function templateOf(file: string): Promise<DocumentType> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch {
    throw new CommandError(`There is no file "${file}".`, 'Check the path of the template.');
  }
  return readTemplate(bytes, basename(file), (content, fileName) =>
    readDocumentSafely(content, { fileName }),
  );
}

async function typeOf(id: string, templates: readonly DocumentType[]): Promise<string> {
  const known = [...templates.map((template) => template.id), ...(await listDocumentTypeIds())];
  if (!known.includes(id)) {
    throw new CommandError(`There is no document type "${id}".`, `Types: ${known.join(', ')}.`);
  }
  return id;
}
