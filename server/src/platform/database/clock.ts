import type { Logger } from 'pino';
import type { Database } from './database.js';
import { sql } from './sql.js';

export interface Clock {
  now(): Date;
  stop(): void;
}

/** The clocks of two machines drift apart by some milliseconds in this time. */
const EVERY_MILLISECONDS = 60_000;

/**
 * The time of the database, counted on between two looks at it by a clock that nobody sets. Every process of an
 * installation goes by it, whatever the clock of its machine says: what one of them wrote down with a time means the
 * same to all. Throws `DatabaseUnavailable` when the first look fails.
 */
export async function openClock(
  database: Pick<Database, 'asSystem'>,
  log: Pick<Logger, 'warn'>,
): Promise<Clock> {
  const look = async (): Promise<number> => {
    const asked = performance.now();
    const { now } = await database.asSystem('the time', (transaction) =>
      transaction.one<{ now: number }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
      ),
    );
    return now - (asked + performance.now()) / 2;
  };
  let ahead = await look();
  const timer = setInterval(() => {
    look().then(
      (found) => {
        ahead = found;
      },
      (error) => log.warn({ err: error }, 'the time of the database could not be asked'),
    );
  }, EVERY_MILLISECONDS).unref();
  return { now: () => new Date(performance.now() + ahead), stop: () => clearInterval(timer) };
}
