import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName, type ZipFile } from 'yauzl';
import { corruptFile, DocumentError, fileTooLarge } from '../document-error.js';
import type { ReadingLimits } from '../reading-limits.js';

/** A ZIP file whose directory has been checked; entries are unpacked one at a time and never to disk. */
export interface ZipArchive {
  /** Names as stored, `/` between folders. */
  readonly names: readonly string[];
  /** Chunks of one entry. Throws `DocumentError` when the entry is absent, damaged or larger than declared. */
  stream(name: string): AsyncIterable<Uint8Array>;
  /** A small entry in one piece. */
  bytes(name: string): Promise<Buffer>;
  close(): void;
}

/** Entries below this size cannot hurt, whatever their ratio: blank pictures compress a thousandfold. */
const RATIO_LOOKED_AT_FROM = 10 * 1024 * 1024;

/**
 * Opens a ZIP file from memory after checking number, declared sizes, ratio, names and encryption of its entries.
 * Nothing is unpacked, so a bomb is refused in milliseconds.
 */
export async function openZip(bytes: Uint8Array, limits: ReadingLimits): Promise<ZipArchive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, strictFileNames: true }).catch(refuse);
  const entries = await readDirectory(zip, limits);
  return {
    names: [...entries.keys()],
    stream: (name) => streamEntry(zip, entries.get(name), name),
    async bytes(name) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of streamEntry(zip, entries.get(name), name)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    close: () => zip.close(),
  };
}

/** One entry of a ZIP file that somebody packed by hand. */
export interface PackedFile {
  /** As stored, `/` between folders. */
  readonly name: string;
  /** Bytes after unpacking, as declared. */
  readonly size: number;
  /** Why it must not be unpacked. */
  readonly problem: DocumentError | undefined;
  /** As `ZipArchive.stream`. */
  stream(): AsyncIterable<Uint8Array>;
}

/**
 * As `openZip` for a ZIP file whose entries have nothing to do with each other: one that is encrypted, a bomb, or named
 * as if it lay elsewhere says so itself. Their sizes together are the caller's to watch.
 */
export async function listZip(
  bytes: Uint8Array,
  limits: ReadingLimits,
): Promise<{ readonly files: readonly PackedFile[]; close(): void }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false }).catch(refuse);
  refuseTooMany(zip, limits);
  const files: PackedFile[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const name = getFileNameLowLevel(
        entry.generalPurposeBitFlag,
        entry.fileNameRaw,
        entry.extraFields,
        false,
      );
      files.push({
        name,
        size: entry.uncompressedSize,
        problem: problemOf(entry, name, limits),
        stream: () => streamEntry(zip, entry, name),
      });
    }
  } catch (error) {
    throw zipError(error);
  }
  return { files, close: () => zip.close() };
}

/** Upper bits of the attributes that Unix writes: the kind of file. */
const KIND_OF_FILE = 0xf000;
const SYMBOLIC_LINK = 0xa000;

function problemOf(entry: Entry, name: string, limits: ReadingLimits): DocumentError | undefined {
  if (validateFileName(name) !== null) {
    return new DocumentError(
      'unsafe_content',
      'The name of the entry points outside the archive.',
      'Pack the file again from inside its folder.',
    );
  }
  if (((entry.externalFileAttributes >>> 16) & KIND_OF_FILE) === SYMBOLIC_LINK) {
    return new DocumentError(
      'unsafe_content',
      'The entry is a link to another file, not a file.',
      'Pack the file itself.',
    );
  }
  return entry.isEncrypted() ? encryptedFile() : bombIn(entry, limits);
}

function bombIn(entry: Entry, limits: ReadingLimits): DocumentError | undefined {
  const ratio = entry.uncompressedSize / Math.max(entry.compressedSize, 1);
  if (entry.uncompressedSize <= RATIO_LOOKED_AT_FROM || ratio <= limits.maxCompressionRatio) return undefined;
  return fileTooLarge(
    `A part of the file unpacks to ${Math.round(ratio)} times its size; ${limits.maxCompressionRatio} times is allowed.`,
  );
}

function refuseTooMany(zip: ZipFile, limits: ReadingLimits): void {
  if (zip.entryCount <= limits.maxEntries) return;
  throw fileTooLarge(`The archive has ${zip.entryCount} entries; ${limits.maxEntries} are allowed.`);
}

async function readDirectory(zip: ZipFile, limits: ReadingLimits): Promise<Map<string, Entry>> {
  refuseTooMany(zip, limits);
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw encryptedFile();
      if (entries.has(entry.fileName)) throw corruptFile('its archive lists the same entry twice');
      unpacked += entry.uncompressedSize;
      if (unpacked > limits.maxUnpackedBytes) {
        throw fileTooLarge(`The file unpacks to more than ${toMegabytes(limits.maxUnpackedBytes)} MB.`);
      }
      const bomb = bombIn(entry, limits);
      if (bomb) throw bomb;
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw zipError(error);
  }
  return entries;
}

async function* streamEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  name: string,
): AsyncGenerator<Uint8Array> {
  if (!entry) throw corruptFile(`its part ${name} is missing`);
  let stream: Readable | undefined;
  try {
    // yauzl ends the stream with an error as soon as more bytes come out than the directory declares.
    stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw zipError(error);
  } finally {
    stream?.destroy();
  }
}

export function encryptedFile(): DocumentError {
  return new DocumentError(
    'encrypted',
    'The file is protected by a password.',
    'Remove the password and upload the file again.',
  );
}

function refuse(error: unknown): never {
  throw zipError(error);
}

function zipError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DocumentError) return error;
  if (/invalid characters in fileName|absolute path|invalid relative path/.test(error.message)) {
    return new DocumentError(
      'unsafe_content',
      'The archive holds an entry whose name points outside the archive.',
      'No office program writes such files. Save the document again from its source.',
    );
  }
  if (/^too many bytes/.test(error.message)) {
    return fileTooLarge('A part of the file unpacks to more than its archive declares.');
  }
  return corruptFile('its archive cannot be unpacked');
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
