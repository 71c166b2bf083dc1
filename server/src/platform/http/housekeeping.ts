import type { Logger } from 'pino';
import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import { describeError } from '../queue/describe-error.js';

const EVERY_MILLISECONDS = 3_600_000;

/** Clears away once an hour what has served its time; any number of processes may do so. */
export function startHousekeeping(database: Database, log: Logger): { stop(): void } {
  const timer = setInterval(() => {
    tidyUp(database).catch((error) => log.warn({ error: describeError(error) }, 'housekeeping failed'));
  }, EVERY_MILLISECONDS).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Deletes rate-limit buckets that are full again, answers remembered for a day, sessions and deliveries long ended, what changes of
 * very many gaps keep, and events that nobody watches any more: progress after a day, findings and documents after a month. How a run
 * ended is told as long as the run is there.
 */
export async function tidyUp(database: Database): Promise<void> {
  await database.asSystem('housekeeping', async (transaction) => {
    await transaction.run(sql`delete from rate_limit_buckets where updated_at < now() - interval '1 day'`);
    await transaction.run(sql`delete from idempotency_keys where created_at < now() - interval '1 day'`);
    await transaction.run(sql`delete from webhook_deliveries where finished_at < now() - interval '30 days'`);
    await transaction.run(sql`
      delete from workspace_events
      where (type in ('progress', 'report_progress') and created_at < now() - interval '1 day')
         or (type in ('finding', 'document') and created_at < now() - interval '30 days')`);
    // What was changed about very many gaps can be taken back for so long.
    await transaction.run(sql`delete from gap_changes where finished_at < now() - interval '7 days'`);
    await transaction.run(sql`
      delete from local_checkout_sessions where paid_at is null and expires_at < now() - interval '30 days'`);
    await transaction.run(sql`
      delete from auth.sessions
      where greatest(expires_at, coalesce(token_expires_at, expires_at)) < now() - interval '30 days'`);
    await transaction.run(sql`delete from auth.one_time_links where expires_at < now() - interval '1 day'`);
    await transaction.run(sql`delete from auth.mails where created_at < now() - interval '7 days'`);
    await transaction.run(
      sql`delete from auth.known_networks where last_seen_at < now() - interval '90 days'`,
    );
  });
}
