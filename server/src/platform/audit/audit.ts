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
export async function recordAudit(transaction: Transaction, event: AuditEvent): Promise<void> {
  await transaction.run(sql`
    insert into audit_events (workspace_id, actor_id, action, target_type, target_id, reason, before, after, request_id,
                              token_id)
    values (${event.workspaceId}, ${event.actorId}, ${event.action}, ${event.targetType}, ${event.targetId},
            ${event.reason ?? null}, ${json(event.before)}::jsonb, ${json(event.after)}::jsonb,
            ${event.requestId ?? null}, ${event.tokenId ?? null})`);
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
