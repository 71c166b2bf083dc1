import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Configuration } from '../platform/configuration/configuration.js';
import { DatabaseUnavailable, translateError } from '../platform/database/errors.js';
import { freeBytes, isDiskFull, keepsDataHere, megabytes } from '../platform/disk-space.js';

/** A database that does not take connections is waited for so long. */
const DATABASE_MILLISECONDS = 300_000;
/** A port that is in use is waited for so long: a process of before may still be closing. */
const PORT_MILLISECONDS = 10_000;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 10_000;
/** The name of the database's machine is not known, or not yet. */
const NO_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/**
 * Repeats what fails because of something that passes by itself, with growing pauses, and says so once for each reason.
 * Throws the error when it is of another kind, or after `milliseconds`.
 */
async function withPatience<T>(
  work: () => Promise<T>,
  options: {
    /** Why to wait; undefined when waiting is of no use. */
    readonly reasonOf: (error: unknown) => Promise<string | undefined> | string | undefined;
    readonly milliseconds: number;
    readonly log: Logger;
  },
): Promise<T> {
  const { reasonOf, milliseconds, log } = options;
  const deadline = performance.now() + milliseconds;
  let pause = FIRST_PAUSE_MILLISECONDS;
  for (let told: string | undefined; ; ) {
    try {
      return await work();
    } catch (error) {
      const reason = await reasonOf(error);
      if (reason === undefined || performance.now() + pause > deadline) throw error;
      if (reason !== told) log.warn(reason);
      told = reason;
      await delay(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS);
    }
  }
}

/** Waits up to 5 minutes for a database that starts, recovers or is being moved. */
export const whenDatabaseAnswers = <T>(log: Logger, work: () => Promise<T>): Promise<T> =>
  withPatience(work, {
    log,
    milliseconds: DATABASE_MILLISECONDS,
    reasonOf: (error) =>
      isAway(error)
        ? `The database does not take connections yet (${(error as { code?: string }).code ?? 'no connection'}); trying again for up to ` +
          `${DATABASE_MILLISECONDS / 60_000} minutes.`
        : undefined,
  }).catch((error) => {
    if (!isAway(error)) throw error;
    throw new Error(
      `The database took no connection for ${DATABASE_MILLISECONDS / 60_000} minutes (${(error as Error).message}). Look whether it runs and ` +
        'whether DATABASE_URL leads to it.',
      { cause: error },
    );
  });

const isAway = (error: unknown): boolean =>
  translateError(error) instanceof DatabaseUnavailable ||
  NO_NAME.has(String((error as { code?: unknown }).code));

/** Waits without end for room on the disk of a directory. */
export const whenThereIsRoom = <T>(log: Logger, directory: string, work: () => Promise<T>): Promise<T> =>
  withPatience(work, {
    log,
    milliseconds: Number.POSITIVE_INFINITY,
    reasonOf: async (error) =>
      isDiskFull(error)
        ? `The disk of ${directory} is full (${await shownFree(directory)} free), so the database cannot start. Nothing is lost. Free some ` +
          'room; the service starts by itself then.'
        : undefined,
  });

/** Waits up to 10 seconds for a port that somebody else has. */
export const whenPortIsFree = <T>(log: Logger, port: number, work: () => Promise<T>): Promise<T> =>
  withPatience(work, {
    log,
    milliseconds: PORT_MILLISECONDS,
    reasonOf: (error) =>
      (error as { code?: string }).code === 'EADDRINUSE'
        ? `Port ${port} is in use; trying again for up to ${PORT_MILLISECONDS / 1000} seconds.`
        : undefined,
  });

/** Says at the start that room runs out. */
export async function warnOfLittleRoom(
  log: Logger,
  configuration: Pick<Configuration, 'dataDirectory' | 'minFreeBytes' | 'storage' | 'databaseUrl'>,
): Promise<void> {
  if (!keepsDataHere(configuration)) return;
  const { dataDirectory, minFreeBytes } = configuration;
  const free = await freeBytes(dataDirectory);
  if (free >= minFreeBytes) return;
  log.warn(
    `The disk of ${dataDirectory} has ${megabytes(free)} left, less than MIN_FREE_BYTES (${megabytes(minFreeBytes)}): uploads are ` +
      'refused until there is more.',
  );
}

const shownFree = (directory: string): Promise<string> =>
  freeBytes(directory).then(megabytes, () => 'nothing');
