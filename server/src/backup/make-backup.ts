import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { findBinaries } from '../platform/embedded-postgres/binaries.js';
import { clusterDirectory } from '../platform/embedded-postgres/cluster.js';
import { copyRunningCluster, copyStoppedCluster } from '../platform/embedded-postgres/copy-cluster.js';
import { DirectoryInUse, type DirectoryLock, lockDirectory } from '../platform/embedded-postgres/lock.js';
import { productVersion } from '../platform/product-version.js';
import { BackupError } from './backup-error.js';
import { BACKUP_FORMAT, type BackupManifest, describeFiles, listTree, MANIFEST } from './manifest.js';

/** Of the data directory: not part of an installation, or copied in a way of its own. */
const LEFT_OUT = /^(?:postgres|postgres\.new|objects|lock.*|postgres\.log.*|backup-\d+|initdb-password)$/;

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  /** The service was running. */
  readonly running: boolean;
}

/**
 * Writes everything that the embedded installation holds into one compressed archive: database, objects, passwords and
 * keys. The service may run. The file appears when it is whole, readable by its owner only.
 * Throws `BackupError` for what the operator can mend.
 */
export async function makeBackup(
  { dataDirectory, to }: { readonly dataDirectory: string; readonly to: string },
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<Backup> {
  const file = resolve(to);
  if (!existsSync(join(clusterDirectory(dataDirectory), 'PG_VERSION'))) {
    throw new BackupError(`There is no installation in ${dataDirectory}. Name its directory with DATA_DIR.`);
  }
  if (existsSync(file)) throw new BackupError(`${file} is there already. Choose another name.`);
  if (!existsSync(dirname(file))) throw new BackupError(`There is no folder ${dirname(file)}.`);
  const staging = join(dataDirectory, `backup-${process.pid}`);
  const partial = `${file}.partial`;
  const lock = await lockUnlessRunning(dataDirectory);
  try {
    await clearLeftovers(dataDirectory);
    await mkdir(staging, { mode: 0o700 });
    onProgress('Copying', 0, 1);
    // Before and after the database: what it names at its moment is among what was there at either.
    await linkObjects(dataDirectory, staging);
    if (lock) await copyStoppedCluster(dataDirectory, join(staging, 'postgres'));
    else await copyRunningCluster(dataDirectory, join(staging, 'postgres'));
    await linkObjects(dataDirectory, staging);
    await copyRest(dataDirectory, staging);
    const { files: paths, folders } = await listTree(staging);
    const files = await describeFiles(staging, paths, (done) => onProgress('Hashing', done, paths.length));
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT,
      product: 'normtrace',
      version: productVersion(),
      postgresql: { version: findBinaries().majorVersion, platform: platform() },
      created_at: new Date().toISOString(),
      folders,
      files,
    };
    await writeFile(join(staging, MANIFEST), JSON.stringify(manifest));
    onProgress('Packing', 0, 1);
    const pack = { cwd: staging, gzip: { level: 3 }, portable: true, file: partial, mode: 0o600 };
    await create(pack, [MANIFEST, ...(await readdir(staging)).filter((name) => name !== MANIFEST).sort()]);
    await onDisk(partial);
    await rename(partial, file);
    return { file, bytes: (await stat(file)).size, files: files.length, running: !lock };
  } finally {
    await lock?.release();
    await rm(staging, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}

/** Files of PostgreSQL are for the platform that wrote them. */
export const platform = (): string => `${process.platform}-${process.arch}`;

/** Undefined while the service runs. */
async function lockUnlessRunning(dataDirectory: string): Promise<DirectoryLock | undefined> {
  try {
    return await lockDirectory(dataDirectory);
  } catch (error) {
    if (
      error instanceof DirectoryInUse &&
      existsSync(join(clusterDirectory(dataDirectory), 'postmaster.pid'))
    )
      return undefined;
    throw error;
  }
}

/** Of backups whose process was killed. */
async function clearLeftovers(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    const pid = /^backup-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Objects never change once they are there, so a second name for each is a copy. */
async function linkObjects(dataDirectory: string, staging: string): Promise<void> {
  const from = join(dataDirectory, 'objects');
  const to = join(staging, 'objects');
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return;
  const { files, folders } = await listTree(from);
  const isWanted = (path: string): boolean => path !== 'unfinished' && !path.startsWith('unfinished/');
  for (const folder of folders.filter(isWanted)) await mkdir(join(to, folder), { recursive: true });
  for (const path of files.filter(isWanted)) {
    await link(join(from, path), join(to, path)).catch((error: NodeJS.ErrnoException) => {
      // Taken the first time, or deleted just now.
      if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
    });
  }
}

async function copyRest(dataDirectory: string, staging: string): Promise<void> {
  for (const entry of await readdir(dataDirectory, { withFileTypes: true })) {
    if (!entry.isFile() || LEFT_OUT.test(entry.name)) continue;
    await copyFile(join(dataDirectory, entry.name), join(staging, entry.name));
  }
}

async function onDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}
