import { recordAudits } from '../../platform/audit/audit.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import * as accounts from '../auth/auth.repository.js';
import { lockLink, type OneTimeLink, useLink } from '../auth/one-time-links.js';
import * as guests from './guests.repository.js';
import * as repository from './invitations.repository.js';
import type { Joined, OwnInvitation } from './invitations.schemas.js';
import { tellMember } from './members.service.js';

type Answering = Pick<GuardedContext, 'dependencies' | 'identity' | 'caller' | 'request' | 'now'>;

/** A token that came along with a sign-up or sign-in, or none. */
interface Proof {
  readonly token: string | undefined;
  readonly now: Date;
  readonly requestId: string;
}

export const toOwnInvitation = (row: repository.OwnInvitationRow): OwnInvitation => ({
  id: row.id,
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  role: row.role,
  invited_by: { name: row.inviter_name, email: row.inviter_email },
  expires_at: timestamp(row.expires_at),
  created_at: timestamp(row.created_at),
});

/**
 * Makes a member of the caller. Throws 403 while their address is not verified, 404 for an invitation that is not
 * theirs or is over.
 */
export async function acceptOwn(context: Answering, id: string): Promise<Joined> {
  const { dependencies, identity, caller, request, now } = context;
  const joined = await dependencies.database.asSystem(
    'somebody accepts an invitation',
    async (transaction) => {
      const invitation = await lockOwn(transaction, { id, userId: caller.userId, now });
      return accept(transaction, invitation, { userId: caller.userId, now, requestId: request.id });
    },
  );
  identity.forget(caller.userId);
  await tellJoined(dependencies.database, caller.userId, joined);
  return joined;
}

/** Throws like `acceptOwn`. */
export async function declineOwn(
  { dependencies, caller, request, now }: Answering,
  id: string,
): Promise<void> {
  await dependencies.database.asSystem('somebody declines an invitation', async (transaction) => {
    const invitation = await lockOwn(transaction, { id, userId: caller.userId, now });
    await repository.declineInvitation(transaction, invitation, now);
    await recordAudits(transaction, [
      about(invitation, {
        userId: caller.userId,
        requestId: request.id,
        action: 'invitation.declined',
        after: { role: invitation.role },
      }),
    ]);
  });
}

/** Makes a member of whoever was mailed or handed the token and has the address. Verifies the address. Throws 422. */
export async function acceptByToken(context: Answering, token: string): Promise<Joined> {
  const { dependencies, identity, caller, request, now } = context;
  const joined = await dependencies.database.asSystem(
    'somebody accepts an invitation',
    async (transaction) => {
      const account = await accounts.findAccount(transaction, caller.userId);
      const claim = { token, now, email: account?.email ?? '', requestId: request.id, userId: caller.userId };
      const { link, invitation, guest } = await requireLinkOf(transaction, { ...claim, path: 'body.token' });
      if (guest) return enterAsGuest(transaction, { link, guest }, claim);
      if (!invitation) throw noInvitation('body.token');
      await prove(transaction, link, claim);
      return accept(transaction, invitation, claim);
    },
  );
  identity.forget(caller.userId);
  await tellJoined(dependencies.database, caller.userId, joined);
  return joined;
}

/**
 * The link of a token that invites or vouches for this address, and the invitation if it is about one. Throws 422
 * without one.
 */
export async function requireLinkOf(
  transaction: Transaction,
  claim: Proof & { readonly email: string; readonly path?: string },
): Promise<{
  readonly link: OneTimeLink;
  readonly invitation?: repository.OpenInvitation;
  readonly guest?: guests.GuestRow;
}> {
  const { token = '', email, now, path = 'body.invitation' } = claim;
  const link = await lockLink(transaction, { token, purposes: ['invitation', 'sign_up', 'guest'], now });
  if (link?.email?.toLowerCase() !== email.toLowerCase()) throw noInvitation(path);
  if (link.purpose === 'sign_up') return { link };
  if (link.purpose === 'guest') {
    const guest = await guests.lockOpenGuest(transaction, { id: link.invitation_id ?? '', now });
    if (!guest) throw noInvitation(path);
    return { link, guest };
  }
  const invitation = await repository.lockOpenInvitation(transaction, { id: link.invitation_id ?? '', now });
  if (!invitation) throw noInvitation(path);
  return { link, invitation };
}

/**
 * Uses the token that came along, if one did: verifies the address and makes a member, or a guest, as which a new account
 * ends. Answers whether the address is proven by it, and what was joined, for `tellJoined`.
 */
export async function acceptLink(
  transaction: Transaction,
  claim: Proof & { readonly userId: string; readonly email: string; readonly isNew?: true },
): Promise<{ readonly isProven: boolean; readonly joined?: Joined }> {
  if (claim.token === undefined) return { isProven: false };
  const { link, invitation, guest } = await requireLinkOf(transaction, claim);
  if (guest) {
    await enterAsGuest(transaction, { link, guest }, claim);
    if (claim.isNew) await guests.markAsGuest(transaction, claim.userId);
    return { isProven: false };
  }
  await prove(transaction, link, claim);
  if (!invitation) return { isProven: true };
  return { isProven: true, joined: await accept(transaction, invitation, claim) };
}

/** Tells who watches the workspace of a new member, after the commit: the system tells nobody. Guests are no members. */
export async function tellJoined(
  database: Pick<Database, 'withWorkspace'>,
  userId: string,
  joined: Joined | undefined,
): Promise<void> {
  if (!joined || joined.guest_id !== null) return;
  const { workspace_id: workspaceId } = joined;
  await database.withWorkspace(workspaceId, (transaction) =>
    tellMember(transaction, { workspaceId, userId }),
  );
}

const noInvitation = (path: string): ApiError =>
  invalid(
    path,
    'This is no open invitation of this email address. It may have expired: ask for another one.',
    'no_invitation',
  );

async function prove(
  transaction: Transaction,
  link: OneTimeLink,
  { userId, email, now }: { readonly userId: string; readonly email: string; readonly now: Date },
): Promise<void> {
  await useLink(transaction, link, { now });
  await accounts.verifyAddress(transaction, { id: userId, email });
}

/** Throws 409 for a member: they see more already. */
async function enterAsGuest(
  transaction: Transaction,
  { link, guest }: { readonly link: OneTimeLink; readonly guest: guests.GuestRow },
  by: { readonly userId: string; readonly now: Date; readonly requestId: string },
): Promise<Joined> {
  if (await guests.isMemberOf(transaction, guest, by.userId)) {
    throw new ApiError('CONFLICT', 'You are a member of this workspace already.');
  }
  await useLink(transaction, link, { now: by.now });
  await guests.enterAsGuest(transaction, guest, by);
  await recordAudits(transaction, [
    {
      workspaceId: guest.workspace_id,
      actorId: by.userId,
      action: 'guest.entered',
      targetType: 'guest',
      targetId: guest.id,
      after: { user_id: by.userId, scope: guest.scope },
      requestId: by.requestId,
    },
  ]);
  return { workspace_id: guest.workspace_id, role: 'viewer', guest_id: guest.id };
}

/** The caller's own open invitation. */
async function lockOwn(
  transaction: Transaction,
  claim: { readonly id: string; readonly userId: string; readonly now: Date },
): Promise<repository.OpenInvitation> {
  const account = await accounts.findAccount(transaction, claim.userId);
  if (!account?.email_verified) {
    throw new ApiError(
      'AUTHORIZATION_ERROR',
      'Invitations are for people whose email address is verified. Have yours verified first: POST ' +
        '/auth/me/verification, or an administrator.',
      { reason: 'address_not_verified' },
    );
  }
  const invitation = await repository.lockOpenInvitation(transaction, {
    id: claim.id,
    now: claim.now,
    of: { userId: claim.userId, email: account.email },
  });
  if (!invitation) throw notFound('invitation');
  return invitation;
}

async function accept(
  transaction: Transaction,
  invitation: repository.OpenInvitation,
  by: { readonly userId: string; readonly now: Date; readonly requestId: string },
): Promise<Joined> {
  const { userId } = by;
  const { role, isNew } = await repository.acceptInvitation(transaction, invitation, by);
  const after = { user_id: userId, role };
  await recordAudits(transaction, [
    about(invitation, { ...by, action: 'invitation.accepted', after }),
    ...(isNew
      ? [
          {
            ...about(invitation, { ...by, action: 'member.added', after: { role } }),
            targetType: 'member',
            targetId: userId,
          },
        ]
      : []),
  ]);
  await guests.noGuestAnyMore(transaction, { workspaceId: invitation.workspace_id, ...by });
  return { workspace_id: invitation.workspace_id, role, guest_id: null };
}

const about = (
  { workspace_id: workspaceId, id: targetId }: repository.OpenInvitation,
  event: {
    readonly userId: string;
    readonly requestId: string;
    readonly action: string;
    readonly after: unknown;
  },
) => ({
  workspaceId,
  actorId: event.userId,
  action: event.action,
  targetType: 'invitation',
  targetId,
  after: event.after,
  requestId: event.requestId,
});
