import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { describeError } from '../../platform/queue/describe-error.js';
import { eraseExpiredJob, type OfStandard, type Purge, purgeJob } from './retention.jobs.js';

const EVERY_MILLISECONDS = 3_600_000;
/** What one look finds at most; the rest is found by the next. */
const AT_ONCE = 500;

type Tools = Pick<Dependencies, 'database' | 'queue' | 'configuration' | 'clock' | 'log'>;

/** Looks once an hour for what is due; any number of processes may do so, because the jobs ask again. */
export function startRetention(tools: Tools): { stop(): void } {
  const timer = setInterval(() => {
    sweepRetention(tools).catch((error) =>
      tools.log.warn({ error: describeError(error) }, 'retention failed'),
    );
  }, EVERY_MILLISECONDS).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Queues a job for everything that was deleted, or whose attestation ended, longer ago than the settings allow. Returns
 * how many.
 */
export function sweepRetention({ database, queue, configuration, clock }: Tools): Promise<number> {
  const before = (days: number): string => new Date(clock().getTime() - days * 86_400_000).toISOString();
  const { deletedDays, expiredAttestationDays } = configuration.retention;
  return database.asSystem('what is due by the retention settings', async (transaction) => {
    const deleted = await transaction.many<Omit<Purge, 'because'>>(sql`
      select workspace_id as "workspaceId", 'work_product' as type, id from work_products
      where deleted_at < ${before(deletedDays)}::timestamptz
      union all
      select workspace_id, 'standard', id from standards where deleted_at < ${before(deletedDays)}::timestamptz
      limit ${AT_ONCE}`);
    for (const one of deleted) await queue.enqueue(transaction, purgeJob, { ...one, because: 'time' });
    const expired = await transaction.many<OfStandard>(sql`
      select workspace_id as "workspaceId", id as "standardId" from standards
      where attested and attestation_expires_at < ${before(expiredAttestationDays)}::timestamptz
        and file_id is not null and deleted_at is null
      limit ${AT_ONCE}`);
    for (const one of expired) await queue.enqueue(transaction, eraseExpiredJob, one);
    return deleted.length + expired.length;
  });
}
