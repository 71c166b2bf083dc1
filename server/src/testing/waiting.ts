import pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from './test-database.js';

/**
 * Runs work while a statement of the owner holds a lock, and lets go when at least so many connections wait for it: so
 * that whatever happens at the same time really does, however slow the machine is.
 */
export async function whileHeld<T>(
  database: TestDatabase,
  { lock, waiters }: { readonly lock: string; readonly waiters: number },
  work: () => Promise<T>,
): Promise<T> {
  const holding = new pg.Client(database.connections.migration);
  await holding.connect();
  try {
    await holding.query(`begin; ${lock}`);
    const result = work();
    // In a transaction of its own: the holder would see the same picture for ever.
    const waiting = async () =>
      (
        await database.asOwner(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).length;
    await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThanOrEqual(waiters);
    await holding.query('commit');
    return await result;
  } finally {
    await holding.end();
  }
}
