import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { z } from 'zod';
import { isStorable } from '../../platform/http/storable-text.js';
import { isNewer, productVersion } from '../../platform/product-version.js';
import { ARCHIVE_FORMAT, ArchiveManifest, MANIFEST } from './manifest.js';

/** Why an archive is not taken, for the person who sent it. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/** An archive whose directory and manifest have been checked; entries are unpacked one at a time. */
export interface Archive {
  readonly manifest: ArchiveManifest;
  /** Bytes of a file as they are unpacked. Throws at the end when the file is not that of the manifest. */
  chunks(path: string): AsyncIterable<Buffer>;
  has(path: string): boolean;
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

const MAX_ENTRIES = 50_000;
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
const MAX_TABLE_BYTES = 256 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
/** Deeper than any row, and far from what a parser minds. */
const MAX_DEPTH = 40;
/** Below it no ratio can hurt. Rows compress some twenty times; documents are packed already. */
const RATIO_LOOKED_AT_FROM = 16 * 1024 * 1024;
const MAX_RATIO = 100;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
/** Every name that an archive may have. What lies in `log` and `reports` is there to be read by people: it is not opened. */
const PATH =
  /^(manifest\.json|(tables|log)\/[a-z_]{1,60}\.jsonl|objects\/[0-9a-f]{64}|reports\/[0-9a-f-]{36}\.[a-z]{3,5})$/;
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
      chunks: (name) => checked(zip, entries.get(name), files.get(name)),
      has: (name) => files.has(name),
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
  let totalPacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry;
      if (!PATH.test(name))
        throw new ArchiveRefused('The archive has a file with a name that no archive has.');
      if (entries.has(name)) throw new ArchiveRefused(`The archive has ${name} twice.`);
      if (entry.isEncrypted()) throw new ArchiveRefused('The archive is encrypted.');
      const kind = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
      if (kind !== 0 && kind !== REGULAR)
        throw new ArchiveRefused(`${name} is a link or a device, not a file.`);
      if (name.startsWith('tables/') && size > MAX_TABLE_BYTES) {
        throw new ArchiveRefused(
          `${name} is larger than the ${MAX_TABLE_BYTES} bytes that a table may have.`,
        );
      }
      total += size;
      totalPacked += packed;
      if (isBomb(size, packed) || isBomb(total, totalPacked) || total > limits.totalBytes) {
        throw new ArchiveRefused(
          `Unpacked, the archive would be larger than ${limits.totalBytes} bytes, or is a bomb: ${name}.`,
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

const isBomb = (size: number, packed: number): boolean =>
  size > RATIO_LOOKED_AT_FROM && size > packed * MAX_RATIO;

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<ArchiveManifest> {
  const entry = entries.get(MANIFEST);
  if (!entry || entry.uncompressedSize > MAX_MANIFEST_BYTES) throw new ArchiveRefused(DAMAGED);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  } catch {
    throw new ArchiveRefused(DAMAGED);
  }
  const content = parseJson(Buffer.concat(chunks).toString('utf8'), MANIFEST);
  const { format, version } = (content ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (typeof format === 'number' && format < ARCHIVE_FORMAT) {
    throw new ArchiveRefused(
      `The archive has format ${format}, this version reads format ${ARCHIVE_FORMAT}. Older ones also carried what a ` +
        'machine had computed, and none of that is taken any more. Upgrade the installation that it comes from, and ' +
        'export the workspace again.',
    );
  }
  if (Number(format) > ARCHIVE_FORMAT || isNewer(String(version), productVersion())) {
    throw new ArchiveRefused(
      `The archive was made by version ${String(version).slice(0, 40)}, this is ${productVersion()}. Import it with that version or a newer one.`,
    );
  }
  const manifest = ArchiveManifest.safeParse(content);
  if (!manifest.success) {
    throw new ArchiveRefused(
      `The manifest of the archive is not one of this version: ${describeIssue(manifest.error)}`,
    );
  }
  return manifest.data;
}

/** The first thing that is wrong, with its place; never a value. */
export function describeIssue({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String).join('.').slice(0, 200);
  return `${path === undefined || path === '' ? 'the whole' : path}: ${issue?.message.slice(0, 300) ?? 'not valid'}`;
}

/** JSON of bounded depth without text that cannot be stored. Throws `ArchiveRefused`. */
export function parseJson(json: string, where: string): unknown {
  if (depthOf(json) > MAX_DEPTH)
    throw new ArchiveRefused(`${where} is nested deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(json, (key, one: unknown) => {
      if (!isStorable(key) || (typeof one === 'string' && !isStorable(one))) throw new Unstorable();
      return one;
    });
  } catch (error) {
    if (error instanceof Unstorable) {
      throw new ArchiveRefused(`${where} has a zero byte or half of a character in a text.`);
    }
    throw new ArchiveRefused(`${where} is not JSON.`);
  }
  return value;
}

class Unstorable extends Error {}

/** Brackets that are open at once, outside of strings: measured before a parser sees them. */
function depthOf(json: string): number {
  let [depth, deepest, inText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
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
