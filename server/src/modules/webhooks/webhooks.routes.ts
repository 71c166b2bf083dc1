import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as repository from './webhooks.repository.js';
import {
  Delivery,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithAttempts,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookParams,
  WebhookQuery,
  WebhookWithSecret,
  WorkspaceParams,
} from './webhooks.schemas.js';
import {
  changeWebhook,
  createWebhook,
  redeliver,
  removeWebhook,
  rotateSecret,
  toDelivery,
  toDeliveryWithAttempts,
  toWebhook,
} from './webhooks.service.js';

const workspaceId = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const example = {
  id: '9b2f1d44-61c0-4d02-8d0a-5b7f3c9e2a61',
  workspace_id: workspaceId,
  url: 'https://builds.example.org/normtrace',
  description: 'Build server',
  events: ['analysis.completed', 'analysis.failed'],
  active: true,
  disabled_reason: null,
  failing_since: null,
  previous_secret_until: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const exampleDelivery = {
  id: '2f7d9a1c-0f6b-4f7e-a0c2-77b1f0a8d9e3',
  webhook_id: example.id,
  event: 'analysis.completed',
  status: 'failed',
  attempts: 10,
  next_attempt_at: null,
  response_status: 503,
  error: 'status',
  data: { workspace_id: workspaceId, analysis_id: '7f0e3a52-9a60-4a3f-8a0e-3d2f1c0b9a87' },
  created_at: '2026-01-31T09:30:00.000Z',
  finished_at: '2026-02-03T12:10:00.000Z',
};
const exampleAttempt = {
  attempt: 10,
  response_status: 503,
  error: 'status',
  milliseconds: 212,
  created_at: '2026-02-03T12:10:00.000Z',
};
const params = { id: workspaceId };
const webhookParams = { id: workspaceId, webhook_id: example.id };
const deliveryParams = { ...webhookParams, delivery_id: exampleDelivery.id };

const inWorkspace = ({ params }: { readonly params: { readonly id: string } }): string => params.id;
const common = { tag: 'Webhooks', permission: 'webhooks.manage', within: inWorkspace } as const;
const placeOf = (params: { readonly id: string; readonly webhook_id: string }) => ({
  workspaceId: params.id,
  webhookId: params.webhook_id,
});
const deliveryOf = (params: {
  readonly id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
}) => ({ ...placeOf(params), deliveryId: params.delivery_id });

const listWebhooks = readRoute({
  ...common,
  operation: 'listWebhooks',
  method: 'GET',
  path: '/workspaces/:id/webhooks',
  resource: 'workspace',
  summary: 'List webhooks',
  description: 'The endpoints of the workspace, newest first.',
  params: WorkspaceParams,
  query: WebhookQuery,
  answer: WebhookList,
  examples: { params, answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(context, {
      query: { ...context.query, workspace: context.params.id },
      matching: repository.selectWebhooks(context.params.id),
      sorts: { url: { by: sql`url`, type: sql`text` } },
      toItem: toWebhook,
    }),
});

const postWebhook = writeRoute({
  ...common,
  operation: 'createWebhook',
  method: 'POST',
  path: '/workspaces/:id/webhooks',
  resource: 'workspace',
  summary: 'Make a webhook',
  description:
    'Events of the workspace are posted to the address as `{type, timestamp, data}`, signed by the Standard Webhooks ' +
    'specification (`webhook-id`, `webhook-timestamp`, `webhook-signature`). The secret is shown in this answer and ' +
    'nowhere else. Anything but a 2xx within 15 seconds is tried again, ten times over three days.',
  idempotent: true,
  shownOnce: ['secret'],
  params: WorkspaceParams,
  body: NewWebhook,
  status: 201,
  answer: WebhookWithSecret,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: { url: example.url, description: example.description, events: example.events },
    answer: { ...example, secret },
  },
  handle: async (context) => {
    const made = await createWebhook(context, context.params.id, context.body);
    context.reply.header('location', `/api/v1/workspaces/${context.params.id}/webhooks/${made.id}`);
    return made;
  },
});

const getWebhook = readRoute({
  ...common,
  operation: 'getWebhook',
  method: 'GET',
  path: '/workspaces/:id/webhooks/:webhook_id',
  resource: 'webhook',
  summary: 'Read a webhook',
  description: 'One endpoint, without its secret.',
  etag: true,
  params: WebhookParams,
  answer: Webhook,
  examples: { params: webhookParams, answer: example },
  handle: async ({ params, read }) => {
    const [row] = await read<repository.WebhookRow>(repository.selectWebhook(placeOf(params)));
    if (!row) throw notFound('webhook');
    return toWebhook(row);
  },
});

const patchWebhook = writeRoute({
  ...common,
  operation: 'changeWebhook',
  method: 'PATCH',
  path: '/workspaces/:id/webhooks/:webhook_id',
  resource: 'webhook',
  summary: 'Change a webhook',
  description: 'Changes address, description or events, or switches it on or off.',
  etag: true,
  params: WebhookParams,
  body: WebhookChange,
  answer: Webhook,
  examples: { params: webhookParams, body: { active: false }, answer: { ...example, active: false } },
  handle: (context) => changeWebhook(context, placeOf(context.params), context.body),
});

const deleteWebhook = writeRoute({
  ...common,
  operation: 'deleteWebhook',
  method: 'DELETE',
  path: '/workspaces/:id/webhooks/:webhook_id',
  resource: 'webhook',
  summary: 'Delete a webhook',
  description:
    'Deletes the endpoint with its deliveries; what is still to be delivered is not delivered any more.',
  etag: true,
  params: WebhookParams,
  status: 204,
  examples: { params: webhookParams },
  handle: (context) => removeWebhook(context, placeOf(context.params)),
});

const rotateWebhookSecret = writeRoute({
  ...common,
  operation: 'rotateWebhookSecret',
  method: 'POST',
  path: '/workspaces/:id/webhooks/:webhook_id/rotate-secret',
  resource: 'webhook',
  summary: 'Change the secret of a webhook',
  description:
    'Makes a new secret, shown once. For 24 hours every message carries the signature of the old one as well.',
  idempotent: true,
  shownOnce: ['secret'],
  params: WebhookParams,
  answer: WebhookWithSecret,
  examples: {
    params: webhookParams,
    answer: { ...example, previous_secret_until: '2026-02-01T09:30:00.000Z', secret },
  },
  handle: (context) => rotateSecret(context, placeOf(context.params)),
});

const listDeliveries = readRoute({
  ...common,
  operation: 'listWebhookDeliveries',
  method: 'GET',
  path: '/workspaces/:id/webhooks/:webhook_id/deliveries',
  resource: 'webhook',
  summary: 'List deliveries',
  description:
    'What was, is or could not be delivered, newest first; `status=failed` is the dead-letter list. Kept for 30 days.',
  params: WebhookParams,
  query: DeliveryQuery,
  answer: DeliveryList,
  examples: {
    params: webhookParams,
    query: { status: 'failed' },
    answer: { items: [exampleDelivery], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: async (context) => {
    const place = placeOf(context.params);
    const page = await readPage(context, {
      query: { ...context.query, ...place },
      matching: repository.selectDeliveries(place, context.query),
      toItem: toDelivery,
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await context.read(repository.selectWebhook(place))).length === 0)
      throw notFound('webhook');
    return page;
  },
});

const getDelivery = readRoute({
  ...common,
  operation: 'getWebhookDelivery',
  method: 'GET',
  path: '/workspaces/:id/webhooks/:webhook_id/deliveries/:delivery_id',
  resource: 'delivery',
  summary: 'Read a delivery',
  description: 'One delivery with the log of its attempts: status of the answer, error, duration.',
  params: DeliveryParams,
  answer: DeliveryWithAttempts,
  examples: { params: deliveryParams, answer: { ...exampleDelivery, log: [exampleAttempt] } },
  handle: async ({ params, read }) => {
    const place = deliveryOf(params);
    const [row] = await read<repository.DeliveryRow>(repository.selectDelivery(place));
    if (!row) throw notFound('delivery');
    return toDeliveryWithAttempts(row, await read<repository.AttemptRow>(repository.selectAttempts(place)));
  },
});

const redeliverEvent = writeRoute({
  ...common,
  operation: 'redeliverWebhookEvent',
  method: 'POST',
  path: '/workspaces/:id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
  resource: 'delivery',
  summary: 'Deliver an event again',
  description:
    'Tries a finished delivery again, with the same `webhook-id`, so that a receiver can tell it apart.',
  params: DeliveryParams,
  status: 202,
  answer: Delivery,
  errors: ['CONFLICT'],
  examples: {
    params: deliveryParams,
    answer: {
      ...exampleDelivery,
      status: 'queued',
      next_attempt_at: '2026-02-04T08:00:00.000Z',
      finished_at: null,
    },
  },
  handle: async (context) => {
    const delivery = await redeliver(context, deliveryOf(context.params));
    const { id, webhook_id } = context.params;
    context.reply.header(
      'location',
      `/api/v1/workspaces/${id}/webhooks/${webhook_id}/deliveries/${delivery.id}`,
    );
    return delivery;
  },
});

export const webhookRoutes: readonly Route[] = [
  listWebhooks,
  postWebhook,
  getWebhook,
  patchWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listDeliveries,
  getDelivery,
  redeliverEvent,
];
