import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Role } from '../../platform/identity/permissions.js';

/** Whom an invitation is for: the address or the account that the inviter named. */
export type Invited =
  | { readonly email: string; readonly userId?: undefined }
  | { readonly email?: undefined; readonly userId: string };

export interface InvitationRow {
  readonly id: string;
  readonly email: string | null;
  readonly user_id: string | null;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly declined_at: string | null;
  readonly created_at: string;
}

const columns = sql`id, email, user_id, role, invited_by, expires_at, accepted_at, declined_at, created_at`;
const isOpen = sql`accepted_at is null and declined_at is null`;

export const selectInvitations = (workspaceId: string): Statement =>
  sql`select ${columns} from workspace_invitations where workspace_id = ${workspaceId}`;

/** What a member sees in the list of members as well. */
export const isMember = async (
  transaction: Transaction,
  member: { readonly workspaceId: string; readonly invited: Invited },
): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(sql`
      select exists (
        select from workspace_members m join profiles p on p.id = m.user_id
        where m.workspace_id = ${member.workspaceId}
          and (m.user_id = ${member.invited.userId ?? null}::uuid
               or lower(p.email) = lower(${member.invited.email ?? null}::text))
      ) as found`)
  ).found;

/** Replaces an open invitation of the same address or account. */
export async function insertInvitation(
  transaction: Transaction,
  invitation: {
    readonly workspaceId: string;
    readonly invited: Invited;
    readonly role: Role;
    readonly invitedBy: string;
    readonly expiresAt: Date;
  },
): Promise<InvitationRow> {
  const { workspaceId, invited } = invitation;
  const [email, userId] = [invited.email ?? null, invited.userId ?? null];
  // One after the other, so that of two at once the later replaces the earlier.
  await transaction.run(sql`select id from workspaces where id = ${workspaceId} for update`);
  await transaction.run(sql`
    delete from workspace_invitations
    where workspace_id = ${workspaceId} and ${isOpen}
      and (user_id = ${userId}::uuid or lower(email) = lower(${email}::text))`);
  return transaction.one(sql`
    insert into workspace_invitations (workspace_id, email, user_id, role, invited_by, expires_at)
    values (${workspaceId}, ${email}, ${userId}, ${invitation.role}, ${invitation.invitedBy}, ${invitation.expiresAt})
    returning ${columns}`);
}

export const deleteInvitation = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<{ role: Role } | undefined> =>
  transaction.maybeOne(sql`
    delete from workspace_invitations
    where workspace_id = ${place.workspaceId} and id = ${place.id} and accepted_at is null
    returning role`);

// Below: as the system, because whoever is invited is no member yet.

export interface OwnInvitationRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly role: Role;
  readonly inviter_name: string;
  readonly inviter_email: string;
  readonly expires_at: string;
  readonly created_at: string;
}

/** What waits for a person whose address is verified; nothing for anybody else. */
export const selectOwnInvitations = (userId: string, now: Date): Statement => sql`
  select i.id, i.workspace_id, w.name as workspace_name, i.role, by.name as inviter_name, by.email as inviter_email,
         i.expires_at, i.created_at
  from profiles me
  join workspace_invitations i on i.user_id = me.id or lower(i.email) = lower(me.email)
  join workspaces w on w.id = i.workspace_id
  join profiles by on by.id = i.invited_by
  where me.id = ${userId} and me.email_verified
    and i.accepted_at is null and i.declined_at is null and i.expires_at > ${now}`;

export interface OpenInvitation {
  readonly workspace_id: string;
  readonly id: string;
  readonly role: Role;
}

/** An invitation that can still be accepted, `of` a person if one is named; locked. */
export const lockOpenInvitation = (
  transaction: Transaction,
  claim: {
    readonly id: string;
    readonly now: Date;
    readonly of?: { readonly userId: string; readonly email: string };
  },
): Promise<OpenInvitation | undefined> =>
  transaction.maybeOne(sql`
    select workspace_id, id, role from workspace_invitations
    where id = ${claim.id} and ${isOpen} and expires_at > ${claim.now}
      and (${claim.of === undefined} or user_id = ${claim.of?.userId ?? null}::uuid
           or lower(email) = lower(${claim.of?.email ?? null}::text))
    for update`);

/** Makes the membership; somebody who is a member already keeps the role that they have. */
export async function acceptInvitation(
  transaction: Transaction,
  invitation: OpenInvitation,
  by: { readonly userId: string; readonly now: Date },
): Promise<{ readonly role: Role; readonly isNew: boolean }> {
  const { workspace_id, id, role } = invitation;
  await transaction.run(sql`
    update workspace_invitations set accepted_at = ${by.now}, accepted_by = ${by.userId}
    where workspace_id = ${workspace_id} and id = ${id}`);
  const made = await transaction.run(sql`
    insert into workspace_members (workspace_id, user_id, role) values (${workspace_id}, ${by.userId}, ${role})
    on conflict (workspace_id, user_id) do nothing`);
  const member = await transaction.one<{ role: Role }>(sql`
    select role from workspace_members where workspace_id = ${workspace_id} and user_id = ${by.userId}`);
  return { role: member.role, isNew: made > 0 };
}

export const declineInvitation = (
  transaction: Transaction,
  { workspace_id, id }: OpenInvitation,
  now: Date,
): Promise<number> =>
  transaction.run(sql`
    update workspace_invitations set declined_at = ${now} where workspace_id = ${workspace_id} and id = ${id}`);
