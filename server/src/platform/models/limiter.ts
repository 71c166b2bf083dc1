import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';

/** What all processes together may ask of a language model. */
export interface ModelLimits {
  /** Questions at the same time. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

export interface ModelLimiter {
  /**
   * Resolves when a question of about so many tokens may be asked; what it answers is called when the question has ended.
   * Rejects with the reason of the signal.
   */
  enter(tokens: number, signal: AbortSignal | undefined): Promise<() => Promise<void>>;
}

/** A process that has died holds its leases so long at most. */
const LEASE_SECONDS = 15;
const RENEW_MILLISECONDS = 5_000;
/** Between two looks whether a lease is free. */
const LOOK_MILLISECONDS = 100;
/** Longest wait between two looks, however empty a bucket is: the limits may be another process's by now. */
const LONGEST_LOOK_MILLISECONDS = 5_000;

/**
 * One limiter for all processes: a row of the database for each question that is under way, renewed while its process lives,
 * and buckets for requests and tokens. Within any minute never more than is allowed: a quarter at once, the rest evenly.
 */
export function createModelLimiter(database: Pick<Database, 'asSystem'>, limits: ModelLimits): ModelLimiter {
  const held = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;
  const renew = (): void => {
    if (held.size === 0) {
      clearInterval(renewing);
      renewing = undefined;
      return;
    }
    // A lease that could not be renewed ends by itself: then one more is asked, no more.
    renewLeases(database, [...held]).catch(() => undefined);
  };

  return {
    async enter(tokens, signal) {
      const id = randomUUID();
      for (;;) {
        signal?.throwIfAborted();
        const wait = await take(database, { id, tokens, limits });
        if (wait === 0) break;
        await delay(wait * (0.75 + Math.random() / 2), undefined, signal ? { signal } : {});
      }
      held.add(id);
      renewing ??= setInterval(renew, RENEW_MILLISECONDS).unref();
      return async () => {
        held.delete(id);
        await database
          .asSystem('model limiter', (transaction) =>
            transaction.run(sql`delete from model_leases where id = ${id}`),
          )
          .catch(() => undefined);
      };
    },
  };
}

const renewLeases = (database: Pick<Database, 'asSystem'>, ids: readonly string[]): Promise<number> =>
  database.asSystem('model limiter', (transaction) =>
    transaction.run(sql`
      update model_leases set until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      where id = any (${ids}::uuid[])`),
  );

/** Takes a lease, or answers how many milliseconds to wait before the next look. */
function take(
  database: Pick<Database, 'asSystem'>,
  { id, tokens, limits }: { readonly id: string; readonly tokens: number; readonly limits: ModelLimits },
): Promise<number> {
  return database.asSystem('model limiter', async (transaction) => {
    await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended('model limiter', 3))`);
    await transaction.run(sql`delete from model_leases where until < clock_timestamp()`);
    const { busy } = await transaction.one<{ busy: number }>(
      sql`select count(*)::int as busy from model_leases`,
    );
    if (busy >= limits.concurrency) return LOOK_MILLISECONDS;
    const wanted = [
      { key: 'model requests', perMinute: limits.requestsPerMinute, amount: 1 },
      { key: 'model tokens', perMinute: limits.tokensPerMinute, amount: tokens },
    ].flatMap(({ perMinute, ...one }) => (perMinute === undefined ? [] : [{ ...one, perMinute }]));
    let wait = 0;
    for (const { key, perMinute, amount } of wanted) {
      const capacity = perMinute / 4;
      const perSecond = (perMinute * 3) / 4 / 60;
      const bucket = await transaction.one<{ tokens: number }>(sql`
        insert into rate_limit_buckets as bucket (key, tokens, granted, updated_at)
        values (${key}, ${capacity}::float8, 0, clock_timestamp())
        on conflict (key) do update set
          tokens = least(${capacity}::float8, bucket.tokens
            + greatest(0, extract(epoch from clock_timestamp() - bucket.updated_at)) * ${perSecond}::float8),
          updated_at = clock_timestamp()
        returning tokens`);
      // What is larger than the bucket goes when it is full, and leaves it in debt.
      const missing = Math.min(amount, capacity) - bucket.tokens;
      if (missing > 0) wait = Math.max(wait, (missing / perSecond) * 1000);
    }
    if (wait > 0) return Math.min(LONGEST_LOOK_MILLISECONDS, Math.max(LOOK_MILLISECONDS, wait));
    for (const { key, amount } of wanted) {
      await transaction.run(
        sql`update rate_limit_buckets set tokens = tokens - ${amount}::float8 where key = ${key}`,
      );
    }
    await transaction.run(sql`
      insert into model_leases (id, until) values (${id}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))`);
    return 0;
  });
}
