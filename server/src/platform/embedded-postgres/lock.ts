import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Holder {
  readonly pid: number;
  /** When the process started, in the system's own count: a pid alone may have been given to another process. */
  readonly started: string;
}

/**
 * Takes the data directory for this process; returns the function that gives it back. A lock whose process is gone
 * does not count, so nothing has to be cleaned up after a crash.
 */
export function lockDirectory(directory: string): () => void {
  const lock = join(directory, 'lock');
  const own = `${lock}.${process.pid}`;
  const content = JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder);
  writeFileSync(own, content);
  try {
    for (let attempt = 1; !tryLink(own, lock); attempt++) {
      const holder = readHolder(lock);
      if (attempt > 5 || (holder && isAlive(holder))) {
        throw new Error(
          `Another process${holder ? ` (${holder.pid})` : ''} uses the data directory ${directory}. ` +
            'Stop it first, or give this one a directory of its own with DATA_DIR.',
        );
      }
      // Moved aside before it is removed: of two processes that find the same dead lock, one moves it.
      const aside = `${own}.dead`;
      try {
        renameSync(lock, aside);
        rmSync(aside, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    if (existsSync(lock) && readFileSync(lock, 'utf8') === content) rmSync(lock, { force: true });
  };
}

/** A hard link appears with its content or not at all. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return startOf(holder.pid) === holder.started;
}

/** From /proc/<pid>/stat; empty where there is no /proc. A dead process that nobody has waited for has none. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may hold spaces and parentheses; after it come the state (3) and the start (22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
