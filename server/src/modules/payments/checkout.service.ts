import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import { readIdempotencyKey } from '../../platform/http/idempotency.js';
import { networkOf } from '../../platform/http/rate-limit.js';
import type { Context } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import type { Caller } from '../../platform/identity/identity.js';
import { maskEmail } from '../../platform/payments/mask-email.js';
import * as repository from './payments.repository.js';
import type { Checkout, NewCheckout, SessionInfo } from './payments.schemas.js';

type Asking = Pick<Context, 'dependencies' | 'identity' | 'request' | 'reply'>;

/**
 * Begins a purchase. Throws 422 when a redirect leads to an origin that is not allowed, 409 when this installation
 * takes no payments, 503 when the provider cannot be asked.
 */
export async function beginCheckout(
  { dependencies, identity, request, reply }: Asking,
  input: z.infer<typeof NewCheckout>,
): Promise<z.infer<typeof Checkout>> {
  const { allowedOrigins } = dependencies.configuration;
  for (const field of ['success_url', 'cancel_url'] as const) {
    if (allowedOrigins.includes(new URL(input[field]).origin)) continue;
    throw invalid(`body.${field}`, 'The origin of this address is not among ALLOWED_ORIGINS.', 'origin');
  }
  const caller = await callerOf({ identity, request });
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  const { id, url, isReplayed } = await dependencies.payments.createSession({
    plan: input.plan,
    email: input.email ?? caller?.token.email,
    userId: caller?.userId,
    successUrl: input.success_url,
    cancelUrl: input.cancel_url,
    idempotencyKey: key && ownKey(caller ? `user ${caller.userId}` : `address ${networkOf(request.ip)}`, key),
  });
  reply.header('location', `/api/v1/payments/session-info/${id}`);
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  return { session_id: id, url };
}

/** Where a purchase stands. Throws 404 for a session that is not ours. */
export async function readSession(
  { dependencies, identity, request }: Asking,
  id: string,
): Promise<z.infer<typeof SessionInfo>> {
  const session = await dependencies.payments.findSession(id);
  if (!session) throw notFound('checkout session');
  const paidAt = await dependencies.database.asSystem('session info', (transaction) =>
    repository.findPaidAt(transaction, id),
  );
  const caller = await callerOf({ identity, request });
  const isOwner =
    caller !== undefined &&
    (caller.userId === session.userId || caller.token.email.toLowerCase() === session.email?.toLowerCase());
  return {
    session_id: session.id,
    status: session.status === 'complete' ? 'completed' : session.status,
    plan: session.plan,
    customer_email: session.email === undefined ? null : isOwner ? session.email : maskEmail(session.email),
    paid_at: paidAt ? timestamp(paidAt) : null,
  };
}

/** Who asks, if they say so: payments need no token, so one that is not accepted any more counts as none. */
async function callerOf({
  identity,
  request,
}: Pick<Asking, 'identity' | 'request'>): Promise<Caller | undefined> {
  const { authorization, cookie } = request.headers;
  if (authorization === undefined && cookie === undefined) return undefined;
  return identity.authenticate({ authorization, cookie }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'AUTHENTICATION_ERROR') return undefined;
    throw error;
  });
}

/** Keys of different people are different keys. */
const ownKey = (owner: string, key: string): string =>
  createHash('sha256').update(`${owner} ${key}`).digest('base64url');
