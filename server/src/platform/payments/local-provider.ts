import { createHash, randomBytes } from 'node:crypto';
import type { Configuration } from '../configuration/configuration.js';
import type { Database, Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import { ApiError } from '../http/api-error.js';
import { keyReused } from '../http/idempotency.js';
import { serviceSecret } from '../identity/service-secret.js';
import type { CheckoutRequest, CreatedCheckout, PaidPlan, PaymentProvider } from './payment-provider.js';

/** A session of the test checkout as it is stored. */
export interface LocalSession {
  readonly id: string;
  readonly plan: PaidPlan;
  readonly email: string | null;
  readonly client_reference_id: string | null;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly paid_at: Date | null;
  readonly ended_at: Date | null;
  readonly expires_at: Date;
}

const OPEN_HOURS = 24;
const columns = sql`
  id, plan, email, client_reference_id, success_url, cancel_url, paid_at, ended_at, expires_at`;

/**
 * The test checkout of the installation: sessions are rows, the page is our own (`local-checkout-routes.ts`), and no
 * money moves. Without `PAYMENT_WEBHOOK_SECRET` its events are signed with a secret that the installation makes.
 */
export function createLocalProvider(
  { baseUrl, payments, paymentWebhookSecrets }: Configuration,
  database: Database,
  clock: () => Date,
): PaymentProvider {
  const ownSecret = serviceSecret(database, 'payments');
  return {
    kind: 'local',
    signatureHeaders: ['payment-signature'],
    webhookSecrets: async () =>
      paymentWebhookSecrets.length > 0 ? paymentWebhookSecrets : [(await ownSecret()).toString('hex')],
    async createSession(request) {
      if (payments.kind !== 'local' || !payments.isOpen) {
        throw new ApiError('CONFLICT', 'No payment provider is set up in this installation.', {
          reason: 'no_payment_provider',
        });
      }
      const { id, isReplayed } = await insertSession(database, request, clock());
      return { id, url: `${baseUrl}/checkout/${id}`, isReplayed };
    },
    // The page of the paid session ends it.
    async portal({ subscription }) {
      const id = subscription.replace(/^sub_local_/, 'cs_local_');
      return (await findLocalSession(database, id)) && `${baseUrl}/checkout/${id}`;
    },
    async findSession(id) {
      const found = await findLocalSession(database, id);
      return (
        found && {
          id: found.id,
          status: statusOf(found, clock()),
          plan: found.plan,
          email: found.email ?? undefined,
          userId: found.client_reference_id ?? undefined,
        }
      );
    },
  };
}

export const statusOf = (session: LocalSession, now: Date): 'open' | 'complete' | 'expired' =>
  session.paid_at ? 'complete' : session.expires_at <= now ? 'expired' : 'open';

export const findLocalSession = (database: Database, id: string): Promise<LocalSession | undefined> =>
  database.asSystem('test checkout', (transaction) =>
    transaction.maybeOne<LocalSession>(sql`select ${columns} from local_checkout_sessions where id = ${id}`),
  );

/** After the event was taken: the session is paid for, by whom. */
export const markPaid = (database: Database, id: string, email: string, now: Date): Promise<number> =>
  database.asSystem('test checkout', (transaction) =>
    transaction.run(sql`
      update local_checkout_sessions set paid_at = ${now}, email = ${email} where id = ${id} and paid_at is null`),
  );

/** After the event was taken: the subscription of the session has ended. */
export const markEnded = (database: Database, id: string, now: Date): Promise<number> =>
  database.asSystem('test checkout', (transaction) =>
    transaction.run(sql`
      update local_checkout_sessions set ended_at = ${now} where id = ${id} and ended_at is null`),
  );

async function insertSession(
  database: Database,
  request: CheckoutRequest,
  now: Date,
): Promise<Pick<CreatedCheckout, 'id' | 'isReplayed'>> {
  const id = `cs_local_${randomBytes(24).toString('base64url')}`;
  const { plan, email = null, userId = null, successUrl, cancelUrl, idempotencyKey: key = null } = request;
  const hash = createHash('sha256')
    .update(JSON.stringify([plan, email, userId, successUrl, cancelUrl]))
    .digest();
  return database.asSystem('test checkout', async (transaction) => {
    if (key) await forgetOldKey(transaction, key, now);
    const made = await transaction.run(sql`
      insert into local_checkout_sessions (
        id, plan, email, client_reference_id, success_url, cancel_url, idempotency_key, request_hash, expires_at, created_at
      ) values (
        ${id}, ${plan}, ${email}, ${userId}, ${successUrl}, ${cancelUrl},
        ${key}, ${hash}, ${new Date(now.getTime() + OPEN_HOURS * 3_600_000)}, ${now}
      ) on conflict (idempotency_key) do nothing`);
    if (made === 1) return { id, isReplayed: false };
    const first = await transaction.one<{ id: string; request_hash: Buffer }>(sql`
      select id, request_hash from local_checkout_sessions where idempotency_key = ${key}`);
    if (!first.request_hash.equals(hash)) throw keyReused();
    return { id: first.id, isReplayed: true };
  });
}

const forgetOldKey = (transaction: Transaction, key: string, now: Date): Promise<number> =>
  transaction.run(sql`
    update local_checkout_sessions set idempotency_key = null
    where idempotency_key = ${key} and created_at < ${new Date(now.getTime() - OPEN_HOURS * 3_600_000)}`);
