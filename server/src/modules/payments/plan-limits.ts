import { ApiError } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { PaymentRequired } from '../../platform/http/subscription-gate.js';
import type { Caller } from '../../platform/identity/callers.js';
import * as repository from './plan-limits.repository.js';
import { type Limit, PLANS, type Plan, planTable } from './plans.js';

type Writing = Pick<WriteContext, 'transaction' | 'dependencies'> & {
  readonly caller: Pick<Caller, 'userId' | 'subscription'>;
};

/**
 * Throws 402 when the caller's plan has no room for another workspace. The caller's other requests that make one wait
 * for the end of this transaction. Nothing is limited with `BILLING=off`.
 */
export async function requireRoomForWorkspace({ transaction, caller, dependencies }: Writing): Promise<void> {
  if (!dependencies.configuration.billing) return;
  const plan = planOf(caller.subscription.plan);
  const limit = planTable()[plan].workspaces;
  if (limit === undefined) return;
  await repository.lockOwner(transaction, caller.userId);
  if ((await repository.countOwnWorkspaces(transaction, caller.userId)) >= limit) refuse(plan, 'workspaces');
}

/** Throws 409 when the plan of somebody else has no room for a workspace that they shall own. */
export async function requireRoomAtNewOwner(
  { transaction, dependencies }: Omit<Writing, 'caller'>,
  userId: string,
): Promise<void> {
  if (!dependencies.configuration.billing) return;
  await repository.lockOwner(transaction, userId);
  const { plan, owned } = await repository.readOwner(dependencies.database, userId);
  const limit = planTable()[planOf(plan)].workspaces;
  if (limit === undefined || owned < limit) return;
  throw new ApiError('CONFLICT', 'The plan of the new owner has no room for another workspace.', {
    reason: 'plan_limit',
  });
}

/**
 * Counts an analysis that the caller starts; throws 402 when the plan has none left in this month. The count is undone
 * with the transaction.
 */
export async function countAnalysis({ transaction, caller, dependencies }: Writing): Promise<void> {
  if (!dependencies.configuration.billing) return;
  const plan = planOf(caller.subscription.plan);
  const limit = planTable()[plan].analyses_a_month;
  const month = `${dependencies.clock().toISOString().slice(0, 7)}-01`;
  const isWithin = await repository.countAnalysis(transaction, { userId: caller.userId, month, limit });
  if (!isWithin) refuse(plan, 'analyses_a_month');
}

/** Whoever has none stands like somebody on the free plan. */
export const planOf = (plan: string | null): Plan => PLANS.find((known) => known === plan) ?? 'free';

const WORDS: Readonly<Record<Limit, (count: number) => string>> = {
  workspaces: (count) => `${count} workspace${count === 1 ? '' : 's'}`,
  analyses_a_month: (count) => `${count} ${count === 1 ? 'analysis' : 'analyses'} a month`,
};
const WAYS_OUT: Readonly<Record<Limit, string>> = {
  workspaces: 'Delete one',
  analyses_a_month: 'Wait for the next month',
};

/** Says which limit it is and how to raise it. */
function refuse(plan: Plan, limit: Limit): never {
  const table = planTable();
  const allowed = (of: Plan): number => table[of][limit] ?? Number.POSITIVE_INFINITY;
  const larger = PLANS.filter((other) => allowed(other) > allowed(plan)).map((other) => {
    const count = table[other][limit];
    return `the plan ${other} (${count === undefined ? 'no limit' : WORDS[limit](count)})`;
  });
  throw new PaymentRequired(
    `The plan ${plan} allows ${WORDS[limit](allowed(plan))}, and you have used them. ${WAYS_OUT[limit]}, or choose ` +
      `${larger.join(' or ')} with POST /api/v1/payments/create-checkout-session.`,
  );
}
