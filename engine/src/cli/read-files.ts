import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { DocumentError } from '../documents/document-error.js';
import { createDocumentReader, type DocumentReader } from '../documents/document-reader.js';
import { isReadableFile } from '../documents/readable-files.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { CommandError } from './command-error.js';
import { takeFirstProcess } from './first-process.js';
import type { Progress } from './progress.js';

/** A file that was given but is not part of the analysis. */
export interface NotAssessed {
  readonly name: string;
  readonly reason: string;
  readonly hint: string;
  /** Both in one sentence, for every language. */
  readonly said: Sentence;
}

const notAssessed = (
  name: string,
  { code, message, hint }: Pick<DocumentError, 'code' | 'message' | 'hint'>,
): NotAssessed => ({
  name,
  reason: message,
  hint,
  said: say(`reading.not-read.${code}`, { error: `${message} ${hint}` }),
});

export interface ReadFiles<Read = AnalysedDocument> {
  readonly documents: readonly Read[];
  readonly notAssessed: readonly NotAssessed[];
  /** Names of those that are of a readable kind and could not be read. */
  readonly unread: readonly string[];
}

const READ_KINDS =
  'Export it as PDF, Word, Excel, PowerPoint, OpenDocument, CSV, Markdown, reStructuredText, HTML, text, ReqIF, JSON or YAML.';
const DEEPEST_FOLDER = 12;

/** Documents that are read at the same time: at most one for each core. */
const READERS = availableParallelism();
/** A further process for each so many bytes: its start costs a third of a second of a core, a quarter of reading these. */
const BYTES_PER_READER = 4_000_000;
/** So many times as long as text takes a PDF of as many bytes. */
const PDF_WEIGHT = 4;

/** Runs with a pool of reading processes, at most one for each core; `program` where they make something of documents. */
export async function withReader<T>(work: (reader: DocumentReader) => Promise<T>, program?: URL): Promise<T> {
  const reader = createDocumentReader({
    concurrency: READERS,
    warm: takeFirstProcess(),
    ...(program ? { program } : {}),
  });
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

/**
 * Reads the documents of folders and files, each in a limited child process, as many at a time as there are cores and work; the
 * result is in the order of the files. Files that cannot be read are listed with a reason. Throws `CommandError` for a
 * path that does not exist and when no document could be read.
 */
export async function readFiles(
  paths: readonly string[],
  progress: Progress,
  {
    reader,
    signal,
    onRead,
  }: {
    readonly reader: DocumentReader;
    readonly signal?: AbortSignal;
    /** Called with each document while others are still being read. */
    readonly onRead?: (document: AnalysedDocument) => Promise<void>;
  },
): Promise<ReadFiles> {
  return readEach(await filesOf(paths), progress, {
    signal,
    readOne: (file) =>
      orNotAssessed(file, async () => {
        const { bytes, document } = await readFound(file, reader, signal);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const read = { id: file.name, name: file.name, version: '1', sha256, document };
        await onRead?.(read);
        return read;
      }),
  });
}

/** Files that were given, by path or in a folder. */
export interface GivenFiles {
  readonly paths: readonly string[];
  readonly readable: readonly Found[];
  readonly others: readonly Found[];
  /** Of the readable ones together. */
  readonly bytes: number;
  /** Bytes as reading them takes time, those of text once. */
  readonly weight: number;
}

/** Throws `CommandError` for a path that does not exist. */
export async function filesOf(paths: readonly string[]): Promise<GivenFiles> {
  const found = (await Promise.all(paths.map((path) => filesUnder(path)))).flat();
  const readable = found.filter((file) => isReadableFile(file.name));
  const sizes = await Promise.all(readable.map(async ({ path }) => (await stat(path)).size));
  const total = (of: (name: string) => number): number =>
    sizes.reduce((sum, size, at) => sum + size * of(readable[at]!.name), 0);
  return {
    paths,
    readable,
    others: found.filter((file) => !isReadableFile(file.name)),
    bytes: total(() => 1),
    weight: total((name) => (/\.pdf$/i.test(name) ? PDF_WEIGHT : 1)),
  };
}

/** As `readFiles`, for whatever `readOne` makes of a file. */
export async function readEach<Read extends { readonly name: string }>(
  given: GivenFiles,
  progress: Progress,
  how: { readOne(file: Found): Promise<Read | NotAssessed>; readonly signal?: AbortSignal | undefined },
): Promise<ReadFiles<Read>> {
  const results = await readAll(given, progress, how);
  const documents = results.flatMap((result) => (isNotAssessed(result) ? [] : [result]));
  if (documents.length === 0) {
    throw new CommandError(
      `No document could be read under ${given.paths.join(', ')}.`,
      'Give a folder or files with documents: PDF, Word, Excel, Markdown, ReqIF, CSV, text and others.',
    );
  }
  const failed = results.flatMap((result) => (isNotAssessed(result) ? [result] : []));
  const others = given.others.map(
    ({ name }): NotAssessed => ({
      name,
      reason: 'The kind of file is not read.',
      hint: READ_KINDS,
      said: say('reading.kind-not-read'),
    }),
  );
  return { documents, notAssessed: [...others, ...failed], unread: failed.map(({ name }) => name) };
}

export interface Found {
  readonly path: string;
  readonly name: string;
}

const isNotAssessed = (result: object): result is NotAssessed => 'reason' in result;

/** So many processes as the files are worth. */
export const readersFor = ({ readable, weight }: GivenFiles): number =>
  Math.min(READERS, readable.length, 1 + Math.floor(weight / BYTES_PER_READER));

/** Results in the order of the files, whichever is ready first. */
async function readAll<Read extends { readonly name: string }>(
  given: GivenFiles,
  progress: Progress,
  { readOne, signal }: Parameters<typeof readEach<Read>>[2],
): Promise<readonly (Read | NotAssessed)[]> {
  const files = given.readable;
  const results: (Read | NotAssessed)[] = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let at = next++; at < files.length; at = next++) {
      signal?.throwIfAborted();
      const file = files[at]!;
      progress.step(`Reading: ${file.name}`, done, files.length);
      const result = await readOne(file);
      results[at] = result;
      done++;
      if (isNotAssessed(result)) progress.note(`Not assessed: ${file.name}. ${result.reason} ${result.hint}`);
    }
  };
  await Promise.all(Array.from({ length: readersFor(given) }, work));
  return results;
}

/** Throws `DocumentError`. */
export async function readFound({ path }: Found, reader: DocumentReader, signal?: AbortSignal) {
  const bytes = await readFile(path);
  const document = await reader.read(bytes, { fileName: basename(path), ...(signal ? { signal } : {}) });
  return { bytes, document };
}

/** What is told of a file that could not be read. */
export async function orNotAssessed<Read>(
  { name }: Found,
  read: () => Promise<Read>,
): Promise<Read | NotAssessed> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return notAssessed(name, error);
  }
}

async function filesUnder(path: string): Promise<Found[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch {
    throw new CommandError(
      `There is no file or folder "${path}".`,
      'Check the path; quote names that have spaces.',
    );
  }
  if (!isFolder) return [{ path, name: basename(path) }];
  const files = await walk(path, 0);
  return files
    .map((file) => ({ path: file, name: relative(path, file).split(sep).join('/') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Hidden files, temporary files of office programs and links are left out. */
async function walk(folder: string, depth: number): Promise<string[]> {
  if (depth > DEEPEST_FOLDER) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter((entry) => !entry.name.startsWith('.') && !entry.name.startsWith('~$'))
      .map((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : walk(path, depth + 1);
        return entry.isFile() ? [path] : [];
      }),
  );
  return lists.flat();
}
