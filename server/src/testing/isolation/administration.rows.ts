import { randomUUID } from 'node:crypto';
import type { IsolationRow, Place, World } from './row.js';

export const administrationRows: readonly IsolationRow[] = [
  { operation: 'listTokens', about: 'installation', prepare: async () => ({}) },
  {
    operation: 'createToken',
    about: 'installation',
    prepare: async () => ({ body: { name: 'Build' } }),
  },
  // Tokens are their user's: everybody else's is absent for everybody.
  {
    operation: 'getToken',
    about: 'installation',
    prepare: async () => ({ params: { id: randomUUID() } }),
    succeeds: 404,
  },
  {
    operation: 'revokeToken',
    about: 'installation',
    prepare: async () => ({ params: { id: randomUUID() } }),
    succeeds: 404,
  },
  ...['listAuditEvents', 'exportAuditEvents', 'checkAuditLog'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (_, place) => ({ query: { workspace_id: place.workspaceId } }),
      decided: { engineer: 200 },
    }),
  ),
  ...['listWebhooks', 'createWebhook'].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (_, place) => ({
        params: { id: place.workspaceId },
        ...(operation === 'createWebhook'
          ? { body: { url: 'https://example.org/', events: ['analysis.completed'] } }
          : {}),
      }),
    }),
  ),
  ...[
    'getWebhook',
    'changeWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'listWebhookDeliveries',
    'getWebhookDelivery',
    'redeliverWebhookEvent',
  ].map(
    (operation): IsolationRow => ({
      operation,
      about: 'workspace',
      prepare: async (world, place) => ({
        params: await deliveryIn(world, place),
        ...(operation === 'changeWebhook' ? { body: { description: 'New' } } : {}),
      }),
    }),
  ),
];

/** An endpoint with an event that could not be delivered. */
async function deliveryIn({ database }: World, { workspaceId, owner }: Place) {
  const ids = { id: workspaceId, webhook_id: randomUUID(), delivery_id: randomUUID() };
  await database.asOwner(
    `with endpoint as (
       insert into webhooks (workspace_id, id, url, events, secret, created_by)
       values ($1, $2, 'https://example.org/', '{analysis.completed}', '\\x00', $4))
     insert into webhook_deliveries (workspace_id, id, webhook_id, event, data, status, attempts, finished_at)
     values ($1, $3, $2, 'analysis.completed', '{}', 'failed', 10, now())`,
    [ids.id, ids.webhook_id, ids.delivery_id, owner.userId],
  );
  return ids;
}
