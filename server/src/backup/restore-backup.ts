import { chownSync, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { extract } from 'tar';
import { findBinaries } from '../platform/embedded-postgres/binaries.js';
import { claimsDirectory } from '../platform/embedded-postgres/claims.js';
import { clusterDirectory } from '../platform/embedded-postgres/cluster.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { lockDirectory } from '../platform/embedded-postgres/lock.js';
import { findRunAs } from '../platform/embedded-postgres/run-as.js';
import { isNewer, productVersion } from '../platform/product-version.js';
import { BackupError } from './backup-error.js';
import { platform } from './make-backup.js';
import { BACKUP_FORMAT, BackupManifest, hashOfFile, listTree, MANIFEST } from './manifest.js';

export interface Restored {
  readonly manifest: BackupManifest;
  /** Where what was there before lies now. */
  readonly before?: string;
}

/**
 * Puts a backup in the place of the data directory. Everything is unpacked beside it and compared with the manifest,
 * and the database is started once, before anything that is there is touched; what was there is kept beside it.
 * Throws `BackupError` for what the operator can mend; then nothing has changed.
 */
export async function restoreBackup(
  options: {
    readonly from: string;
    readonly dataDirectory: string;
    /** Also where there is an installation. */
    readonly force: boolean;
    readonly log: Logger;
  },
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<Restored> {
  const { dataDirectory, log, force } = options;
  const from = resolve(options.from);
  if (!existsSync(from)) throw new BackupError(`There is no file ${from}.`);
  const isThere = existsSync(dataDirectory) && (await readdir(dataDirectory)).length > 0;
  if (isThere && !force) {
    throw new BackupError(
      `${dataDirectory} is not empty. Name another directory with DATA_DIR, or add --force: what is there is then moved aside.`,
    );
  }
  const unpacked = `${dataDirectory}.restore-${process.pid}`;
  const lock = isThere ? await lockDirectory(dataDirectory) : undefined;
  try {
    await mkdir(unpacked, { recursive: true, mode: 0o700 });
    onProgress('Unpacking', 0, 1);
    await unpack(from, unpacked);
    const manifest = await readManifest(unpacked);
    await compare(unpacked, manifest, onProgress);
    await rm(join(unpacked, MANIFEST));
    await makeOwn(unpacked);
    onProgress('Starting the database once', 0, 1);
    await tryDatabase(unpacked, log);
    const before = `${dataDirectory}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    // The claim moves along, so that nobody can begin in between.
    if (isThere) await rename(dataDirectory, before);
    else if (existsSync(dataDirectory)) await rmdir(dataDirectory);
    await rename(unpacked, dataDirectory);
    if (isThere) await rm(claimsDirectory(before), { recursive: true, force: true });
    return { manifest, ...(isThere ? { before } : {}) };
  } finally {
    await lock?.release();
    await rm(unpacked, { recursive: true, force: true });
  }
}

/** Plain files and folders below the target only; anything else in the archive is refused. */
async function unpack(file: string, to: string): Promise<void> {
  let foreign: string | undefined;
  try {
    await extract({
      file,
      cwd: to,
      strict: true,
      preserveOwner: false,
      filter: (path, entry) => {
        const isPlain = 'type' in entry && ['File', 'OldFile', 'Directory'].includes(String(entry.type));
        if (!isPlain || path.split('/').includes('..')) foreign ??= path;
        return foreign === undefined;
      },
    });
  } catch (error) {
    throw new BackupError(`${file} is no backup, or a damaged one (${(error as Error).message}).`);
  }
  if (foreign !== undefined) throw new BackupError(`${file} is no backup: it holds ${foreign}.`);
}

async function readManifest(folder: string): Promise<BackupManifest> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
  } catch {
    throw new BackupError('The archive is no backup of Normtrace: it has no manifest.');
  }
  const { format, version } = content as { format?: number; version?: string };
  if (Number(format) > BACKUP_FORMAT || isNewer(version ?? '', productVersion())) {
    throw new BackupError(
      `The backup was made by version ${version}, this is ${productVersion()}. Restore it with that version or a newer one.`,
    );
  }
  const manifest = BackupManifest.safeParse(content);
  if (!manifest.success) throw new BackupError('The manifest of the backup is damaged.');
  const { postgresql } = manifest.data;
  const { majorVersion } = findBinaries();
  if (postgresql.version !== majorVersion || postgresql.platform !== platform()) {
    throw new BackupError(
      `The database in the backup is of PostgreSQL ${postgresql.version} on ${postgresql.platform}, this is ${majorVersion} on ${platform()}. ` +
        'Restore it on such a machine, and move the workspaces by their archives.',
    );
  }
  return manifest.data;
}

async function compare(
  folder: string,
  { files, folders }: BackupManifest,
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<void> {
  const found = new Set((await listTree(folder)).files);
  found.delete(MANIFEST);
  for (const [done, { path, size, sha256 }] of files.entries()) {
    onProgress('Comparing', done, files.length);
    const isWhole =
      found.delete(path) &&
      (await stat(join(folder, path))).size === size &&
      (await hashOfFile(join(folder, path))) === sha256;
    if (!isWhole) throw new BackupError(`The backup is damaged: ${path} is not what was backed up.`);
  }
  const [foreign] = found;
  if (foreign !== undefined)
    throw new BackupError(`The backup was changed: ${foreign} is not in its manifest.`);
  for (const path of folders) {
    if (path.split('/').includes('..')) throw new BackupError('The manifest of the backup is damaged.');
    await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
  }
}

/** PostgreSQL takes a directory only that belongs to who runs it, and to nobody else. */
async function makeOwn(dataDirectory: string): Promise<void> {
  const cluster = clusterDirectory(dataDirectory);
  const { owner } = findRunAs(findBinaries().postgres, cluster);
  const { files, folders } = await listTree(cluster);
  for (const folder of ['', ...folders]) await chmod(join(cluster, folder), 0o700);
  for (const file of files) await chmod(join(cluster, file), 0o600);
  if (owner === undefined) return;
  for (const path of ['', ...folders, ...files]) chownSync(join(cluster, path), owner, owner);
}

async function tryDatabase(dataDirectory: string, log: Logger): Promise<void> {
  const lost = (error: Error): void => log.error({ err: error }, 'the restored database ended by itself');
  try {
    const database = await startEmbeddedPostgres({ dataDirectory, log, onLost: lost });
    await database.stop();
  } catch (error) {
    throw new BackupError(`The database in the backup does not start: ${(error as Error).message}`);
  }
}
