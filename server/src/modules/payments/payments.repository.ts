import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { PaidPlan } from '../../platform/payments/payment-provider.js';

// Everything here runs as the system: payments belong to no workspace.

export type Effect = 'activated' | 'pending' | 'ended' | 'stale' | 'ignored';

export interface SubscriptionRow {
  readonly reference: string;
  readonly email: string | null;
  readonly user_id: string | null;
  readonly plan: PaidPlan | null;
  readonly status: 'active' | 'ended';
  readonly settled_at: Date;
  readonly settled_by: string;
}

/** Events, and claims of what they left pending, follow one another; there are few of either. */
export const takeTurn = (transaction: Transaction): Promise<number> =>
  transaction.run(sql`select pg_advisory_xact_lock(hashtext('normtrace payments'))`);

export const isKnownEvent = async (transaction: Transaction, id: string): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(
      sql`select exists (select from payment_events where id = ${id}) as found`,
    )
  ).found;

export const insertEvent = (
  transaction: Transaction,
  event: {
    readonly id: string;
    readonly kind: string;
    readonly occurredAt: Date;
    readonly sessionId: string | undefined;
    readonly effect: Effect;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into payment_events (id, kind, occurred_at, session_id, effect)
    values (${event.id}, ${event.kind}, ${event.occurredAt}, ${event.sessionId ?? null}, ${event.effect})`);

/** When the payment of a session was confirmed. */
export const findPaidAt = async (transaction: Transaction, sessionId: string): Promise<Date | undefined> =>
  (
    await transaction.maybeOne<{ occurred_at: Date }>(sql`
      select occurred_at from payment_events
      where session_id = ${sessionId} and effect <> 'ignored'
      order by occurred_at limit 1`)
  )?.occurred_at;

/** The subscriptions with these names. Bounded by the number of names. */
export const findSubscriptions = (
  transaction: Transaction,
  references: readonly string[],
): Promise<SubscriptionRow[]> =>
  transaction.many(sql`
    select reference, email, user_id, plan, status, settled_at, settled_by
    from payment_subscriptions where reference = any (${references}) for update`);

export const putSubscription = (
  transaction: Transaction,
  row: Omit<SubscriptionRow, 'email' | 'user_id'> & {
    readonly customer: string | undefined;
    readonly email: string | undefined;
    readonly userId: string | undefined;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into payment_subscriptions as known (
      reference, customer_id, email, user_id, plan, status, settled_at, settled_by
    ) values (
      ${row.reference}, ${row.customer ?? null}, ${row.email ?? null}, ${row.userId ?? null}, ${row.plan}, ${row.status},
      ${row.settled_at}, ${row.settled_by}
    ) on conflict (reference) do update set
      customer_id = coalesce(excluded.customer_id, known.customer_id),
      email = coalesce(excluded.email, known.email),
      user_id = coalesce(known.user_id, excluded.user_id),
      plan = coalesce(excluded.plan, known.plan),
      status = excluded.status, settled_at = excluded.settled_at, settled_by = excluded.settled_by`);

/** Of several profiles with one address, one whose address is verified comes first, then the oldest. */
export const findPayer = async (
  transaction: Transaction,
  payer: { readonly userId: string | undefined; readonly email: string | undefined },
): Promise<string | undefined> =>
  (
    await transaction.maybeOne<{ id: string }>(sql`
      select p.id from profiles p join auth.users u on u.id = p.id
      where p.id = ${payer.userId ?? null}::uuid or lower(p.email) = lower(${payer.email ?? null}::text)
      order by p.id = ${payer.userId ?? null}::uuid desc nulls last, u.email_verified desc, p.created_at, p.id
      limit 1`)
  )?.id;

interface Standing {
  readonly status: 'active' | 'inactive';
  readonly plan: string | null;
}

/** Gives a profile the plan of its newest active subscription, or none. Answers how it stood and stands. */
export async function settleProfile(
  transaction: Transaction,
  userId: string,
): Promise<{ readonly before: Standing; readonly after: Standing }> {
  const before = await transaction.one<Standing>(sql`
    select subscription_status as status, subscription_plan as plan from profiles where id = ${userId} for update`);
  const after = await transaction.one<Standing>(sql`
    update profiles set (subscription_status, subscription_plan) = (
      select case when max(newest.plan) is null then 'inactive' else 'active' end, max(newest.plan)
      from (
        select plan from payment_subscriptions where user_id = ${userId} and status = 'active'
        order by settled_at desc, settled_by desc limit 1
      ) newest
    )
    where id = ${userId} returning subscription_status as status, subscription_plan as plan`);
  return { before, after };
}

/** What waits for the sign-up of an address: its newest active subscription, or nothing. */
export async function settlePending(transaction: Transaction, email: string): Promise<void> {
  await transaction.run(sql`delete from pending_subscriptions where lower(email) = lower(${email})`);
  await transaction.run(sql`
    insert into pending_subscriptions (email, plan, customer_id, subscription_id)
    select ${email}, plan, customer_id, nullif(reference, customer_id)
    from payment_subscriptions
    where user_id is null and status = 'active' and lower(email) = lower(${email})
    order by settled_at desc, settled_by desc limit 1`);
}

/** Rows that name what has ended but came about without an event of ours. */
export const deletePending = (transaction: Transaction, references: readonly string[]): Promise<number> =>
  transaction.run(sql`
    delete from pending_subscriptions where coalesce(subscription_id, customer_id) = any (${references})`);

/** Whether something waits for an address; without a lock, for most sessions begin without a purchase. */
export const hasPending = async (transaction: Transaction, email: string): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(sql`
      select exists (select from pending_subscriptions where lower(email) = lower(${email})) as found`)
  ).found;

/**
 * Takes what waits for an address and gives its subscriptions to a profile, so that a later end finds it. Call it in
 * one's turn (`takeTurn`).
 */
export async function claimPending(
  transaction: Transaction,
  owner: { readonly userId: string; readonly email: string },
): Promise<PaidPlan | undefined> {
  const pending = await transaction.maybeOne<{ plan: PaidPlan }>(sql`
    with claimed as (
      delete from pending_subscriptions where lower(email) = lower(${owner.email}) returning *
    ), noted as (
      insert into payment_subscriptions (reference, customer_id, email, plan, status, settled_at, settled_by)
      select coalesce(subscription_id, customer_id), customer_id, email, plan, 'active', created_at, 'pending'
      from claimed where coalesce(subscription_id, customer_id) is not null
      on conflict (reference) do nothing
    )
    select plan from claimed`);
  if (!pending) return undefined;
  await transaction.run(sql`
    update payment_subscriptions set user_id = ${owner.userId}
    where user_id is null and lower(email) = lower(${owner.email})`);
  return pending.plan;
}

/** The newest purchase of a person that is in force. */
export const findPurchase = (
  transaction: Transaction,
  userId: string,
): Promise<
  { readonly reference: string; readonly customer_id: string | null; readonly settled_at: Date } | undefined
> =>
  transaction.maybeOne(sql`
    select reference, customer_id, settled_at from payment_subscriptions
    where user_id = ${userId} and status = 'active' order by settled_at desc, settled_by desc limit 1`);

/** What of their plan a person has used. */
export const findUsage = (
  transaction: Transaction,
  { userId, month }: { readonly userId: string; readonly month: string },
): Promise<{ readonly workspaces: number; readonly analyses: number }> =>
  transaction.one(sql`
    select (select count(*)::int from workspaces where owner_id = ${userId}) as workspaces,
           coalesce((select analyses from plan_usage where user_id = ${userId} and month = ${month}), 0) as analyses`);
