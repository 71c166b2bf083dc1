import { type Dirent, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { clusterDirectory } from './cluster.js';
import { readCredentials } from './credentials.js';

/** Of no use in a copy, or of harm: what belongs to a running server (PostgreSQL, "Making a Base Backup Using the Low Level API"). */
const NOT_COPIED = /^(?:postmaster\.(?:pid|opts)|\.s\.PGSQL\..*|pg_internal\.init.*|pgsql_tmp.*|core)$/;
/** Folders that have to be there, empty. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Copies the cluster of a data directory while no server runs there. */
export const copyStoppedCluster = (dataDirectory: string, to: string): Promise<void> =>
  copyTree(clusterDirectory(dataDirectory), to, () => true);

/**
 * Copies the cluster of a data directory while its server runs, by PostgreSQL's own protocol: the copy is the state at
 * the end of the copying, whatever is written meanwhile. A slot keeps the log that recovery needs.
 */
export async function copyRunningCluster(dataDirectory: string, to: string): Promise<void> {
  const cluster = clusterDirectory(dataDirectory);
  const client = new pg.Client(superuserOf(dataDirectory));
  await client.connect();
  try {
    const label = 'normtrace backup';
    await client.query(`select pg_create_physical_replication_slot($1, true, true)`, [
      `normtrace_backup_${process.pid}`,
    ]);
    await client.query('select pg_backup_start($1, true)', [label]);
    await copyTree(cluster, to, (path) => !path.startsWith('pg_wal/'));
    const { rows } = await client.query<{ labelfile: string; spcmapfile: string }>(
      'select labelfile, spcmapfile from pg_backup_stop(false)',
    );
    const { labelfile, spcmapfile } = rows[0]!;
    await writeFile(join(to, 'backup_label'), labelfile, { mode: 0o600 });
    if (spcmapfile !== '') await writeFile(join(to, 'tablespace_map'), spcmapfile, { mode: 0o600 });
    await copyTree(join(cluster, 'pg_wal'), join(to, 'pg_wal'), () => true);
  } finally {
    await client.end();
  }
}

/** A connection to the running server, found by what it says about itself. */
function superuserOf(dataDirectory: string): pg.ClientConfig {
  const status = readFileSync(join(clusterDirectory(dataDirectory), 'postmaster.pid'), 'utf8').split('\n');
  const [port, socketDirectory, address] = [status[3], status[4], status[5]];
  const { superuser } = readCredentials(dataDirectory);
  return {
    host: socketDirectory || address || '127.0.0.1',
    port: Number(port),
    user: 'postgres',
    password: superuser,
    database: 'postgres',
  };
}

/** A file that a running server removes meanwhile is none. */
async function copyTree(from: string, to: string, isWanted: (path: string) => boolean): Promise<void> {
  const walk = async (folder: string): Promise<void> => {
    await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const entry of await entriesOf(join(from, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (NOT_COPIED.test(entry.name)) continue;
      if (entry.isDirectory()) {
        if (EMPTIED.has(path)) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
        else await walk(path);
      } else if (entry.isFile() && isWanted(path)) {
        await unlessGone(() => copyFile(join(from, path), join(to, path)));
      }
    }
  };
  await walk('');
}

const entriesOf = async (folder: string): Promise<Dirent[]> =>
  (await unlessGone(() => readdir(folder, { withFileTypes: true }))) ?? [];

async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
