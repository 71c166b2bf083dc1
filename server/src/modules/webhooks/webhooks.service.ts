import { isIP } from 'node:net';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Configuration } from '../../platform/configuration/configuration.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { listOf, mayReach } from '../../platform/outbound/addresses.js';
import { newSecret, showSecret } from './sign.js';
import { deliverWebhookJob } from './webhooks.jobs.js';
import * as repository from './webhooks.repository.js';
import type {
  Delivery,
  DeliveryWithAttempts,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookWithSecret,
} from './webhooks.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;
interface Place {
  readonly workspaceId: string;
  readonly webhookId: string;
}

const MOST_WEBHOOKS = 20;

export const toWebhook = (row: repository.WebhookRow): Webhook => ({
  id: row.id,
  workspace_id: row.workspace_id,
  url: row.url,
  description: row.description,
  events: row.events,
  active: row.active,
  disabled_reason: row.disabled_reason,
  failing_since: timestampOrNull(row.failing_since),
  previous_secret_until: timestampOrNull(row.previous_secret_until),
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
});

export const toDelivery = (row: repository.DeliveryRow): Delivery => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: timestampOrNull(row.next_attempt_at),
  response_status: row.response_status,
  error: row.error,
  data: row.data,
  created_at: timestamp(row.created_at),
  finished_at: timestampOrNull(row.finished_at),
});

export const toDeliveryWithAttempts = (
  row: repository.DeliveryRow,
  attempts: readonly repository.AttemptRow[],
): DeliveryWithAttempts => ({
  ...toDelivery(row),
  log: attempts.map((attempt) => ({ ...attempt, created_at: timestamp(attempt.created_at) })),
});

/** Makes an endpoint with a secret of its own. Throws 422 for an address that nothing may be sent to. */
export async function createWebhook(
  context: Writing,
  workspaceId: string,
  input: z.output<typeof NewWebhook>,
): Promise<WebhookWithSecret> {
  const { transaction, caller, dependencies } = context;
  const url = checkedUrl(input.url, dependencies.configuration.webhooks);
  if ((await repository.countWebhooks(transaction, workspaceId)) >= MOST_WEBHOOKS) {
    throw new ApiError('CONFLICT', `A workspace has ${MOST_WEBHOOKS} webhooks at most. Delete one first.`);
  }
  const secret = newSecret();
  const { description } = input;
  const events = [...new Set(input.events)];
  const made = toWebhook(
    await repository.insertWebhook(transaction, {
      workspaceId,
      url,
      description,
      events,
      secret,
      createdBy: caller.userId,
    }),
  );
  await note(context, made, { action: 'webhook.created', after: stateOf(made) });
  return { ...made, secret: showSecret(secret) };
}

/** Changes where and of what an endpoint is told, or switches it on or off. */
export async function changeWebhook(
  context: Writing,
  place: Place,
  change: z.output<typeof WebhookChange>,
): Promise<Webhook> {
  const { transaction, precondition, dependencies } = context;
  const row = await repository.lockWebhook(transaction, place);
  if (!row) throw notFound('webhook');
  const before = toWebhook(row);
  precondition.check(before);
  const after = toWebhook(
    await repository.updateWebhook(transaction, {
      ...row,
      url: change.url === undefined ? row.url : checkedUrl(change.url, dependencies.configuration.webhooks),
      description: change.description ?? row.description,
      events: change.events ? [...new Set(change.events)] : row.events,
      active: change.active ?? row.active,
    }),
  );
  await note(context, after, { action: 'webhook.changed', before: stateOf(before), after: stateOf(after) });
  return after;
}

/** A new secret; the one before signs as well for a day. */
export async function rotateSecret(context: Writing, place: Place): Promise<WebhookWithSecret> {
  const { transaction } = context;
  if (!(await repository.lockWebhook(transaction, place))) throw notFound('webhook');
  const secret = newSecret();
  const after = toWebhook(await repository.updateSecret(transaction, place, secret));
  await note(context, after, { action: 'webhook.secret_rotated' });
  return { ...after, secret: showSecret(secret) };
}

/** Deletes an endpoint with its deliveries. */
export async function removeWebhook(context: Writing, place: Place): Promise<void> {
  const { transaction, precondition } = context;
  const row = await repository.lockWebhook(transaction, place);
  if (!row) throw notFound('webhook');
  const before = toWebhook(row);
  precondition.check(before);
  await repository.deleteWebhook(transaction, place);
  await note(context, before, { action: 'webhook.deleted', before: stateOf(before) });
}

/** Delivers an event again, with the same id. Throws 409 while it is still being tried, or its endpoint is off. */
export async function redeliver(
  context: Writing,
  place: Place & { readonly deliveryId: string },
): Promise<Delivery> {
  const { transaction, dependencies } = context;
  const webhook = await repository.lockWebhook(transaction, place);
  const row = webhook && (await repository.lockDelivery(transaction, place));
  if (!row) throw notFound('delivery');
  if (!webhook.active) throw new ApiError('CONFLICT', 'The webhook is switched off. Switch it on first.');
  if (row.status === 'queued') throw new ApiError('CONFLICT', 'The event is still being delivered.');
  const after = await repository.requeueDelivery(transaction, place);
  await dependencies.queue.enqueue(transaction, deliverWebhookJob, {
    workspaceId: place.workspaceId,
    deliveryId: row.id,
    attempts: String(after.attempts),
  });
  await note(context, toWebhook(webhook), { action: 'webhook.redelivered', after: { delivery_id: row.id } });
  return toDelivery(after);
}

/** What can be known of an address without resolving its name; the rest is checked at every delivery. */
function checkedUrl(text: string, { allowHttp, allowNetworks }: Configuration['webhooks']): string {
  const refuse = (message: string) => invalid('body.url', message, 'invalid_url');
  if (!URL.canParse(text)) throw refuse('This is not an address.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowHttp)) {
    throw refuse('The address has to begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('The address must not hold a user or a password; check the signature instead.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !mayReach(host, listOf(allowNetworks))) {
    throw refuse('This network may not be reached. The operator can allow it with WEBHOOK_ALLOW_NETWORKS.');
  }
  url.hash = '';
  return url.href;
}

/** For the audit log; of the address the host only, because paths may hold secrets. */
const stateOf = ({ url, events, active }: Webhook) => ({ url_host: new URL(url).host, events, active });

const note = (
  { transaction, caller, request }: Writing,
  webhook: Webhook,
  event: { readonly action: string; readonly before?: unknown; readonly after?: unknown },
): Promise<void> =>
  recordAudit(transaction, {
    ...event,
    workspaceId: webhook.workspace_id,
    actorId: caller.userId,
    targetType: 'webhook',
    targetId: webhook.id,
    requestId: request.id,
  });
