import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { GUEST_SCOPES } from './guests.schemas.js';

type Scope = (typeof GUEST_SCOPES)[number];

export interface GuestRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly email: string;
  readonly scope: Scope;
  readonly target_id: string | null;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly user_id: string | null;
  readonly entered_at: string | null;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
  readonly created_at: string;
}

const columns = sql`
  workspace_id, id, email, scope, target_id, invited_by, expires_at, user_id, entered_at, ended_at, ended_by, created_at`;

export const selectGuests = (workspaceId: string): Statement =>
  sql`select ${columns} from guests where workspace_id = ${workspaceId}`;

/** Whether there is such an analysis or report in the workspace. */
export const hasTarget = async (
  transaction: Transaction,
  {
    workspaceId,
    scope,
    targetId,
  }: {
    readonly workspaceId: string;
    readonly scope: Exclude<Scope, 'workspace'>;
    readonly targetId: string;
  },
): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(sql`
      select exists (select from ${scope === 'analysis' ? sql`analyses` : sql`reports`} t
                     where t.workspace_id = ${workspaceId} and t.id = ${targetId}) as found`)
  ).found;

export const insertGuest = (
  transaction: Transaction,
  guest: {
    readonly workspaceId: string;
    readonly email: string;
    readonly scope: Scope;
    readonly targetId: string | null;
    readonly invitedBy: string;
    readonly expiresAt: Date;
  },
): Promise<GuestRow> =>
  transaction.one(sql`
    insert into guests (workspace_id, email, scope, target_id, invited_by, expires_at)
    values (${guest.workspaceId}, ${guest.email}, ${guest.scope}, ${guest.targetId}, ${guest.invitedBy}, ${guest.expiresAt})
    returning ${columns}`);

/** Undefined where there is none, or it was ended before. */
export const endGuest = (
  transaction: Transaction,
  guest: { readonly workspaceId: string; readonly id: string; readonly by: string; readonly now: Date },
): Promise<GuestRow | undefined> =>
  transaction.maybeOne(sql`
    update guests set ended_at = ${guest.now}, ended_by = ${guest.by}
    where workspace_id = ${guest.workspaceId} and id = ${guest.id} and ended_at is null returning ${columns}`);

// Below: as the system, because a guest is no member.

export interface GuestAccessRow extends Pick<GuestRow, 'id' | 'workspace_id' | 'scope' | 'target_id'> {
  readonly workspace_name: string;
  readonly expires_at: string;
  readonly created_at: string;
}

export const selectOwnAccesses = (userId: string, now: Date): Statement => sql`
  select g.id, g.workspace_id, w.name as workspace_name, g.scope, g.target_id, g.expires_at, g.created_at
  from guests g join workspaces w on w.id = g.workspace_id
  where g.user_id = ${userId} and g.ended_at is null and g.expires_at > ${now}`;

/** What a link lets somebody into, if nobody has taken it and it has not ended; locked. */
export const lockOpenGuest = (
  transaction: Transaction,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<GuestRow | undefined> =>
  transaction.maybeOne(sql`
    select ${columns} from guests
    where id = ${id} and user_id is null and ended_at is null and expires_at > ${now} for update`);

export const isMemberOf = async (
  transaction: Transaction,
  { workspace_id }: Pick<GuestRow, 'workspace_id'>,
  userId: string,
): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(sql`
      select exists (select from workspace_members
                     where workspace_id = ${workspace_id} and user_id = ${userId}) as found`)
  ).found;

export const enterAsGuest = (
  transaction: Transaction,
  { id }: Pick<GuestRow, 'id'>,
  by: { readonly userId: string; readonly now: Date },
): Promise<number> =>
  transaction.run(sql`update guests set user_id = ${by.userId}, entered_at = ${by.now} where id = ${id}`);

/** The account ends with what its guest may see. */
export const markAsGuest = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(sql`update profiles set is_guest = true where id = ${userId}`);

/** Whoever becomes a member is a guest no more, there and as an account. */
export async function noGuestAnyMore(
  transaction: Transaction,
  { workspaceId, userId, now }: { readonly workspaceId: string; readonly userId: string; readonly now: Date },
): Promise<void> {
  await transaction.run(sql`update profiles set is_guest = false where id = ${userId} and is_guest`);
  await transaction.run(sql`
    update guests set ended_at = ${now}
    where workspace_id = ${workspaceId} and user_id = ${userId} and ended_at is null`);
}
