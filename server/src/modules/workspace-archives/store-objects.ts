import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { STAGED_FILE } from '../../platform/staging/staging.js';
import type { Objects } from '../../platform/storage/storage.js';
import { contradiction, HEAD_BYTES } from '../uploads/content-type.js';
import { type Archive, ArchiveRefused } from './read-archive.js';
import type { NamedFile } from './survey-archive.js';

const FOLDER = 'objects/';

/**
 * Writes the files of an archive below the workspace that it will be. Each is what a row says: size, SHA-256 and first
 * bytes are compared; what no row names is refused, and so is a row whose file is not there. Throws `ArchiveRefused`.
 */
export async function storeObjects(
  objects: Objects,
  archive: Archive,
  {
    files,
    workspaceId,
    folder,
    signal,
  }: {
    readonly files: readonly NamedFile[];
    readonly workspaceId: string;
    /** Where files lie while they are looked at. */
    readonly folder: string;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const uses = new Map<string, NamedFile[]>();
  for (const file of files) uses.set(file.sha256, [...(uses.get(file.sha256) ?? []), file]);
  for (const { path, sha256 } of archive.manifest.files) {
    if (!path.startsWith(FOLDER)) continue;
    if (path !== FOLDER + sha256) throw new ArchiveRefused(`${path} is not named after its SHA-256.`);
    if (!uses.has(sha256)) throw new ArchiveRefused(`No row of the archive names ${path}.`);
  }
  for (const [sha256, named] of uses) {
    signal.throwIfAborted();
    const path = FOLDER + sha256;
    const where = named[0]?.where ?? '';
    if (!archive.has(path)) {
      throw new ArchiveRefused(`${where}, column sha256: the archive has no file with this content.`);
    }
    const staged = join(folder, sha256);
    const { size, head } = await stage(archive.chunks(path), staged);
    for (const one of named) {
      if (one.size !== size) {
        throw new ArchiveRefused(`${one.where}, column file_size: the file has ${size} bytes.`);
      }
      const problem =
        one.isZip && !head.subarray(0, 2).equals(Buffer.from('PK'))
          ? 'It is no ZIP file.'
          : contradiction(head, one.type);
      if (problem) throw new ArchiveRefused(`${one.where}, column file_type: ${problem}`);
      await objects.writeFile(`${workspaceId}/${one.key}`, staged, 'application/octet-stream');
    }
    await rm(staged);
  }
}

async function stage(chunks: AsyncIterable<Buffer>, path: string) {
  const first: Buffer[] = [];
  let size = 0;
  await pipeline(
    chunks,
    async function* (incoming: AsyncIterable<Buffer>) {
      for await (const chunk of incoming) {
        if (size < HEAD_BYTES) first.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - size)));
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { mode: STAGED_FILE }),
  );
  return { size, head: Buffer.concat(first) };
}
