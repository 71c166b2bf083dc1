import type { z } from 'zod';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import * as repository from './payments.repository.js';
import type { NewPortal, Portal, Subscription } from './payments.schemas.js';
import { planOf } from './plan-limits.js';
import { PLANS, planTable } from './plans.js';

type Asking = Pick<GuardedContext, 'dependencies' | 'caller' | 'now'>;

/** What the caller has bought and used. */
export async function readSubscription({
  dependencies,
  caller,
  now,
}: Asking): Promise<z.output<typeof Subscription>> {
  const { configuration, database, payments } = dependencies;
  const { userId } = caller;
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const purchase = await database.asSystem('what somebody has bought', (transaction) =>
    repository.findPurchase(transaction, userId),
  );
  const usage = await database.withActor(caller, (transaction) =>
    repository.findUsage(transaction, { userId, month }),
  );
  const { plan, active } = caller.subscription;
  const limits = planTable()[planOf(plan)];
  return {
    billing: configuration.billing,
    status: active ? 'active' : 'inactive',
    plan: PLANS.find((known) => known === plan) ?? null,
    began_at: timestampOrNull(purchase?.settled_at ?? null),
    manageable: purchase !== undefined && payments.portal !== undefined,
    usage,
    limits: {
      workspaces: limits.workspaces ?? null,
      analyses_a_month: limits.analyses_a_month ?? null,
    },
    counts_again_at: timestamp(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))),
  };
}

/** The page on which the caller ends what they have bought. Throws 409 without a purchase, 422 for an origin that is not allowed. */
export async function openPortal(
  { dependencies, caller }: Asking,
  { return_url: returnUrl }: z.output<typeof NewPortal>,
): Promise<z.output<typeof Portal>> {
  const { configuration, database, payments } = dependencies;
  const purchase = await database.asSystem('what somebody has bought', (transaction) =>
    repository.findPurchase(transaction, caller.userId),
  );
  if (!purchase) throw nothingBought();
  if (!configuration.allowedOrigins.includes(new URL(returnUrl).origin)) {
    throw invalid('body.return_url', 'The origin of this address is not among ALLOWED_ORIGINS.', 'origin');
  }
  const page = await payments.portal?.({
    subscription: purchase.reference,
    customer: purchase.customer_id ?? undefined,
    returnUrl,
  });
  if (!page) throw nothingBought();
  return { url: page };
}

const nothingBought = (): ApiError =>
  new ApiError('CONFLICT', 'There is nothing that was bought here.', { reason: 'nothing_bought' });
