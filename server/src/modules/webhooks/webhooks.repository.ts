import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { WebhookEventType } from './webhook-events.js';

export interface WebhookRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: WebhookEventType[];
  readonly active: boolean;
  readonly disabled_reason: 'failing' | 'gone' | null;
  readonly failing_since: string | null;
  readonly previous_secret_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event: WebhookEventType;
  readonly status: 'queued' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly data: Record<string, unknown>;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export interface AttemptRow {
  readonly attempt: number;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly created_at: string;
}

interface Place {
  readonly workspaceId: string;
  readonly webhookId: string;
}
interface DeliveryPlace extends Place {
  readonly deliveryId: string;
}

const columns = sql`
  workspace_id, id, url, description, events, active, disabled_reason, failing_since, previous_secret_until, created_at,
  updated_at`;
const deliveryColumns = sql`
  id, webhook_id, event, status, attempts, next_attempt_at, response_status, error, data, created_at, finished_at`;

export const selectWebhooks = (workspaceId: string): Statement =>
  sql`select ${columns} from webhooks where workspace_id = ${workspaceId}`;

export const selectWebhook = ({ workspaceId, webhookId }: Place): Statement =>
  sql`${selectWebhooks(workspaceId)} and id = ${webhookId}`;

export const lockWebhook = (transaction: Transaction, place: Place): Promise<WebhookRow | undefined> =>
  transaction.maybeOne(sql`${selectWebhook(place)} for update`);

/** How many a workspace has; whoever asks locks the workspace, so that two cannot both make the last one. */
export async function countWebhooks(transaction: Transaction, workspaceId: string): Promise<number> {
  await transaction.one(sql`select id from workspaces where id = ${workspaceId} for update`);
  const { count } = await transaction.one<{ count: number }>(
    sql`select count(*)::int as count from webhooks where workspace_id = ${workspaceId}`,
  );
  return count;
}

export const insertWebhook = (
  transaction: Transaction,
  webhook: {
    readonly workspaceId: string;
    readonly url: string;
    readonly description: string;
    readonly events: readonly WebhookEventType[];
    readonly secret: Buffer;
    readonly createdBy: string;
  },
): Promise<WebhookRow> =>
  transaction.one(sql`
    insert into webhooks (workspace_id, url, description, events, secret, created_by)
    values (${webhook.workspaceId}, ${webhook.url}, ${webhook.description}, ${webhook.events}, ${webhook.secret},
            ${webhook.createdBy})
    returning ${columns}`);

/** Switched on again, an endpoint begins without its past failures. */
export const updateWebhook = (
  transaction: Transaction,
  webhook: Pick<WebhookRow, 'workspace_id' | 'id' | 'url' | 'description' | 'events' | 'active'>,
): Promise<WebhookRow> =>
  transaction.one(sql`
    update webhooks
    set url = ${webhook.url}, description = ${webhook.description}, events = ${webhook.events},
        failing_since = case when ${webhook.active} and not active then null else failing_since end,
        disabled_reason = case when ${webhook.active} then null else disabled_reason end,
        active = ${webhook.active}
    where workspace_id = ${webhook.workspace_id} and id = ${webhook.id}
    returning ${columns}`);

/** The secret before stays in use for a day: a trigger of the table keeps it. */
export const updateSecret = (transaction: Transaction, place: Place, secret: Buffer): Promise<WebhookRow> =>
  transaction.one(sql`
    update webhooks set secret = ${secret}
    where workspace_id = ${place.workspaceId} and id = ${place.webhookId}
    returning ${columns}`);

export const deleteWebhook = (transaction: Transaction, place: Place): Promise<number> =>
  transaction.run(sql`
    delete from webhooks where workspace_id = ${place.workspaceId} and id = ${place.webhookId}`);

export const selectDeliveries = (
  place: Place,
  filters: { readonly status?: string | undefined; readonly event?: string | undefined } = {},
): Statement => sql`
  select ${deliveryColumns} from webhook_deliveries
  where workspace_id = ${place.workspaceId} and webhook_id = ${place.webhookId}
    and (${filters.status ?? null}::text is null or status = ${filters.status ?? null})
    and (${filters.event ?? null}::text is null or event = ${filters.event ?? null})`;

export const selectDelivery = (place: DeliveryPlace): Statement =>
  sql`${selectDeliveries(place)} and id = ${place.deliveryId}`;

/** At most some dozens: ten each time that it was asked for. */
export const selectAttempts = ({ workspaceId, deliveryId }: DeliveryPlace): Statement => sql`
  select attempt, response_status, error, milliseconds, created_at from webhook_attempts
  where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} order by attempt desc limit 100`;

export const lockDelivery = (
  transaction: Transaction,
  place: DeliveryPlace,
): Promise<DeliveryRow | undefined> => transaction.maybeOne(sql`${selectDelivery(place)} for update`);

/** The delays begin anew; the attempts so far stay in the log. */
export const requeueDelivery = (
  transaction: Transaction,
  { workspaceId, deliveryId }: DeliveryPlace,
): Promise<DeliveryRow> =>
  transaction.one(sql`
    update webhook_deliveries
    set status = 'queued', earlier_attempts = attempts, next_attempt_at = now(), finished_at = null
    where workspace_id = ${workspaceId} and id = ${deliveryId} returning ${deliveryColumns}`);
