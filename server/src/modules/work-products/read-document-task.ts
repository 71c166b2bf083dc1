import { createDocumentReader } from '@normtrace/engine';
import { packDocument } from '../documents/parsed-document.js';
import type { EngineTask } from '../engine/engine-task.js';
import { detectCategory } from './detect-category.js';

export interface ReadDocumentInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
}

export interface ReadDocumentOutput {
  /** See `packDocument`. */
  readonly packed: Uint8Array;
  readonly format: string;
  readonly language: string;
  readonly pageCount: number | null;
  readonly blockCount: number;
  readonly detectedCategory: string | null;
  readonly notes: readonly { readonly code: string; readonly message: string }[];
}

const reader = createDocumentReader();

/** Reads a file, in a process with limits of its own. */
export const readDocumentTask: EngineTask<ReadDocumentInput, ReadDocumentOutput> = {
  name: 'readDocument',
  processorSeconds: 120,
  work: async ({ bytes, fileName }, context) => {
    const document = await reader.read(bytes, {
      fileName,
      signal: context.signal,
      onProgress: (done, total) => context.progress({ done, total }),
    });
    const packed = await packDocument(document);
    return {
      result: {
        packed,
        format: document.format,
        language: document.language,
        pageCount: document.pageCount ?? null,
        blockCount: document.blocks.length,
        detectedCategory: await detectCategory(document, fileName),
        notes: document.notes.map(({ code, message }) => ({ code, message })),
      },
    };
  },
};
