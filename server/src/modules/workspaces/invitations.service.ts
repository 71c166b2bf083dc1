import { createHash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import * as repository from './invitations.repository.js';
import type { Invitation, IssuedInvitation, NewInvitation } from './invitations.schemas.js';
import { requireWithin } from './members.service.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'grant' | 'request' | 'dependencies' | 'now'>;

const OPEN_DAYS = 7;

export const toInvitation = (row: repository.InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.invited_by,
  expires_at: timestamp(row.expires_at),
  accepted_at: timestampOrNull(row.accepted_at),
  created_at: timestamp(row.created_at),
});

/**
 * Invites an address into a workspace; answers the token, which is stored as its hash only. Accepting verifies the
 * address when the inviter is an administrator or a manager of the installation: anybody can own a workspace, and a
 * verified address is worth what was paid for it. Throws 409 when a member has the address.
 */
export async function invite(
  { transaction, caller, grant, request, dependencies, now }: Writing,
  workspaceId: string,
  input: z.infer<typeof NewInvitation>,
): Promise<z.infer<typeof IssuedInvitation>> {
  requireWithin(grant, [input.role]);
  if (await repository.isMember(transaction, { workspaceId, email: input.email })) {
    throw new ApiError('CONFLICT', 'This person is a member of the workspace already.');
  }
  const token = `inv_${randomBytes(32).toString('base64url')}`;
  const row = await repository.insertInvitation(transaction, {
    ...input,
    workspaceId,
    tokenHash: hashOf(token),
    vouches: caller.role === 'admin' || caller.role === 'manager',
    invitedBy: caller.userId,
    expiresAt: new Date(now.getTime() + OPEN_DAYS * 86_400_000),
  });
  await recordAudit(transaction, {
    workspaceId,
    actorId: caller.userId,
    action: 'invitation.created',
    targetType: 'invitation',
    targetId: row.id,
    after: { role: input.role },
    requestId: request.id,
  });
  // Behind the #, where no log and no server sees it.
  return { ...toInvitation(row), token, link: `${dependencies.configuration.baseUrl}/#invitation=${token}` };
}

/** Withdraws an invitation that nobody has accepted. Throws 404. */
export async function withdraw(
  { transaction, caller, grant, request }: Writing,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const removed = await repository.deleteInvitation(transaction, place);
  if (!removed) throw notFound('invitation');
  requireWithin(grant, [removed.role]);
  await recordAudit(transaction, {
    workspaceId: place.workspaceId,
    actorId: caller.userId,
    action: 'invitation.withdrawn',
    targetType: 'invitation',
    targetId: place.id,
    before: { role: removed.role },
    requestId: request.id,
  });
}

/** Throws 422 when the token is not an open invitation of this address. */
export async function requireInvitation(
  transaction: Transaction,
  claim: { readonly token: string; readonly email: string; readonly now: Date },
): Promise<repository.OpenInvitation> {
  const { token, email, now } = claim;
  const found = await repository.lockOpenInvitation(transaction, { tokenHash: hashOf(token), email, now });
  if (found) return found;
  throw invalid(
    'body.invitation',
    'This is no open invitation of this email address. It may have expired: ask for another one.',
    'no_invitation',
  );
}

/** Makes a member of whoever holds the token and the address. Answers whether it verifies the address. */
export async function acceptInvitation(
  transaction: Transaction,
  claim: {
    readonly token: string;
    readonly email: string;
    readonly userId: string;
    readonly now: Date;
    readonly requestId: string;
  },
): Promise<{ readonly verifies: boolean }> {
  const invitation = await requireInvitation(transaction, claim);
  await repository.acceptInvitation(transaction, invitation, claim);
  await recordAudit(transaction, {
    workspaceId: invitation.workspace_id,
    actorId: claim.userId,
    action: 'invitation.accepted',
    targetType: 'invitation',
    targetId: invitation.id,
    after: { user_id: claim.userId, role: invitation.role },
    requestId: claim.requestId,
  });
  return { verifies: invitation.vouches };
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
