import type { Database, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** Lets what makes somebody an owner happen one after the other. */
export const lockOwner = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${`owner ${userId.toLowerCase()}`}, 0))`);

/** An owner is a member of what they own, so all of it is visible to them. */
export const countOwnWorkspaces = async (transaction: Transaction, userId: string): Promise<number> =>
  (
    await transaction.one<{ count: number }>(
      sql`select count(*)::int as count from workspaces where owner_id = ${userId}`,
    )
  ).count;

/** As the system, because nobody sees what others own. */
export const readOwner = (
  database: Database,
  userId: string,
): Promise<{ readonly plan: string | null; readonly owned: number }> =>
  database.asSystem('room in the plan of a new owner', (transaction) =>
    transaction.one(sql`
      select subscription_plan as plan, (select count(*)::int from workspaces where owner_id = p.id) as owned
      from profiles p where p.id = ${userId}`),
  );

/** Counts one more unless the limit is reached: one statement, so that no two can count the last one. */
export const countAnalysis = async (
  transaction: Transaction,
  usage: { readonly userId: string; readonly month: string; readonly limit: number | undefined },
): Promise<boolean> =>
  (await transaction.run(sql`
    insert into plan_usage as usage (user_id, month, analyses) values (${usage.userId}, ${usage.month}, 1)
    on conflict (user_id, month) do update set analyses = usage.analyses + 1
    where usage.analyses < coalesce(${usage.limit ?? null}::int, 2147483647)`)) === 1;
