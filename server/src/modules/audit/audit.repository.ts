import { INSTALLATION } from '../../platform/audit/audit.js';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import type { Role } from '../../platform/identity/permissions.js';
import type { AuditFilters } from './audit.schemas.js';

export interface AuditRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly sequence: string | number;
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly token_id: string | null;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly redacted: boolean;
  readonly request_id: string | null;
  readonly hash: string;
  readonly created_at: string;
}

/** How far somebody reads: roles of a workspace that see all of its events, and roles that see their own. */
export interface AuditReader {
  readonly userId: string;
  /** Administers the installation: sees every event of every workspace. */
  readonly seesEverything: boolean;
  readonly allRoles: readonly Role[];
  readonly ownRoles: readonly Role[];
  readonly ownerSeesAll: boolean;
}

/**
 * The events that a reader may see, under the filters. Content is shown to whoever did it, to managers and to the
 * owner; to others it is redacted, and not searched either.
 */
export function selectEvents(reader: AuditReader, filters: AuditFilters): Statement {
  const pattern = filters.search ? containing(filters.search) : null;
  const action = filters.action ?? null;
  const prefix = action?.endsWith('.*') ? `${action.slice(0, -1).replaceAll('_', '\\_')}%` : null;
  return sql`
    select * from (
      select e.id, e.workspace_id, e.sequence, e.actor_id, p.email as actor_email, e.token_id, e.action,
             e.target_type, e.target_id, e.reason, e.before, e.after, e.request_id, encode(e.hash, 'hex') as hash,
             e.created_at,
             e.workspace_id <> ${INSTALLATION} and e.actor_id is distinct from ${reader.userId}
               and coalesce(m.role, '') <> 'manager' and w.owner_id is distinct from ${reader.userId} as redacted
      from audit_events e
      left join profiles p on p.id = e.actor_id
      left join workspaces w on w.id = e.workspace_id
      left join workspace_members m on m.workspace_id = e.workspace_id and m.user_id = ${reader.userId}
      where (
          ${reader.seesEverything}
          or (e.workspace_id = ${INSTALLATION} and e.actor_id = ${reader.userId})
          or (m.user_id is not null and (
            m.role = any (${reader.allRoles}) or (w.owner_id = m.user_id and ${reader.ownerSeesAll})
            or (m.role = any (${reader.ownRoles}) and e.actor_id = m.user_id)
          ))
        )
        and (${filters.workspace_id ?? null}::uuid is null or e.workspace_id = ${filters.workspace_id ?? null})
        and (${filters.actor_id ?? null}::uuid is null or e.actor_id = ${filters.actor_id ?? null})
        and (${action}::text is null or e.action = ${action} or e.action like ${prefix})
        and (${filters.target_type ?? null}::text is null or e.target_type = ${filters.target_type ?? null})
        and (${filters.target_id ?? null}::text is null or e.target_id = ${filters.target_id ?? null})
        and (${filters.from ?? null}::timestamptz is null or e.created_at >= ${filters.from ?? null})
        and (${filters.to ?? null}::timestamptz is null or e.created_at < ${filters.to ?? null})
    ) as visible
    where ${pattern}::text is null
      or concat_ws(' ', action, target_type, target_id, actor_email, request_id,
                   case when not redacted then reason end) ilike ${pattern}`;
}

/** At most `limit` of the matching events after the one that is given, newest first. */
export const selectSome = (matching: Statement, after: AuditRow | undefined, limit: number): Statement => sql`
  select * from (${matching}) as matching
  ${after ? sql`where (created_at, id) < (${after.created_at}, ${after.id}::uuid)` : sql``}
  order by created_at desc, id desc limit ${limit}`;

export interface CheckRow {
  readonly events: number;
  readonly first_broken: string | null;
  readonly last_sequence: string | null;
  readonly last_hash: string | null;
  readonly computed_hash: string | null;
}

/** Computes the chain of a workspace again and compares it with what is stored, its end included. */
export const selectCheck = (workspaceId: string): Statement => sql`
  with chained as (
    select sequence, hash,
           sequence <> row_number() over chain
             or hash is distinct from app.audit_hash(coalesce(lag(hash) over chain, ''), e) as broken
    from audit_events e where workspace_id = ${workspaceId}
    window chain as (order by sequence)
  )
  select (select count(*)::int from chained) as events,
         (select min(sequence) from chained where broken) as first_broken,
         (select encode(hash, 'hex') from chained order by sequence desc limit 1) as computed_hash,
         c.last_sequence, encode(c.last_hash, 'hex') as last_hash
  from (select) as one left join audit_chains c on c.workspace_id = ${workspaceId}`;
