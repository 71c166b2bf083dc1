import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { Context } from '../../platform/http/route.js';
import { isStorable } from '../../platform/http/storable-text.js';
import { findSignatureProblem, type SignatureProblem } from '../../platform/payments/signature.js';
import * as repository from './payments.repository.js';
import { AnyEvent, CompletedCheckout, EndedSubscription, PaymentEvent } from './payments.schemas.js';

type Receiving = Pick<Context, 'dependencies' | 'identity' | 'request' | 'log' | 'now'>;

/** What an event did, and to whom. */
interface Outcome {
  readonly effect: repository.Effect;
  readonly sessionId?: string;
  readonly userIds?: readonly string[];
  /** Why nothing was done, for the log. */
  readonly because?: string;
}

const MESSAGES: Readonly<Record<SignatureProblem, string>> = {
  missing_signature: 'The signature header is missing.',
  malformed_signature: 'The signature header has to look like t=<unix seconds>,v1=<64 hexadecimal digits>.',
  timestamp_outside_tolerance: 'The signature is older than five minutes, or from the future.',
  invalid_signature: 'The signature does not fit the body.',
};

/**
 * Takes one delivery of the payment provider. Nothing is read before the signature over the raw bytes is right (400,
 * `details.reason`). An event that is known changes nothing; one that overtook a newer one about the same subscription
 * neither; of a kind that is not handled, it is noted and logged. All three are answered like a success, because
 * delivering them again would not help.
 */
export async function receiveEvent(receiving: Receiving): Promise<{ readonly received: true }> {
  const { dependencies, identity, log } = receiving;
  const event = await readEvent(receiving);
  const outcome = await dependencies.database.asSystem(
    'an event of the payment provider',
    async (transaction) => {
      await repository.takeTurn(transaction);
      if (await repository.isKnownEvent(transaction, event.id)) return undefined;
      const outcome = await settle(transaction, event, receiving.request.id);
      await repository.insertEvent(transaction, {
        id: event.id,
        kind: event.type,
        occurredAt: new Date(event.created * 1000),
        sessionId: outcome.sessionId,
        effect: outcome.effect,
      });
      return outcome;
    },
  );
  for (const userId of outcome?.userIds ?? []) identity.forget(userId);
  const told = { event: event.id, kind: event.type, effect: outcome?.effect ?? 'replayed' };
  if (outcome?.because) log.warn({ ...told, because: outcome.because }, 'payment event');
  else log.info(told, 'payment event');
  return { received: true };
}

async function readEvent({ dependencies, request, now }: Receiving): Promise<PaymentEvent> {
  const { payments } = dependencies;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const header = payments.signatureHeaders
    .map((name) => request.headers[name])
    .find((value) => value !== undefined);
  const reason = findSignatureProblem(Array.isArray(header) ? header.join(',') : header, body, {
    secrets: await payments.webhookSecrets(),
    now,
  });
  if (reason) throw new ApiError('BAD_REQUEST', MESSAGES[reason], { reason });
  const value = parsed(body);
  const event = AnyEvent.safeParse(value);
  if (!event.success || ![event.data.id, event.data.type].every(isStorable)) {
    throw malformed('id and type are needed');
  }
  if (HANDLERS.has(event.data.type)) {
    const whole = PaymentEvent.safeParse(value);
    if (!whole.success) throw malformed('this kind needs created and data.object');
    return whole.data;
  }
  const created = PaymentEvent.shape.created
    .catch(Math.floor(now.getTime() / 1000))
    .parse(event.data.created);
  return { ...event.data, created, data: { object: {} } };
}

const malformed = (what: string): ApiError =>
  new ApiError('BAD_REQUEST', `The body is no event: ${what}.`, { reason: 'malformed_event' });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

type Settle = (transaction: Transaction, event: PaymentEvent, requestId: string) => Promise<Outcome>;

/** The kinds that are handled. Methods that take days to pay send the second kind when the money is there. */
const HANDLERS: ReadonlyMap<string, Settle> = new Map([
  ['checkout.session.completed', settleCheckout],
  ['checkout.session.async_payment_succeeded', settleCheckout],
  ['customer.subscription.deleted', settleEnd],
]);

const settle: Settle = (transaction, event, requestId) =>
  HANDLERS.get(event.type)?.(transaction, event, requestId) ??
  Promise.resolve(ignored('this kind of event is not handled'));

const ignored = (because: string): Outcome => ({ effect: 'ignored', because });

async function settleCheckout(
  transaction: Transaction,
  event: PaymentEvent,
  requestId: string,
): Promise<Outcome> {
  const checkout = CompletedCheckout.safeParse(event.data.object);
  if (!checkout.success) return ignored('the checkout names no plan of ours');
  const { id, customer, subscription, client_reference_id, customer_email, customer_details, metadata } =
    checkout.data;
  if (checkout.data.payment_status === 'unpaid') return ignored('the checkout is not paid for yet');
  const email = (customer_details?.email ?? customer_email)?.trim().toLowerCase() || undefined;
  const reference = subscription ?? customer ?? id;
  if (![id, reference, customer ?? '', email ?? ''].every(isStorable))
    return ignored('a name cannot be stored');

  const [known] = await repository.findSubscriptions(transaction, [reference]);
  if (known && isNewer(known, event, 'active')) return { effect: 'stale', sessionId: id };
  const userId =
    known?.user_id ??
    (await repository.findPayer(transaction, { userId: uuidOrNothing(client_reference_id), email }));
  if (!userId && !email) return ignored('the checkout names nobody whom we know');
  await repository.putSubscription(transaction, {
    reference,
    customer: customer ?? undefined,
    email,
    userId,
    plan: metadata.plan,
    status: 'active',
    settled_at: new Date(event.created * 1000),
    settled_by: event.id,
  });
  if (userId) {
    await settleProfile(transaction, { userId, requestId });
    return { effect: 'activated', sessionId: id, userIds: [userId] };
  }
  if (email) await repository.settlePending(transaction, email);
  return { effect: 'pending', sessionId: id };
}

async function settleEnd(transaction: Transaction, event: PaymentEvent, requestId: string): Promise<Outcome> {
  const ended = EndedSubscription.safeParse(event.data.object);
  if (!ended.success) return ignored('the event names no subscription');
  const { id, customer } = ended.data;
  // By the customer are known those subscriptions whose checkout named no id of them.
  const references = [...new Set([id, customer ?? id])];
  if (!references.every(isStorable)) return ignored('a name cannot be stored');

  const known = await repository.findSubscriptions(transaction, references);
  const fresh = references.filter((reference) => {
    const row = known.find((one) => one.reference === reference);
    return !row || !isNewer(row, event, 'ended');
  });
  for (const reference of fresh) {
    await repository.putSubscription(transaction, {
      reference,
      customer: customer ?? undefined,
      email: undefined,
      userId: undefined,
      plan: null,
      status: 'ended',
      settled_at: new Date(event.created * 1000),
      settled_by: event.id,
    });
  }
  if (fresh.length === 0) return { effect: 'stale' };
  await repository.deletePending(transaction, fresh);
  const touched = known.filter(({ reference, status }) => status === 'active' && fresh.includes(reference));
  const userIds = [...new Set(touched.flatMap(({ user_id }) => user_id ?? []))];
  for (const userId of userIds) await settleProfile(transaction, { userId, requestId });
  for (const { user_id, email } of touched) {
    if (!user_id && email) await repository.settlePending(transaction, email);
  }
  return { effect: 'ended', userIds };
}

/** Whether a row says something newer than an event. In the same second a beginning comes before an end. */
function isNewer(row: repository.SubscriptionRow, event: PaymentEvent, status: 'active' | 'ended'): boolean {
  const [known, told] = [Math.floor(row.settled_at.getTime() / 1000), event.created];
  if (known !== told) return known > told;
  if (row.status !== status) return row.status === 'ended';
  return row.settled_by > event.id;
}

async function settleProfile(
  transaction: Transaction,
  { userId, requestId }: { readonly userId: string; readonly requestId: string },
): Promise<void> {
  const { before, after } = await repository.settleProfile(transaction, userId);
  await recordAudit(transaction, {
    workspaceId: INSTALLATION,
    actorId: null,
    action: after.status === 'active' ? 'subscription.activated' : 'subscription.ended',
    targetType: 'profile',
    targetId: userId,
    before,
    after,
    requestId,
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const uuidOrNothing = (text: string | null | undefined): string | undefined =>
  text && UUID.test(text) ? text : undefined;
