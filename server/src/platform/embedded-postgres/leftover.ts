import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Knock, knock } from './knock.js';

const POLL_MILLISECONDS = 10;

/** What a server says about itself in its directory while it runs. */
export interface ServerStatus {
  readonly pid: number;
  readonly port: string;
  /** Of its Unix socket; empty when it has none. */
  readonly socketDirectory: string;
  readonly state: string;
}

/** The file that PostgreSQL keeps in its directory while it runs; undefined when there is none. */
export function readStatus(cluster: string): ServerStatus | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return {
      pid: Math.abs(Number(lines[0])),
      port: lines[3]?.trim() ?? '',
      socketDirectory: lines[4]?.trim() ?? '',
      state: lines[7]?.trim() ?? '',
    };
  } catch {
    return undefined;
  }
}

/**
 * Ends what a dead owner left running in this cluster, as far as this process can see it. Only for the holder of the
 * directory's lock: then nothing that runs there is in use.
 */
export async function stopLeftover(cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const pid = readStatus(cluster)?.pid ?? 0;
    const running = processesIn(cluster);
    if (!running?.length) return;
    for (const target of running.includes(pid) ? [pid] : running) kill(target, signal);
    for (let waited = 0; waited < 3_000 && processesIn(cluster)?.length; waited += POLL_MILLISECONDS) {
      await delay(POLL_MILLISECONDS);
    }
  }
}

/** Knocks where the server of this cluster listens, by its own word. */
export async function knockAtServer(cluster: string): Promise<Knock> {
  const status = readStatus(cluster);
  if (!status) return 'absent';
  const name = `.s.PGSQL.${status.port}`;
  // The directory may have another name in another container; the socket lies in the cluster either way.
  const places = [cluster, ...(status.socketDirectory.startsWith('/') ? [status.socketDirectory] : [])];
  const heard = await Promise.all(places.map((place) => knock(place, name)));
  return heard.find((one) => one === 'answered') ?? heard[0]!;
}

/**
 * Removes what a server that is gone left in its cluster. Its number may belong to another program by now, and PostgreSQL
 * would take that for a server. Where neither the death of its owner is `proven` nor processes can be seen, PostgreSQL's
 * own checks at the start decide.
 */
export function removeServerMark(cluster: string, { proven }: { readonly proven: boolean }): void {
  const seen = processesIn(cluster);
  if (seen ? seen.length === 0 : proven) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Every process of a server works in its cluster's directory: that very one, because in another container the same path may
 * be another directory. Undefined where that cannot be asked.
 */
function processesIn(cluster: string): number[] | undefined {
  if (!seesOwnProcesses()) return undefined;
  const directory = statSync(cluster, { bigint: true });
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const { dev, ino } = statSync(`/proc/${pid}/cwd`, { bigint: true });
        return pid !== process.pid && dev === directory.dev && ino === directory.ino;
      } catch {
        return false;
      }
    });
}

/** There is a /proc, and its numbers are those of this process: in a container it may be that of the house around. */
function seesOwnProcesses(): boolean {
  try {
    return readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
