import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** Name of the manifest in a backup; it comes first. */
export const MANIFEST = 'manifest.json';
/** Raised when a backup cannot be read by the code of before. */
export const BACKUP_FORMAT = 1;

export const BackupFile = z.strictObject({
  path: z.string(),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupFile = z.output<typeof BackupFile>;

/** What a backup holds: everything that is needed to say whether it is whole, and whether this version can use it. */
export const BackupManifest = z.strictObject({
  format: z.int(),
  product: z.literal('normtrace'),
  version: z.string(),
  /** Major version of PostgreSQL, and the platform that wrote its files. */
  postgresql: z.strictObject({ version: z.string(), platform: z.string() }),
  created_at: z.iso.datetime(),
  /** Empty folders, which PostgreSQL needs too. */
  folders: z.array(z.string()),
  files: z.array(BackupFile),
});
export type BackupManifest = z.output<typeof BackupManifest>;

export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Every file and every folder below, by path, in a fixed order. */
export async function listTree(root: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        folders.push(path);
        await walk(path);
      } else if (entry.isFile()) files.push(path);
    }
  };
  await walk('');
  return { files, folders };
}

export async function describeFiles(
  root: string,
  paths: readonly string[],
  onProgress: (done: number) => void,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const path of paths) {
    const { size } = await stat(join(root, path));
    files.push({ path, size, sha256: await hashOfFile(join(root, path)) });
    onProgress(files.length);
  }
  return files;
}
