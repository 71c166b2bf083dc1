import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Role } from '../../platform/identity/permissions.js';

export interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly created_at: string;
}

const columns = sql`id, email, role, invited_by, expires_at, accepted_at, created_at`;

export const selectInvitations = (workspaceId: string): Statement =>
  sql`select ${columns} from workspace_invitations where workspace_id = ${workspaceId}`;

export const isMember = async (
  transaction: Transaction,
  member: { readonly workspaceId: string; readonly email: string },
): Promise<boolean> =>
  (
    await transaction.one<{ found: boolean }>(sql`
      select exists (
        select from workspace_members m join profiles p on p.id = m.user_id
        where m.workspace_id = ${member.workspaceId} and lower(p.email) = lower(${member.email})
      ) as found`)
  ).found;

/** Replaces an open invitation of the same address. */
export async function insertInvitation(
  transaction: Transaction,
  invitation: {
    readonly workspaceId: string;
    readonly email: string;
    readonly role: Role;
    readonly tokenHash: Buffer;
    readonly vouches: boolean;
    readonly invitedBy: string;
    readonly expiresAt: Date;
  },
): Promise<InvitationRow> {
  const { workspaceId, email } = invitation;
  // One after the other, so that of two at once the later replaces the earlier.
  await transaction.run(sql`select id from workspaces where id = ${workspaceId} for update`);
  await transaction.run(sql`
    delete from workspace_invitations
    where workspace_id = ${workspaceId} and lower(email) = lower(${email}) and accepted_at is null`);
  return transaction.one(sql`
    insert into workspace_invitations (workspace_id, email, role, token_hash, vouches, invited_by, expires_at)
    values (${workspaceId}, ${email}, ${invitation.role}, ${invitation.tokenHash}, ${invitation.vouches},
            ${invitation.invitedBy}, ${invitation.expiresAt})
    returning ${columns}`);
}

export const deleteInvitation = (
  transaction: Transaction,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<{ email: string; role: Role } | undefined> =>
  transaction.maybeOne(sql`
    delete from workspace_invitations
    where workspace_id = ${place.workspaceId} and id = ${place.id} and accepted_at is null
    returning email, role`);

// Below: as the system, because whoever accepts is no member yet.

export interface OpenInvitation {
  readonly workspace_id: string;
  readonly id: string;
  readonly role: Role;
  readonly vouches: boolean;
}

/** The invitation of a token for an address, if it can still be accepted; locked. */
export const lockOpenInvitation = (
  transaction: Transaction,
  claim: { readonly tokenHash: Buffer; readonly email: string; readonly now: Date },
): Promise<OpenInvitation | undefined> =>
  transaction.maybeOne(sql`
    select workspace_id, id, role, vouches from workspace_invitations
    where token_hash = ${claim.tokenHash} and lower(email) = lower(${claim.email})
      and accepted_at is null and expires_at > ${claim.now}
    for update`);

/** Makes the membership; somebody who is a member already keeps the role that they have. */
export async function acceptInvitation(
  transaction: Transaction,
  invitation: OpenInvitation,
  by: { readonly userId: string; readonly now: Date },
): Promise<void> {
  const { workspace_id, id, role } = invitation;
  await transaction.run(sql`
    update workspace_invitations set accepted_at = ${by.now}, accepted_by = ${by.userId}
    where workspace_id = ${workspace_id} and id = ${id}`);
  await transaction.run(sql`
    insert into workspace_members (workspace_id, user_id, role) values (${workspace_id}, ${by.userId}, ${role})
    on conflict (workspace_id, user_id) do nothing`);
}
