import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { deliverWebhookJob } from './webhooks.jobs.js';

/** Every kind of event, with what it says. */
export const WEBHOOK_EVENTS = {
  'analysis.completed': 'An analysis has its result; with its counts.',
  'analysis.failed': 'An analysis ended without a result: an error, or the time limit.',
  'gap.status_changed': 'A person changed the status of a gap. What a run changes is told by its counts.',
  'document.processed': 'A version of a work product was read, or could not be.',
  'report.completed': 'A report can be downloaded.',
} as const;
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

/** Ids, counts, closed words and a link. Never content of documents: it leaves the house. */
export interface WebhookEvent {
  readonly workspaceId: string;
  readonly type: WebhookEventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** Path below the address of the service where more is to be had. */
  readonly path: string;
}

/** Tells the endpoints of the workspace, exactly if the caller's transaction commits. */
export async function announce(
  { queue, configuration }: Pick<Dependencies, 'queue' | 'configuration'>,
  transaction: Transaction,
  { workspaceId, type, data, path }: WebhookEvent,
): Promise<void> {
  const told = { workspace_id: workspaceId, ...data, url: configuration.baseUrl + path };
  const deliveries = await transaction.many<{ id: string }>(sql`
    insert into webhook_deliveries (workspace_id, webhook_id, event, data, next_attempt_at)
    select workspace_id, id, ${type}, ${JSON.stringify(told)}::jsonb, now()
    from webhooks where workspace_id = ${workspaceId} and active and ${type} = any (events)
    returning id`);
  for (const { id } of deliveries) {
    await queue.enqueue(transaction, deliverWebhookJob, { workspaceId, deliveryId: id, attempts: '0' });
  }
}
