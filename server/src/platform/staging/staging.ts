import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sweepLeftovers } from './sweep-leftovers.js';

/** No job that stages something works longer; see `archives.jobs.ts`. */
const ABANDONED_AFTER_MILLISECONDS = 2 * 3_600_000;
const EVERY_MILLISECONDS = 3_600_000;
const NAME = /^([a-z0-9-]+)\.(\d+)\.[0-9a-f-]{36}$/;
const HOST =
  hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-') || 'host';
/** What was left by a process before this one that had the same number, as every first process of a container has. */
const own = new Set<string>();

const directoryOf = (dataDirectory: string): string => join(dataDirectory, 'staging');

/**
 * Works in a folder of its own below the data directory, which only this user of the machine can enter, and deletes it,
 * however the work ends. For documents that have to lie in the clear for a while: not in the temporary folder, which
 * belongs to everybody, is not encrypted with the data, and is not swept by us.
 */
export async function withStaging<T>(
  { dataDirectory }: { readonly dataDirectory: string },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const name = `${HOST}.${process.pid}.${randomUUID()}`;
  const folder = join(directoryOf(dataDirectory), name);
  own.add(name);
  try {
    await mkdir(directoryOf(dataDirectory), { recursive: true, mode: 0o700 });
    await mkdir(folder, { mode: 0o700 });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    own.delete(name);
  }
}

/** Mode of files in a folder of `withStaging`. */
export const STAGED_FILE = 0o600;

/** Sweeps at once and then every hour: what was staged, and what else killed processes left. */
export function startStagingSweep(
  place: { readonly dataDirectory: string },
  whenFailed: (error: unknown) => void,
): { stop(): void } {
  const both = async (): Promise<void> => {
    await sweepLeftovers(place, await fileTime(place.dataDirectory));
    await sweepStaging(place);
  };
  const sweep = (): void => void both().catch(whenFailed);
  sweep();
  const timer = setInterval(sweep, EVERY_MILLISECONDS).unref();
  return { stop: () => clearInterval(timer) };
}

/** Deletes the folders of processes of this machine that are gone, and those that nobody can be working in any more. */
export async function sweepStaging({ dataDirectory }: { readonly dataDirectory: string }): Promise<void> {
  const directory = directoryOf(dataDirectory);
  const names = await readdir(directory).catch(() => []);
  if (names.length === 0) return;
  const now = (await fileTime(directory)).getTime();
  for (const name of names) {
    const folder = join(directory, name);
    if (own.has(name)) continue;
    const [, host, process = ''] = NAME.exec(name) ?? [];
    const isOrphan = host === HOST && !isOther(Number(process));
    const made = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0;
    if (isOrphan || now - made > ABANDONED_AFTER_MILLISECONDS) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/**
 * What time it is for the files in a directory. The clock of this process may be wrong, and by its time the files that
 * another is just writing would be old.
 */
async function fileTime(directory: string): Promise<Date> {
  const probe = await mkdtemp(join(directory, 'time-'));
  try {
    return (await stat(probe)).ctime;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Another process has this number and lives. */
function isOther(id: number): boolean {
  if (id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
