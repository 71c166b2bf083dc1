import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { takeApartAhead } from '../corpus/corpus-of.js';
import type { DocumentReader } from '../documents/document-reader.js';
import type { GapAnalysis } from '../engines/gap-analysis/gap-analysis.js';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { hasAtLeast } from '../findings/severities.js';
import { gapAnalysisDocuments, gapAnalysisPart } from '../reports/parts/gap-analysis-part.js';
import { say } from '../sentences/sentence.js';
import { inLanguage } from '../sentences/worded.js';
import { findInCatalog } from '../standards/catalog.js';
import type { Standard } from '../standards/criterion.js';
import { standardIn } from '../standards/criterion-words.js';
import { loadStandard, UnknownStandardError } from '../standards/load-standard.js';
import { partOfStandard, UnknownClauseError } from '../standards/part-of-standard.js';
import { readStandardFile } from '../standards/uploaded/read-standard-file.js';
import { answersOf } from './answers.js';
import { CommandError } from './command-error.js';
import { exitCodeOf, RESULT_OPTIONS, resultOptions, SCOPE_OPTIONS, scopeOf } from './document-options.js';
import { EMBEDDING_OPTIONS, embeddingsOf } from './embedding-options.js';
import { MODEL_OPTIONS, modelOf, printEstimate } from './model-options.js';
import { writeOutput } from './options.js';
import { printAnalysis } from './print-analysis.js';
import { createProgress, type Progress } from './progress.js';
import { type NotAssessed, readFiles, withReader } from './read-files.js';
import type { Output } from './terminal.js';
import { ANALYSE_USAGE } from './usage.js';
import { type Words, wordsIn } from './words.js';
import { asNotAssessed, writeReportFile } from './write-report.js';

/** Where a command writes. */
export interface Streams {
  readonly out: Output;
  readonly error: Output;
}

const STAGES = {
  passages: 'Taking the documents apart',
  words: 'Searching for the words of the demands',
  retrieval: 'Ranking passages',
  judgement: 'Judging',
  opinions: 'Asking the model',
  findings: 'Writing the findings',
} as const;

/** `normtrace analyse`; resolves to the exit code 0 or 1. Throws `CommandError` for what a person can correct. */
export async function analyseCommand(args: readonly string[], { out, error }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      standard: { type: 'string' },
      clause: { type: 'string', multiple: true, default: [] },
      ...SCOPE_OPTIONS,
      ...EMBEDDING_OPTIONS,
      ...MODEL_OPTIONS,
      ...RESULT_OPTIONS,
    },
  });
  if (values.help) {
    out.write(ANALYSE_USAGE);
    return 0;
  }
  if (positionals.length === 0)
    throw new CommandError(
      'No folder or file was given.',
      `For example: normtrace analyse docs --standard iso-26262-3-2018`,
    );
  if (values.standard === undefined) {
    throw new CommandError(
      '--standard is missing.',
      '"normtrace standards" lists the ids; or give a file with your own copy.',
    );
  }
  const withEmbeddings = embeddingsOf(values);
  const { format, failOn, report, language } = resultOptions(values);
  const conditions = await answersOf(values.answer);
  const model = await modelOf(values);
  const progress = createProgress(error);
  const { standard, documents, notAssessed, unread } = await withReader((reader) =>
    readBoth({ name: values.standard!, clauses: values.clause, paths: positionals }, { progress, reader }),
  );
  const scope = scopeOf(values);
  const analysed = await withEmbeddings(progress, (embedding) =>
    analyseGaps({
      standard,
      documents,
      scope,
      options: { conditions, clauses: values.clause },
      ...(embedding ? { embedding } : {}),
      ...(model ? { model: model.use } : {}),
      onProgress: (event) => {
        if (event.type === 'progress')
          progress.step(STAGES[event.stage], event.done, Math.max(1, event.total));
        else progress.step(`Judging: ${event.unit.criterionId}`, event.done, event.total);
      },
    }),
  );
  progress.end();
  if (model?.estimate) {
    printEstimate(out, await model.estimate(), model);
    return 0;
  }
  const result = inLanguage(analysed, language);
  const shown = standardIn(standard, language);
  const about = { standard: shown, notAssessed, words: wordsIn(language), outputFile: values.output, out };
  const written = report
    ? await writeReportFile(
        {
          title:
            report.title ?? about.words(say('terminal.title-analysis', { standard: standard.designation })),
          language: report.language,
          scope,
          documents: gapAnalysisDocuments(result),
          parts: [
            gapAnalysisPart(result, {
              id: 'gap-analysis',
              standard: shown,
              notAssessed: asNotAssessed(notAssessed, language),
            }),
          ],
        },
        { format: report.format, failOn, ...about },
      )
    : await writeResult(result, { ...about, format: format === 'json' ? 'json' : 'table' });
  if (written !== undefined) {
    const { critical, high, medium, low } = result.counts.severities;
    progress.note(`Wrote ${written}: ${critical} critical, ${high} high, ${medium} medium, ${low} low.`);
  }
  const isReached = failOn !== undefined && hasAtLeast(result.counts.severities, failOn);
  return exitCodeOf({ unread, isReached }, values['allow-unread'], error);
}

/**
 * Reads the standard and the documents: beside each other where the standard is a file, which takes its time too. What is
 * wrong with the standard or its clauses ends the reading of hundreds of documents.
 */
async function readBoth(
  { name, clauses, paths }: { name: string; clauses: readonly string[]; paths: readonly string[] },
  { progress, reader }: { readonly progress: Progress; readonly reader: DocumentReader },
) {
  const ready = standardOf(name, reader).then((standard) => narrowed(standard, clauses));
  if (!STANDARD_FILE.test(name)) await ready;
  const stop = new AbortController();
  const read = readFiles(paths, progress, { reader, signal: stop.signal, onRead: takeApartAhead });
  read.catch(() => undefined);
  try {
    const standard = await ready;
    return { standard, ...(await read) };
  } catch (error) {
    stop.abort(error);
    throw error;
  }
}

async function writeResult(
  result: GapAnalysis,
  options: {
    readonly standard: Standard;
    readonly notAssessed: readonly NotAssessed[];
    readonly words: Words;
    readonly format: 'table' | 'json';
    readonly outputFile: string | undefined;
    readonly out: Output;
  },
): Promise<string | undefined> {
  const { standard, notAssessed, words, format, outputFile, out } = options;
  return writeOutput(
    { out, outputFile },
    format === 'json'
      ? { json: { ...result, notAssessed } }
      : { print: (target) => printAnalysis(target, result, { standard, notAssessed, words }) },
  );
}

const STANDARD_FILE = /\.(?:ya?ml|json|xlsx|csv|pdf|docx|md|markdown|html?|txt)$/i;

/** A standard of the catalog, or one taken from a file. */
export async function standardOf(idOrFile: string, reader: DocumentReader): Promise<Standard> {
  if (STANDARD_FILE.test(idOrFile)) {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(idOrFile);
    } catch {
      throw new CommandError(`There is no file "${idOrFile}".`, 'Check the path of the standard.');
    }
    return readStandardFile(bytes, basename(idOrFile), {
      id: basename(idOrFile).replace(/\.[^.]*$/, ''),
      readDocument: (content, fileName) => reader.read(content, { fileName }),
    });
  }
  try {
    return await loadStandard(idOrFile);
  } catch (error) {
    if (!(error instanceof UnknownStandardError)) throw error;
    const near = (await findInCatalog(idOrFile))
      .filter((entry) => entry.builtinStructure !== 'none')
      .slice(0, 3);
    const hint =
      near.length > 0
        ? `Did you mean ${near.map((entry) => entry.id).join(', ')}?`
        : '"normtrace standards" lists the ids.';
    throw new CommandError(error.message, hint);
  }
}

/** Checks the scope before hundreds of documents are read. */
function narrowed(standard: Standard, clauses: readonly string[]): Standard {
  try {
    return partOfStandard(standard, clauses);
  } catch (error) {
    if (!(error instanceof UnknownClauseError)) throw error;
    throw new CommandError(error.message, 'Correct --clause, or leave it out for the whole standard.');
  }
}
