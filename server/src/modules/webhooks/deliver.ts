import { recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { listOf } from '../../platform/outbound/addresses.js';
import {
  type Answered,
  OutboundError,
  type OutboundRules,
  postOutbound,
} from '../../platform/outbound/post.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { signedHeaders } from './sign.js';
import { type DeliverWebhook, deliverWebhookJob } from './webhooks.jobs.js';

type Tools = Pick<Dependencies, 'database' | 'queue' | 'configuration' | 'clock'>;

/** Seconds to the next attempt, after the first, the second …: ten attempts over three days. */
const DELAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** So that endpoints which failed together are not all tried together again. */
const JITTER = 0.2;
/** An endpoint that took nothing for so long is switched off. */
const GIVE_UP_DAYS = 5;
const LONGEST_WAIT_SECONDS = 86_400;
const GONE = 410;

interface Pending {
  readonly id: string;
  readonly webhook_id: string;
  readonly event: string;
  readonly data: unknown;
  readonly attempts: number;
  readonly earlier_attempts: number;
  readonly created_at: Date;
  readonly url: string;
  readonly active: boolean;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
}

interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  /** What the receiver asked for, in seconds. */
  readonly wait: number;
}

export interface DeliveryOptions {
  readonly resolve?: OutboundRules['resolve'];
  readonly timeoutMilliseconds?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** Makes one attempt, notes how it went, and plans the next one. */
export const deliverWebhook =
  (tools: Tools, options: DeliveryOptions = {}): JobHandler<DeliverWebhook> =>
  async (payload, { signal }) => {
    const pending = await tools.database.asSystem('signing a webhook', (transaction) =>
      findPending(transaction, payload),
    );
    if (!pending) return;
    if (!pending.active) {
      await tools.database.withWorkspace(payload.workspaceId, (transaction) =>
        giveUp(transaction, payload, 'endpoint_disabled'),
      );
      return;
    }
    const outcome = await attempt(tools, pending, { ...options, signal });
    await tools.database.withWorkspace(payload.workspaceId, (transaction) =>
      note(tools, transaction, { payload, pending, outcome, random: options.random ?? Math.random }),
    );
  };

/** The last word on a delivery whose attempts could not even be made. */
export const giveUpWebhook =
  ({ database }: Pick<Tools, 'database'>): JobHandler<DeliverWebhook> =>
  (payload) =>
    database.withWorkspace(payload.workspaceId, (transaction) => giveUp(transaction, payload, 'internal'));

const findPending = (
  transaction: Transaction,
  { workspaceId, deliveryId, attempts }: DeliverWebhook,
): Promise<Pending | undefined> =>
  transaction.maybeOne(sql`
    select d.id, d.webhook_id, d.event, d.data, d.attempts, d.earlier_attempts, d.created_at, w.url, w.active,
           w.secret, case when w.previous_secret_until > now() then w.previous_secret end as previous_secret
    from webhook_deliveries d
    join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id
    where d.workspace_id = ${workspaceId} and d.id = ${deliveryId} and d.status = 'queued'
      and d.attempts = ${attempts}`);

async function attempt(
  { configuration, clock }: Tools,
  pending: Pending,
  { signal, resolve, timeoutMilliseconds }: DeliveryOptions & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const body = JSON.stringify({
    type: pending.event,
    timestamp: pending.created_at.toISOString(),
    data: pending.data,
  });
  const secrets = [pending.secret, ...(pending.previous_secret ? [pending.previous_secret] : [])];
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Normtrace-Webhooks/1',
    ...signedHeaders({ id: pending.id, body, at: clock() }, secrets),
  };
  const { allowHttp, allowNetworks } = configuration.webhooks;
  const rules: OutboundRules = {
    allowHttp,
    allowed: listOf(allowNetworks),
    ...(resolve ? { resolve } : {}),
    ...(timeoutMilliseconds ? { timeoutMilliseconds } : {}),
  };
  const started = performance.now();
  const ended = (status: number | null, error: string | null, wait = 0): Outcome => ({
    status,
    error,
    wait,
    milliseconds: Math.round(performance.now() - started),
  });
  try {
    const answered = await postOutbound(pending.url, { headers, body, signal }, rules);
    return ended(answered.status, errorOf(answered.status), waitOf(answered, clock()));
  } catch (error) {
    if (error instanceof OutboundError) return ended(null, error.failure);
    throw error;
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** `Retry-After` in seconds, or as a date (RFC 9110, 10.2.3); nonsense is no wish. */
function waitOf({ status, retryAfter = '' }: Answered, now: Date): number {
  if (status < 400 || retryAfter === '') return 0;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Math.max(0, Math.min(LONGEST_WAIT_SECONDS, Number.isFinite(seconds) ? seconds : 0));
}

interface Attempted {
  readonly payload: DeliverWebhook;
  readonly pending: Pending;
  readonly outcome: Outcome;
  readonly random: () => number;
}

async function note(tools: Tools, transaction: Transaction, attempted: Attempted): Promise<void> {
  const { payload, pending, outcome, random } = attempted;
  const { workspaceId, deliveryId } = payload;
  const made = pending.attempts + 1;
  const isDelivered = outcome.error === null;
  const delay = DELAYS[made - pending.earlier_attempts - 1];
  const isOver = isDelivered || delay === undefined || outcome.status === GONE;
  const seconds = Math.round(Math.max((delay ?? 0) * (1 - JITTER + 2 * JITTER * random()), outcome.wait));
  const noted = await transaction.run(sql`
    update webhook_deliveries
    set attempts = ${made}, response_status = ${outcome.status}, error = ${outcome.error},
        status = ${isDelivered ? 'delivered' : isOver ? 'failed' : 'queued'},
        finished_at = case when ${isOver} then now() end,
        next_attempt_at = case when not ${isOver} then now() + make_interval(secs => ${seconds}) end
    where workspace_id = ${workspaceId} and id = ${deliveryId} and status = 'queued' and attempts = ${pending.attempts}`);
  // The same attempt was made twice, because its worker seemed dead: the other one has noted it.
  if (noted === 0) return;
  await transaction.run(sql`
    insert into webhook_attempts (workspace_id, delivery_id, attempt, response_status, error, milliseconds)
    values (${workspaceId}, ${deliveryId}, ${made}, ${outcome.status}, ${outcome.error}, ${outcome.milliseconds})`);
  if (!isOver) {
    const next = { workspaceId, deliveryId, attempts: String(made) };
    await tools.queue.enqueue(transaction, deliverWebhookJob, next, { afterSeconds: seconds });
  }
  if (isDelivered) {
    await transaction.run(sql`
      update webhooks set failing_since = null
      where workspace_id = ${workspaceId} and id = ${pending.webhook_id} and failing_since is not null`);
  } else await noteFailure(transaction, attempted);
}

/** Remembers since when the endpoint fails, and switches it off when it is gone or has failed for days. */
async function noteFailure(
  transaction: Transaction,
  { payload, pending, outcome }: Attempted,
): Promise<void> {
  const isGone = outcome.status === GONE;
  const changed = await transaction.maybeOne<{ disabled_reason: string | null }>(sql`
    update webhooks
    set failing_since = coalesce(failing_since, now()),
        active = active and not (${isGone} or coalesce(failing_since < now() - make_interval(days => ${GIVE_UP_DAYS}), false)),
        disabled_reason = case
          when not active then disabled_reason
          when ${isGone} then 'gone'
          when failing_since < now() - make_interval(days => ${GIVE_UP_DAYS}) then 'failing'
        end
    where workspace_id = ${payload.workspaceId} and id = ${pending.webhook_id} and active
    returning disabled_reason`);
  if (!changed?.disabled_reason) return;
  await recordAudit(transaction, {
    workspaceId: payload.workspaceId,
    actorId: null,
    action: 'webhook.disabled',
    targetType: 'webhook',
    targetId: pending.webhook_id,
    reason: changed.disabled_reason,
  });
}

async function giveUp(transaction: Transaction, payload: DeliverWebhook, error: string): Promise<void> {
  await transaction.run(sql`
    update webhook_deliveries
    set status = 'failed', error = ${error}, finished_at = now(), next_attempt_at = null
    where workspace_id = ${payload.workspaceId} and id = ${payload.deliveryId} and status = 'queued'
      and attempts = ${payload.attempts}`);
}
