import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { freeBytes, isDiskFull, megabytes, NO_ROOM_BYTES } from '../disk-space.js';
import { type ServerProcess, type ServerSettings, startServer } from './server-process.js';

export interface Supervised {
  stop(): Promise<void>;
  /** Without a word to its clients, for when another one may begin at any moment. */
  abort(): Promise<void>;
}

const STOP_MILLISECONDS = 1_500;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 10_000;
/** A server that does not start for so long, or ends so often in so long, is given up; never one that lacks room. */
const GIVE_UP_MILLISECONDS = 300_000;
const GIVE_UP_ENDS = 20;

/**
 * Brings the server back when it ends by itself, at once the first time and with growing pauses after that. While the disk
 * is full it goes on trying without end. Otherwise `onLost` hears after 20 ends within 5 minutes, or 5 minutes without a
 * start.
 */
export function supervise(
  server: ServerSettings,
  first: ServerProcess,
  { log, onLost }: { readonly log: Logger; readonly onLost: (error: Error) => void },
): Supervised {
  let current = first;
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  let ends: readonly number[] = [];

  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended;
      if (isStopping()) return;
      log.error({ pid: current.pid }, 'PostgreSQL ended by itself; starting it again');
      const now = performance.now();
      if (await hasRoom(server.directory))
        ends = [...ends, now].filter((end) => now - end < GIVE_UP_MILLISECONDS);
      if (ends.length >= GIVE_UP_ENDS) {
        onLost(
          new Error(
            `PostgreSQL ended ${ends.length} times within ${GIVE_UP_MILLISECONDS / 60_000} minutes. Its log says why: ${server.logFile}`,
          ),
        );
        return;
      }
      const restarted = await restart(ends.length > 1 ? pauseAfter(ends.length - 1) : 0);
      if (!restarted) return;
      current = restarted;
      log.info({ pid: current.pid }, 'PostgreSQL is back');
      if (isStopping()) await current.stop(STOP_MILLISECONDS);
    }
  };
  const restart = async (firstPause: number): Promise<ServerProcess | undefined> => {
    let deadline = performance.now() + GIVE_UP_MILLISECONDS;
    let pause = firstPause;
    for (let attempt = 1; !isStopping(); attempt++) {
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      try {
        return await startServer(server, { log, signal: stopping.signal });
      } catch (error) {
        if (isStopping()) return undefined;
        pause = pauseAfter(attempt);
        if (isDiskFull(error) || !(await hasRoom(server.directory))) {
          deadline = performance.now() + GIVE_UP_MILLISECONDS;
          log.error(await describeRoom(server.directory, pause));
        } else if (performance.now() > deadline) {
          onLost(error as Error);
          return undefined;
        } else {
          // Processes of the server that ended need a moment to notice, and hold its memory until then.
          log.warn({ pause }, 'PostgreSQL did not start; trying again');
        }
      }
    }
    return undefined;
  };

  const watching = watch();
  return {
    stop: async () => {
      stopping.abort();
      await current.stop(STOP_MILLISECONDS);
      await watching;
    },
    abort: async () => {
      stopping.abort();
      await current.stop(0);
    },
  };
}

const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** (attempts - 1), LONGEST_PAUSE_MILLISECONDS);

const hasRoom = async (directory: string): Promise<boolean> => (await freeBytes(directory)) >= NO_ROOM_BYTES;

const describeRoom = async (directory: string, pause: number): Promise<string> =>
  `The disk of ${directory} is full (${megabytes(await freeBytes(directory))} free): PostgreSQL cannot write. Nothing that was ` +
  `acknowledged is lost. Free some room; the next attempt is in ${pause / 1000} s, and they go on without end.`;
