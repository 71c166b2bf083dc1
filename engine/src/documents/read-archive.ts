import { isArchive } from './detect-format.js';
import type { Document } from './document.js';
import { DocumentError, emptyFile, fileTooLarge } from './document-error.js';
import type { DocumentReader } from './document-reader.js';
import { openZip, type ZipArchive } from './files/zip-archive.js';
import type { ReadOptions } from './read-document.js';
import { DEFAULT_LIMITS, type ReadingLimits } from './reading-limits.js';

/** One file of an archive: what was read, or why it was not. */
export type ContainedDocument =
  | { readonly name: string; readonly document: Document }
  | { readonly name: string; readonly error: DocumentError };

export interface ReadArchiveOptions extends ReadOptions {
  /** Reads each file; `createDocumentReader` where the archive is not trusted. */
  readonly reader: Pick<DocumentReader, 'read'>;
  /** Wall-clock time for all files together; two minutes where not given. */
  readonly maxMilliseconds?: number;
}

const DEFAULT_MILLISECONDS = 120_000;
/** What operating systems put into archives beside the files. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

/**
 * Reads the documents of a ZIP file one after the other, in the order of their names. The limits for text, blocks and
 * cells hold for all of them together; an archive in the archive is not opened. A file that cannot be read is given
 * back with its error and the others are read all the same. Throws `DocumentError` when the archive itself is bad,
 * or the reason of `signal`.
 */
export async function* readArchive(
  bytes: Uint8Array,
  options: ReadArchiveOptions,
): AsyncGenerator<ContainedDocument> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const zip = await openZip(bytes, limits);
  const deadline = performance.now() + (options.maxMilliseconds ?? DEFAULT_MILLISECONDS);
  try {
    const names = zip.names.filter((name) => !name.endsWith('/') && !CLUTTER.test(name)).sort();
    if (names.length === 0) throw emptyFile();
    let left = limits;
    for (const [index, entry] of names.entries()) {
      options.signal?.throwIfAborted();
      const name = cleanName(entry);
      try {
        const content = await unpack(zip, entry, limits);
        if (await isArchive(content, name, limits)) throw nestedArchive();
        const document = await readWithin(content, name, { options, left, deadline });
        left = remaining(left, document);
        yield { name, document };
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        yield { name, error };
      }
      options.onProgress?.(index + 1, names.length);
    }
  } finally {
    zip.close();
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

async function unpack(zip: ZipArchive, entry: string, limits: ReadingLimits): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of zip.stream(entry)) {
    size += chunk.length;
    if (size > limits.maxBytes) {
      throw fileTooLarge(`The file is larger than ${Math.round(limits.maxBytes / 1024 / 1024)} MB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A path that can be shown and stored: no control characters, no empty or dot parts. */
function cleanName(entry: string): string {
  return entry
    .normalize('NFC')
    .replace(/\p{C}/gu, '')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function nestedArchive(): DocumentError {
  return new DocumentError(
    'unsupported_format',
    'The file is an archive inside an archive.',
    'Unpack it and upload the documents in it.',
  );
}
