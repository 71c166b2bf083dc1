import type { Document } from './document.js';
import { DocumentError, fileTooLarge } from './document-error.js';
import type { DocumentReader } from './document-reader.js';
import { openArchive } from './open-archive.js';
import type { ReadOptions } from './read-draft.js';
import { DEFAULT_LIMITS, type ReadingLimits } from './reading-limits.js';

/** One file of an archive: what was read, or why it was not. */
export type ContainedDocument =
  | { readonly name: string; readonly document: Document }
  | { readonly name: string; readonly error: DocumentError };

export interface ReadArchiveOptions extends ReadOptions {
  /** Reads each file; `createDocumentReader` where the archive is not trusted. */
  readonly reader: Pick<DocumentReader, 'read'>;
  /** Wall-clock time for all files together; ten minutes where not given. */
  readonly maxMilliseconds?: number;
}

const DEFAULT_MILLISECONDS = 600_000;

/**
 * Reads the documents of a ZIP file one after the other, in the order of their names. The limits for text, blocks and
 * cells hold for all of them together; an archive in the archive is not opened. A file that cannot be read is given
 * back with its error and the others are read all the same. Throws `DocumentError` when it is no archive (`openArchive`),
 * or the reason of `signal`.
 */
export async function* readArchive(
  bytes: Uint8Array,
  options: ReadArchiveOptions,
): AsyncGenerator<ContainedDocument> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const archive = await openArchive(bytes, options.fileName, limits);
  if (!archive) {
    throw new DocumentError('unsupported_format', 'The file is not an archive.', 'Read it as a document.');
  }
  const deadline = performance.now() + (options.maxMilliseconds ?? DEFAULT_MILLISECONDS);
  try {
    let left = limits;
    for (const file of archive.files) {
      options.signal?.throwIfAborted();
      const name = file.path;
      try {
        const { content } = await archive.unpack(file);
        const document = await readWithin(content, name, { options, left, deadline });
        left = remaining(left, document);
        yield { name, document };
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        yield { name, error };
      }
      options.onProgress?.(file.position + 1, archive.files.length);
    }
  } finally {
    archive.close();
  }
}

async function readWithin(
  content: Uint8Array,
  fileName: string,
  { options, left, deadline }: { options: ReadArchiveOptions; left: ReadingLimits; deadline: number },
): Promise<Document> {
  const time = deadline - performance.now();
  if (time <= 0) {
    throw new DocumentError(
      'timed_out',
      'The files before this one took all the time that an archive may take.',
      'Split the archive into smaller ones and upload those.',
    );
  }
  if (left.maxBlocks <= 0 || left.maxCells <= 0 || left.maxCharacters <= 0) {
    throw fileTooLarge('The files before this one hold as much as a whole archive may hold.');
  }
  return options.reader.read(content, {
    fileName,
    limits: { ...left, maxMilliseconds: Math.min(left.maxMilliseconds, time) },
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

function remaining(limits: ReadingLimits, document: Document): ReadingLimits {
  let cells = 0;
  for (const block of document.blocks) cells += block.cells?.length ?? 0;
  return {
    ...limits,
    maxBlocks: limits.maxBlocks - document.blocks.length,
    maxCells: limits.maxCells - cells,
    maxCharacters: limits.maxCharacters - document.text.length,
  };
}
