import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { isNewer, productVersion } from '../../platform/product-version.js';
import { ARCHIVE_FORMAT, ArchiveManifest, MANIFEST } from './manifest.js';

/** Why an archive is not taken, for the person who sent it. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/** An archive whose directory and manifest have been checked; entries are unpacked one at a time. */
export interface Archive {
  readonly manifest: ArchiveManifest;
  /** Bytes of a file, after its size and SHA-256 were compared with the manifest. */
  bytes(path: string): Promise<Buffer>;
  /** Each line of a file. Throws at the end when the file is not that of the manifest. */
  lines(path: string): AsyncIterable<string>;
  close(): void;
}

export interface ArchiveLimits {
  /** Bytes of all files together, unpacked. */
  readonly totalBytes: number;
  /** Bytes of one document. */
  readonly fileBytes: number;
}

const MAX_ENTRIES = 200_000;
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;
/** Below it no ratio can hurt. */
const RATIO_LOOKED_AT_FROM = 16 * 1024 * 1024;
const MAX_RATIO = 200;
/** Every name that an archive may have. */
const PATH =
  /^(manifest\.json|tables\/[a-z_]{1,60}\.jsonl|log\/[a-z_]{1,60}\.jsonl|objects\/(work-products|standards|reports)(\/[a-z0-9][a-z0-9._-]{0,99}){1,6})$/;
const DAMAGED = 'The archive is damaged or no archive of Normtrace.';

/**
 * Opens an archive on disk. Nothing is unpacked before number, names, declared sizes and ratios of its entries, and its
 * manifest, have been checked. Throws `ArchiveRefused`.
 */
export async function openArchive(path: string, limits: ArchiveLimits): Promise<Archive> {
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
    validateEntrySizes: true,
  }).catch(() => {
    throw new ArchiveRefused(DAMAGED);
  });
  try {
    const entries = await readDirectory(zip, limits);
    const manifest = await readManifest(zip, entries);
    compareNames(entries, manifest, limits);
    const files = new Map(manifest.files.map((file) => [file.path, file]));
    return {
      manifest,
      async bytes(name) {
        const chunks: Buffer[] = [];
        for await (const chunk of checked(zip, entries.get(name), files.get(name))) chunks.push(chunk);
        return Buffer.concat(chunks);
      },
      lines: (name) => linesOf(checked(zip, entries.get(name), files.get(name))),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readDirectory(zip: ZipFile, limits: ArchiveLimits): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw new ArchiveRefused(`The archive has more than ${MAX_ENTRIES} files.`);
  const entries = new Map<string, Entry>();
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry;
      if (!PATH.test(name))
        throw new ArchiveRefused('The archive has a file with a name that no archive has.');
      if (entries.has(name)) throw new ArchiveRefused(`The archive has ${name} twice.`);
      if (entry.isEncrypted()) throw new ArchiveRefused('The archive is encrypted.');
      total += size;
      const isBomb = size > RATIO_LOOKED_AT_FROM && size > packed * MAX_RATIO;
      if (isBomb || total > limits.totalBytes) {
        throw new ArchiveRefused(
          `Unpacked, the archive would be larger than ${limits.totalBytes} bytes, or is a bomb.`,
        );
      }
      entries.set(name, entry);
    }
  } catch (error) {
    // The reader refuses names that lead out of the archive, and directories that contradict themselves.
    throw error instanceof ArchiveRefused ? error : new ArchiveRefused(DAMAGED);
  }
  return entries;
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<ArchiveManifest> {
  const entry = entries.get(MANIFEST);
  if (!entry || entry.uncompressedSize > MAX_MANIFEST_BYTES) throw new ArchiveRefused(DAMAGED);
  let content: unknown;
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    content = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new ArchiveRefused(DAMAGED);
  }
  const { format, version } = (content ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (Number(format) > ARCHIVE_FORMAT || isNewer(String(version), productVersion())) {
    throw new ArchiveRefused(
      `The archive was made by version ${String(version).slice(0, 40)}, this is ${productVersion()}. Import it with that version or a newer one.`,
    );
  }
  const manifest = ArchiveManifest.safeParse(content);
  if (!manifest.success) throw new ArchiveRefused('The manifest of the archive is not one of this version.');
  return manifest.data;
}

/** The manifest names every file of the archive, and nothing else. */
function compareNames(
  entries: ReadonlyMap<string, Entry>,
  { files }: ArchiveManifest,
  { fileBytes }: ArchiveLimits,
): void {
  const named = new Set(files.map(({ path }) => path));
  if (named.size !== files.length || named.has(MANIFEST) || named.size !== entries.size - 1) {
    throw new ArchiveRefused('The manifest and the files of the archive do not agree.');
  }
  for (const { path, size } of files) {
    if (entries.get(path)?.uncompressedSize !== size) {
      throw new ArchiveRefused(`The manifest and the files of the archive do not agree: ${path}.`);
    }
    if (path.startsWith('objects/') && size > fileBytes) {
      throw new ArchiveRefused(`${path} is larger than the ${fileBytes} bytes that a file may have here.`);
    }
  }
}

async function* checked(
  zip: ZipFile,
  entry: Entry | undefined,
  file: ArchiveManifest['files'][number] | undefined,
): AsyncGenerator<Buffer> {
  if (!entry || !file) throw new ArchiveRefused('A file is missing in the archive.');
  const hash = createHash('sha256');
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof ArchiveRefused ? error : new ArchiveRefused(DAMAGED);
  }
  if (hash.digest('hex') !== file.sha256) {
    throw new ArchiveRefused(`${file.path} is not what the manifest says: the archive was changed.`);
  }
}

/** Lines without an end that never comes: one that is too long is refused while it arrives. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new ArchiveRefused(DAMAGED);
    }
  };
  for await (const chunk of chunks) {
    const parts = (rest + decode(chunk)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw new ArchiveRefused('A row of the archive is too long.');
    yield* parts;
  }
  if (rest + decode() !== '') throw new ArchiveRefused(DAMAGED);
}
