import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing } from '../../platform/http/pagination.js';
import type { Role } from '../../platform/identity/permissions.js';

export interface MemberRow {
  /** The user's id. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly is_owner: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

const members = sql`
  select m.user_id as id, p.email, p.name, m.role, w.owner_id = m.user_id as is_owner, m.created_at, m.updated_at
  from workspace_members m
  join workspaces w on w.id = m.workspace_id
  join profiles p on p.id = m.user_id`;

interface Place {
  readonly workspaceId: string;
  readonly userId: string;
}

export const selectMember = ({ workspaceId, userId }: Place): Statement =>
  sql`${members} where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`;

export const selectMembers = (
  workspaceId: string,
  filters: { readonly search?: string | undefined; readonly role?: Role | undefined },
): Statement => {
  const pattern = filters.search ? containing(filters.search) : null;
  return sql`${members}
    where m.workspace_id = ${workspaceId}
      and (${pattern}::text is null or p.email ilike ${pattern} or p.name ilike ${pattern})
      and (${filters.role ?? null}::text is null or m.role = ${filters.role ?? null})`;
};

/** Locks the workspace first, so that two changes of its members follow one another; others refer to it meanwhile. */
export async function lockMember(transaction: Transaction, place: Place): Promise<MemberRow | undefined> {
  await transaction.run(sql`select id from workspaces where id = ${place.workspaceId} for no key update`);
  return transaction.maybeOne(selectMember(place));
}

export const updateMember = (
  transaction: Transaction,
  place: Place & { readonly role: Role },
): Promise<number> =>
  transaction.run(sql`
    update workspace_members set role = ${place.role}
    where workspace_id = ${place.workspaceId} and user_id = ${place.userId}`);

export const updateOwner = (transaction: Transaction, place: Place): Promise<number> =>
  transaction.run(sql`update workspaces set owner_id = ${place.userId} where id = ${place.workspaceId}`);

export const deleteMember = (transaction: Transaction, place: Place): Promise<number> =>
  transaction.run(sql`
    delete from workspace_members where workspace_id = ${place.workspaceId} and user_id = ${place.userId}`);
