import { DEFAULT_LIMITS, DocumentError, type DocumentFormat, openArchive } from '@normtrace/engine';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';

/** Each file becomes a work product, in a list that people read. */
const MOST_FILES = 2_000;

export interface UnpackArchiveInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The most that one file of it may have. */
  readonly maxFileBytes: number;
  /** Positions of files that are not needed again. */
  readonly settled: readonly number[];
}

/** A file of an archive, as the task hands it out. */
export interface UnpackedFile {
  readonly position: number;
  readonly path: string;
  /** How many files the archive has. */
  readonly total: number;
  readonly content:
    | { readonly bytes: Uint8Array; readonly format: DocumentFormat }
    | { readonly refused: { readonly code: string; readonly text: string } };
}

/** To take a file; the answer says whether to go on. */
export const takeFile: EngineQuestion<UnpackedFile, boolean> = { kind: 'take a file' };

export interface UnpackArchiveOutput {
  readonly isArchive: boolean;
}

/** Opens an archive and hands its files out one after the other, each when the one before has been taken. */
export const unpackArchiveTask: EngineTask<UnpackArchiveInput, UnpackArchiveOutput> = {
  name: 'unpackArchive',
  processorSeconds: 300,
  work: async ({ bytes, fileName, maxFileBytes, settled }, context) => {
    const maxBytes = Math.min(maxFileBytes, DEFAULT_LIMITS.maxBytes);
    const archive = await openArchive(bytes, fileName, { ...DEFAULT_LIMITS, maxBytes });
    if (!archive) return { result: { isArchive: false } };
    try {
      if (archive.files.length > MOST_FILES) {
        throw new DocumentError(
          'too_large',
          `The archive has ${archive.files.length} files; ${MOST_FILES} are allowed.`,
          'Split it into smaller ones and upload those.',
        );
      }
      const before = new Set(settled);
      for (const file of archive.files) {
        if (before.has(file.position)) continue;
        context.signal.throwIfAborted();
        const content = await archive.unpack(file).then(
          ({ content: bytes, format }) => ({ bytes, format }),
          (error: unknown) => {
            if (!(error instanceof DocumentError)) throw error;
            return { refused: { code: error.code, text: `${error.message} ${error.hint}` } };
          },
        );
        const { position, path } = file;
        const unpacked: UnpackedFile = { position, path, total: archive.files.length, content };
        if (!(await ask(context, takeFile, unpacked))) break;
      }
    } finally {
      archive.close();
    }
    return { result: { isArchive: true } };
  },
};
