import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { makeLink } from '../auth/one-time-links.js';
import * as repository from './guests.repository.js';
import type { Guest, GuestAccess, IssuedGuest, NewGuest } from './guests.schemas.js';
import { isMember } from './invitations.repository.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies' | 'now'>;
type Ending = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'identity' | 'now' | 'afterCommit'>;

const MOST_MONTHS = 12;

export const toGuest = (row: repository.GuestRow, now: Date): Guest => ({
  id: row.id,
  email: row.email,
  scope: row.scope,
  target_id: row.target_id,
  state: stateOf(row, now),
  invited_by: row.invited_by,
  expires_at: timestamp(row.expires_at),
  entered_at: timestampOrNull(row.entered_at),
  ended_at: timestampOrNull(row.ended_at),
  ended_by: row.ended_by,
  created_at: timestamp(row.created_at),
});

function stateOf(row: repository.GuestRow, now: Date): Guest['state'] {
  if (row.ended_at !== null) return 'ended';
  if (new Date(row.expires_at) <= now) return 'expired';
  return row.entered_at === null ? 'invited' : 'active';
}

export const toAccess = (row: repository.GuestAccessRow): GuestAccess => ({
  id: row.id,
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  scope: row.scope,
  target_id: row.target_id,
  expires_at: timestamp(row.expires_at),
  created_at: timestamp(row.created_at),
});

/**
 * Lets the person with an address read something until a moment. The link is shown once, to whoever invites, and proves no
 * address. Throws 409 for a member, 422 for an end that is not within twelve months and for a target that is not there.
 */
export async function inviteGuest(
  { transaction, caller, request, dependencies, now }: Writing,
  workspaceId: string,
  { email, expires_at, scope, target_id: targetId }: z.output<typeof NewGuest>,
): Promise<IssuedGuest> {
  const expiresAt = new Date(expires_at);
  const latest = new Date(now);
  latest.setUTCMonth(latest.getUTCMonth() + MOST_MONTHS);
  if (expiresAt <= now || expiresAt > latest) {
    throw invalid(
      'body.expires_at',
      'A guest stays to a moment in the future, twelve months at most.',
      'out_of_range',
    );
  }
  if (await isMember(transaction, { workspaceId, invited: { email } })) {
    throw new ApiError('CONFLICT', 'This person is a member of the workspace already.');
  }
  if (scope !== 'workspace') {
    const isThere = await repository.hasTarget(transaction, { workspaceId, scope, targetId: targetId! });
    if (!isThere) throw invalid('body.target_id', `There is no such ${scope} in this workspace.`, 'unknown');
  }
  const row = await repository.insertGuest(transaction, {
    workspaceId,
    email,
    scope,
    targetId: targetId ?? null,
    invitedBy: caller.userId,
    expiresAt,
  });
  await recordAudit(transaction, {
    workspaceId,
    actorId: caller.userId,
    action: 'guest.invited',
    targetType: 'guest',
    targetId: row.id,
    after: { scope, target_id: targetId ?? null, expires_at: expiresAt.toISOString() },
    requestId: request.id,
  });
  // A link for a guest who was not committed after all opens nothing.
  const { token, link } = await dependencies.database.asSystem('link for a guest', (system) =>
    makeLink(system, dependencies.configuration, {
      purpose: 'guest',
      email,
      invitationId: row.id,
      madeBy: caller.userId,
      expiresAt,
    }),
  );
  return { ...toGuest(row, now), token, link };
}

/** Ends what a guest may see, and their streams, at once; also before they have come. Throws 404. */
export async function endGuest(
  { transaction, caller, request, identity, now, afterCommit }: Ending,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const ended = await repository.endGuest(transaction, { ...place, by: caller.userId, now });
  if (!ended) throw notFound('guest');
  await recordAudit(transaction, {
    workspaceId: place.workspaceId,
    actorId: caller.userId,
    action: 'guest.ended',
    targetType: 'guest',
    targetId: place.id,
    before: { scope: ended.scope, target_id: ended.target_id, expires_at: timestamp(ended.expires_at) },
    requestId: request.id,
  });
  const { user_id: userId } = ended;
  if (userId !== null) afterCommit(() => identity.forget(userId));
}
