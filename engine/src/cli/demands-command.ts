import { parseArgs } from 'node:util';
import { proposeDemands } from '../advice/propose-demands.js';
import type { Document } from '../documents/document.js';
import { askingWith, modelStatement } from '../models/asking.js';
import { csvCell } from '../reports/formats/csv.js';
import type { Streams } from './analyse-command.js';
import { CommandError } from './command-error.js';
import { MODEL_OPTIONS, modelOf, printEstimate } from './model-options.js';
import { writeOutput } from './options.js';
import { createProgress } from './progress.js';
import { readFiles, withReader } from './read-files.js';
import { DEMANDS_USAGE } from './usage.js';

/** Where a file has no pages, one ends at the block after so many characters. */
const PAGE_LENGTH = 3000;

/**
 * `normtrace demands`: a draft table of what a standard demands, for one in which rules find no demands. Every text is a sentence of
 * the file; the model only says which. A person corrects the table, and that is the standard then. Resolves to 0, or 1 where no
 * demand was found. Throws `CommandError` for what a person can correct.
 */
export async function demandsCommand(args: readonly string[], { out, error }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...MODEL_OPTIONS,
      output: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    out.write(DEMANDS_USAGE);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new CommandError(
      'One file was not given.',
      'For example: normtrace demands standard.pdf --judge ai …',
    );
  const model = await modelOf(values);
  if (!model)
    throw new CommandError(
      'Demands are drafted by a language model.',
      'Add --judge ai, --base-url and --model. Rules read a standard without one: normtrace analyse docs --standard <file>.',
    );
  if (!values['send-standard'])
    throw new CommandError(
      'Every sentence of the file would be sent to the model.',
      'Add --send-standard if the licence of the file allows it.',
    );

  const progress = createProgress(error);
  const { documents, notAssessed } = await withReader((reader) => readFiles([file], progress, { reader }));
  const [given] = documents;
  if (!given || documents.length > 1)
    throw new CommandError(
      notAssessed[0]?.reason ?? 'One file is drafted at a time.',
      notAssessed[0]?.hint ?? 'Give one file.',
    );
  const pages = pagesOf(given.document);
  const asking = askingWith(model.use);
  const answers = await proposeDemands(
    pages.map(({ text }) => text),
    { asking },
  );
  progress.end();
  if (model.estimate) {
    printEstimate(out, await model.estimate(), model);
    return 0;
  }

  const lines = pages.flatMap(({ page, text }, at) => {
    const found = answers[at]!;
    if ('failed' in found) return [];
    return found.map(({ sentences, clause }) => ({
      clause,
      text: sentences.map(({ start, end }) => text.slice(start, end)).join(' '),
      page,
    }));
  });
  const used = new Map<string, number>();
  const rows = lines.map(({ clause, text, page }, at) => {
    const id = clause || `D-${at + 1}`;
    const times = (used.get(id) ?? 0) + 1;
    used.set(id, times);
    return [times === 1 ? id : `${id}-${times}`, text, page ?? ''].map(csvCell).join(',');
  });
  const written = await writeOutput(
    { out, outputFile: values.output },
    { print: (target) => target.write(`${['ID,Text,Page', ...rows].join('\r\n')}\r\n`) },
  );
  const failed = answers.flatMap((one) => ('failed' in one ? [one.failed] : []));
  const { model: name, asked, answered } = modelStatement(asking, failed);
  progress.note(
    [
      `${written === undefined ? 'Drafted' : `Wrote ${written}:`} ${rows.length} demands by ${name}: ${answered} of ${asked} pages answered.`,
      'Check every line against the file before it is used with --standard: what the model left out is in no analysis.',
      ...(failed.length > 0
        ? [`${failed.length} pages are not in it: ${[...new Set(failed)].join(', ')}.`]
        : []),
    ].join('\n'),
  );
  return rows.length > 0 ? 0 : 1;
}

interface Page {
  readonly page?: number;
  readonly text: string;
}

/** Text by page, or in pieces of whole blocks. */
function pagesOf({ blocks }: Document): readonly Page[] {
  const pages: { page?: number; texts: string[]; length: number }[] = [];
  for (const { text, location } of blocks) {
    const page = 'page' in location && typeof location.page === 'number' ? location.page : undefined;
    const last = pages.at(-1);
    if (!last || last.page !== page || (page === undefined && last.length > PAGE_LENGTH))
      pages.push({ ...(page === undefined ? {} : { page }), texts: [text], length: text.length });
    else {
      last.texts.push(text);
      last.length += text.length;
    }
  }
  return pages.map(({ texts, length: _, ...rest }) => ({ ...rest, text: texts.join('\n') }));
}
