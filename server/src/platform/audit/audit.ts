import type { Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';

/** Events of the installation as a whole belong to this workspace. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

/** What was decided, about what, with the state before and after. Never content of documents. */
export interface AuditEvent {
  readonly workspaceId: string;
  /** `<resource>.<what happened>`: `member.role_changed`. */
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly actorId: string | null;
  readonly reason?: string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly requestId?: string | undefined;
  /** The API token of the actor; needed only as the system: an actor's transaction knows it. */
  readonly tokenId?: string | undefined;
}

/** Writes an event into the transaction of the change, so that both exist or neither. */
export const recordAudit = (transaction: Transaction, event: AuditEvent): Promise<void> =>
  recordAudits(transaction, [event]);

/** Many at once, in their order. */
export async function recordAudits(transaction: Transaction, events: readonly AuditEvent[]): Promise<void> {
  const rows = events.map(({ workspaceId, actorId, targetType, targetId, requestId, tokenId, ...same }) => ({
    ...same,
    workspace_id: workspaceId,
    actor_id: actorId,
    target_type: targetType,
    target_id: targetId,
    request_id: requestId,
    token_id: tokenId,
  }));
  await transaction.run(sql`
    insert into audit_events (workspace_id, actor_id, action, target_type, target_id, reason, before, after, request_id,
                              token_id)
    select e.workspace_id, e.actor_id, e.action, e.target_type, e.target_id, e.reason, e.before, e.after, e.request_id,
           e.token_id
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as one (event, number),
         jsonb_to_record(one.event)
           as e (workspace_id uuid, actor_id uuid, action text, target_type text, target_id text, reason text,
                 before jsonb, after jsonb, request_id text, token_id uuid)
    order by one.number`);
}
