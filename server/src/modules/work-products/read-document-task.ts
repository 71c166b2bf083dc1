import { createDocumentReader, readDocumentStatements, takeApart } from '@normtrace/engine';
import { packDocument } from '../documents/parsed-document.js';
import type { EngineTask } from '../engine/engine-task.js';
import { processesForReading } from '../engine/free-core.js';
import { detectCategory } from './detect-category.js';

export interface ReadDocumentInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** Which engine this is, see `engineIdentity`. */
  readonly engine: string;
}

export interface ReadDocumentOutput {
  /** See `packDocument`. */
  readonly packed: Uint8Array;
  /** Its pages and where their text stands (see `openPages`), in formats that have pages of their own. */
  readonly pages: Uint8Array | undefined;
  readonly format: string;
  readonly language: string;
  readonly pageCount: number | null;
  readonly blockCount: number;
  readonly detectedCategory: string | null;
  readonly notes: readonly { readonly code: string; readonly message: string }[];
}

const reader = createDocumentReader({ processes: processesForReading });

/** Reads a file, in a process with limits of its own. */
export const readDocumentTask: EngineTask<ReadDocumentInput, ReadDocumentOutput> = {
  name: 'readDocument',
  processorSeconds: 120,
  work: async ({ bytes, fileName, engine }, context) => {
    const { document, pages } = await reader.readWithPages(bytes, {
      fileName,
      signal: context.signal,
      onProgress: (done, total) => context.progress({ done, total }),
    });
    const read = takeApart('document', document);
    const detectedCategory = await detectCategory(read, fileName);
    // Kept for the trace: it is taken out of all documents together whenever one of them changes.
    const statements = readDocumentStatements({
      id: '',
      document,
      read,
      ...(detectedCategory === null ? {} : { documentType: detectedCategory }),
    });
    const packed = await packDocument(document, { engine, documentType: detectedCategory, statements });
    return {
      result: {
        packed,
        pages,
        format: document.format,
        language: document.language,
        pageCount: document.pageCount ?? null,
        blockCount: document.blocks.length,
        detectedCategory,
        notes: document.notes.map(({ code, message }) => ({ code, message })),
      },
    };
  },
};
