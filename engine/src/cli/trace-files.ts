import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { typeOfWhole } from '../corpus/detect-document-types.js';
import { takeApart } from '../corpus/passages/passages-of.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import type { ReadingNote } from '../documents/block.js';
import type { DocumentReader } from '../documents/document-reader.js';
import { type ReadStatements, readDocumentStatements } from '../facts/artifacts/extract-artifacts.js';
import type { SourceDocument } from '../facts/artifacts/statement.js';
import type { Progress } from './progress.js';
import {
  type Found,
  filesOf,
  type NotAssessed,
  orNotAssessed,
  type ReadFiles,
  readEach,
  readersFor,
  readFound,
  withReader,
} from './read-files.js';

/** What the trace takes from a file: not its blocks, which are many times as large. */
export interface TracedFile {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** `Document.text`. */
  readonly text: string;
  readonly notes: readonly ReadingNote[];
  readonly documentType?: string;
  readonly statements: ReadStatements;
}

/** A file, with its type where a person gave it. */
export interface FileToTrace extends Found {
  readonly documentType?: string;
}

/** From so many bytes on threads are worth their start. */
const BYTES_FOR_THREADS = 8_000_000;

/** As `readFiles`; many bytes are taken apart in threads, one for each core. Throws `CommandError`. */
export async function readForTrace(
  paths: readonly string[],
  progress: Progress,
  typeOf: (name: string) => string | undefined,
): Promise<ReadFiles<TracedFile>> {
  const given = await filesOf(paths);
  const withType = (file: Found): FileToTrace => {
    const documentType = typeOf(file.name);
    return { ...file, ...(documentType === undefined ? {} : { documentType }) };
  };
  if (given.bytes < BYTES_FOR_THREADS || readersFor(given) < 2) {
    return withReader((reader) =>
      readEach(given, progress, {
        readOne: (file) => orNotAssessed(file, () => traceFile(withType(file), reader)),
      }),
    );
  }
  const idle = Array.from({ length: readersFor(given) }, startThread);
  const all = [...idle];
  try {
    return await readEach(given, progress, {
      // As many at a time as there are threads.
      async readOne(file) {
        const thread = idle.pop()!;
        const read = await thread.trace(withType(file));
        idle.push(thread);
        return read;
      },
    });
  } finally {
    await Promise.all(all.map((thread) => thread.end()));
  }
}

/** Reads one file and what it says about ids. Throws `DocumentError`. */
export async function traceFile(file: FileToTrace, reader: DocumentReader): Promise<TracedFile> {
  const { name } = file;
  const { bytes, document } = await readFound(file, reader);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const source = await typed({ id: name, name, version: '1', sha256, document }, file.documentType);
  const { text, notes } = document;
  const { documentType } = source;
  return {
    ...{ id: name, name, version: '1', sha256, text, notes },
    ...(documentType === undefined ? {} : { documentType }),
    statements: readDocumentStatements(source),
  };
}

/** A document with its type: as given, else detected. */
export async function typed(
  { id, name, document }: AnalysedDocument,
  given: string | undefined,
): Promise<SourceDocument> {
  const read = takeApart(id, document);
  const types = [...(await loadDocumentTypes()).values()];
  const documentType = given ?? typeOfWhole({ fileName: name, read }, types);
  return { id, document, read, ...(documentType === undefined ? {} : { documentType }) };
}

/** What a thread answers; statements as JSON in UTF-8: objects would be copied one by one. */
export type ThreadAnswer =
  | { readonly file: Omit<TracedFile, 'statements'>; readonly statements: Uint8Array }
  | NotAssessed;

/** Old objects and young ones, in MiB: young ones are nearly all, and most are gone with their document. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32 };

function startThread() {
  const thread = new Worker(new URL('./trace-thread.js', import.meta.url), { resourceLimits: THREAD_MEMORY });
  return {
    trace: (file: FileToTrace) =>
      new Promise<TracedFile | NotAssessed>((resolve, reject) => {
        thread.once('error', reject);
        thread.once('message', (answer: ThreadAnswer) => {
          thread.off('error', reject);
          if ('reason' in answer) resolve(answer);
          else {
            const statements = JSON.parse(new TextDecoder().decode(answer.statements)) as ReadStatements;
            resolve({ ...answer.file, statements });
          }
        });
        thread.postMessage(file);
      }),
    end: () => thread.terminate(),
  };
}
