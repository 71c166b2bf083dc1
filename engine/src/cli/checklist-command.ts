import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { listChecklistIds, loadChecklist } from '../checklists/load-checklists.js';
import { readChecklistFile } from '../checklists/own/read-checklist-file.js';
import { readDocumentSafely } from '../documents/document-reader.js';
import type { Checklist } from '../engines/checklist/checklist.js';
import type { ChecklistAnalysis } from '../engines/checklist/checklist-analysis.js';
import { checkChecklist } from '../engines/checklist/run.js';
import { SEVERITIES } from '../findings/finding.js';
import { countSeverities, hasAtLeast } from '../findings/severities.js';
import { checklistPart } from '../reports/parts/checklist-part.js';
import { statedDocuments } from '../reports/parts/gap-analysis-part.js';
import { inLanguage } from '../sentences/worded.js';
import type { Streams } from './analyse-command.js';
import { answersOf } from './answers.js';
import { CommandError } from './command-error.js';
import { exitCodeOf, RESULT_OPTIONS, resultOptions, SCOPE_OPTIONS, scopeOf } from './document-options.js';
import { MODEL_OPTIONS, modelOf, printEstimate } from './model-options.js';
import { writeOutput } from './options.js';
import { printChecklists } from './print-checklist.js';
import { createProgress } from './progress.js';
import { readFiles, withReader } from './read-files.js';
import { CHECKLIST_USAGE } from './usage.js';
import { wordsIn } from './words.js';
import { asNotAssessed, writeReportFile } from './write-report.js';

const STAGES = {
  passages: 'Taking the documents apart',
  artifacts: 'Taking out artifacts and links',
  words: 'Looking for words',
  items: 'Answering',
  opinions: 'Asking the model',
} as const;

/** `normtrace checklist`; resolves to the exit code 0 or 1. Throws `CommandError` for what a person can correct. */
export async function checklistCommand(args: readonly string[], { out, error }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      checklist: { type: 'string', multiple: true, default: [] },
      ...SCOPE_OPTIONS,
      ...MODEL_OPTIONS,
      ...RESULT_OPTIONS,
      format: { type: 'string', default: 'text' },
    },
  });
  if (values.help) {
    out.write(CHECKLIST_USAGE);
    return 0;
  }
  if (positionals.length === 0) {
    throw new CommandError(
      'No folder or file was given.',
      'For example: normtrace checklist docs --checklist ASP-SWE1',
    );
  }
  if (values.checklist.length === 0) {
    throw new CommandError(
      '--checklist is missing.',
      '"normtrace checklists" lists the ids; or give a YAML, CSV or XLSX file with a checklist of your own.',
    );
  }
  const { format, failOn, report, language } = resultOptions(values, ['text']);
  const conditions = await answersOf(values.answer);
  const checklists = await Promise.all(values.checklist.map(checklistOf));
  const model = await modelOf(values);

  const progress = createProgress(error);
  const { documents, notAssessed, unread } = await withReader((reader) =>
    readFiles(positionals, progress, { reader }),
  );
  const results: ChecklistAnalysis[] = [];
  for (const checklist of checklists) {
    results.push(
      inLanguage(
        await checkChecklist({
          checklist,
          documents,
          scope: scopeOf(values),
          options: { conditions, today: new Date().toISOString().slice(0, 10) },
          ...(model ? { model: model.use } : {}),
          onProgress: (event) => {
            if (event.type === 'progress') {
              progress.step(STAGES[event.stage], event.done, Math.max(1, event.total));
            } else progress.step(`Answering: ${event.unit.itemId}`, event.done, event.total);
          },
        }),
        language,
      ),
    );
  }
  progress.end();
  if (model?.estimate) {
    printEstimate(out, await model.estimate(), model);
    return 0;
  }
  const written = report
    ? await writeReportFile(
        {
          title: report.title ?? checklists.map(({ id }) => id).join(', '),
          language: report.language,
          scope: results[0]!.method.scope,
          documents: statedDocuments(results[0]!.method.documents),
          parts: results.map((result, at) =>
            checklistPart(result, {
              id: `checklist-${at + 1}`,
              checklist: checklists[at]!,
              language: report.language,
              notAssessed: at === 0 ? asNotAssessed(notAssessed, language) : [],
            }),
          ),
        },
        { format: report.format, failOn, out, outputFile: values.output },
      )
    : await writeOutput(
        { out, outputFile: values.output },
        format === 'json'
          ? { json: { checklists: results, notAssessed } }
          : {
              print: (target) =>
                printChecklists(target, { checklists, results, notAssessed }, wordsIn(language)),
            },
      );
  // What a person still has to confirm fails nothing.
  const severe = countSeverities(
    results.flatMap(({ items }) => items).filter(({ needsConfirmation }) => !needsConfirmation),
  );
  if (written !== undefined) {
    const counts = SEVERITIES.map((severity) => `${severe[severity]} ${severity}`).join(', ');
    progress.note(`Wrote ${written}: ${counts}.`);
  }
  const isReached = failOn !== undefined && hasAtLeast(severe, failOn);
  return exitCodeOf({ unread, isReached }, values['allow-unread'], error);
}

/** A checklist that comes with the engine, or one from a file. */
export async function checklistOf(idOrFile: string): Promise<Checklist> {
  if (/\.(?:ya?ml|csv|xlsx|ods)$/i.test(idOrFile)) {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(idOrFile);
    } catch {
      throw new CommandError(`There is no file "${idOrFile}".`, 'Check the path of the checklist.');
    }
    const { checklist } = await readChecklistFile(bytes, basename(idOrFile), {
      readDocument: (content, fileName) => readDocumentSafely(content, { fileName }),
    });
    return checklist;
  }
  const ids = await listChecklistIds();
  const id = ids.find((one) => one.toLowerCase() === idOrFile.toLowerCase());
  if (id === undefined) {
    throw new CommandError(`There is no checklist "${idOrFile}".`, `Checklists: ${ids.join(', ')}.`);
  }
  return loadChecklist(id);
}
