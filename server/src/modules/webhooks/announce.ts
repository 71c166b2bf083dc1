import type { z } from 'zod';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { WEBHOOK_DATA, WebhookEventType } from './webhook-events.js';
import { deliverWebhookJob } from './webhooks.jobs.js';

/** Ids, counts, closed words and a link, as described. Never content of documents: it leaves the house. */
export type WebhookEvent = {
  [Type in WebhookEventType]: {
    readonly workspaceId: string;
    readonly type: Type;
    readonly data: Readonly<Omit<z.input<(typeof WEBHOOK_DATA)[Type]>, 'workspace_id' | 'url'>>;
    /** Path below the address of the service where more is to be had. */
    readonly path: string;
  };
}[WebhookEventType];

/** Tells the endpoints of the workspace, exactly if the caller's transaction commits. */
export const announce = (tools: Tools, transaction: Transaction, event: WebhookEvent): Promise<void> =>
  announceAll(tools, transaction, [event]);
type Tools = Pick<Dependencies, 'queue' | 'configuration'>;

/** Many events at once. */
export async function announceAll(
  { queue, configuration }: Tools,
  transaction: Transaction,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const told = events.map(({ workspaceId, type, data, path }) => ({
    type,
    workspace_id: workspaceId,
    data: { workspace_id: workspaceId, ...data, url: configuration.baseUrl + path },
  }));
  const deliveries = await transaction.many<{ id: string; workspace_id: string }>(sql`
    insert into webhook_deliveries (workspace_id, webhook_id, event, data, next_attempt_at)
    select w.workspace_id, w.id, e.type, e.data, now()
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as e (workspace_id uuid, type text, data jsonb)
    join webhooks w on w.workspace_id = e.workspace_id and w.active and e.type = any (w.events)
    returning id, workspace_id`);
  for (const { id, workspace_id } of deliveries) {
    await queue.enqueue(transaction, deliverWebhookJob, {
      workspaceId: workspace_id,
      deliveryId: id,
      attempts: '0',
    });
  }
}
