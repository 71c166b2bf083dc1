import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { GuardedContext, WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import * as payments from '../payments/payments.repository.js';
import * as repository from './auth.repository.js';
import type { Profile, ProfileChange, SyncRequest, SyncResult } from './auth.schemas.js';

export const toProfile = (row: repository.ProfileRow): Profile => ({
  id: row.id,
  email: row.email,
  email_verified: row.email_verified,
  name: row.name,
  organization: row.organization,
  role: row.role,
  created_at: timestamp(row.created_at),
  last_login: timestampOrNull(row.last_login),
  subscription_status: row.subscription_status,
  subscription_plan: row.subscription_plan,
});

/** Changes what a person may change about themselves. */
export async function changeProfile(
  { transaction, precondition, caller }: Pick<WriteContext, 'transaction' | 'precondition' | 'caller'>,
  change: z.infer<typeof ProfileChange>,
): Promise<Profile> {
  const before = await repository.lockProfile(transaction, caller.userId);
  precondition.check(toProfile(before));
  const { name = before.name, organization = before.organization } = change;
  return toProfile(await repository.updateProfile(transaction, { id: before.id, name, organization }));
}

/**
 * What a client calls at the beginning of every session. A pending subscription of the verified address is moved
 * into the profile, once; otherwise a profile that is not active gets the free plan, also one without an address: it is
 * needed for payments and invitations only. Throws 403 when id or address are not those of the token.
 */
export async function syncProfile(
  {
    dependencies,
    identity,
    caller,
    now,
    request,
  }: Pick<GuardedContext, 'dependencies' | 'identity' | 'caller' | 'now' | 'request'>,
  input: z.infer<typeof SyncRequest>,
): Promise<z.infer<typeof SyncResult>> {
  const { token, userId, email } = caller;
  requireSelf(caller, input);
  const result = await dependencies.database.asSystem('subscription of a profile', async (transaction) => {
    const mayClaim = email !== '' && (await payments.hasPending(transaction, email));
    if (mayClaim) await payments.takeTurn(transaction);
    const profile = await repository.lockProfile(transaction, userId);
    await repository.touchLastLogin(transaction, userId, now);

    const isActive = profile.subscription_status === 'active';
    const hasPaidPlan =
      isActive && profile.subscription_plan !== null && profile.subscription_plan !== 'free';
    const pending =
      mayClaim && profile.email_verified && !hasPaidPlan
        ? await payments.claimPending(transaction, { userId, email })
        : undefined;
    const waiting = mayClaim && !profile.email_verified;
    const left = waiting ? ` ${WAITING}` : '';
    if (!pending && isActive) {
      const plan = profile.subscription_plan ?? 'free';
      return { plan, migrated: false, waiting, message: `Already active.${left}` };
    }

    const plan = pending ?? 'free';
    await repository.activate(transaction, userId, plan);
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: userId,
      action: 'subscription.activated',
      targetType: 'profile',
      targetId: userId,
      before: { status: profile.subscription_status, plan: profile.subscription_plan },
      after: { status: 'active', plan },
      requestId: request.id,
    });
    return {
      plan,
      migrated: pending !== undefined,
      waiting,
      message: pending ? `The ${plan} plan is now yours.` : `The free plan is active.${left}`,
    };
  });
  identity.forget(userId);
  return {
    success: true,
    message: result.message,
    user_id: userId,
    email: token.email || email,
    subscription_migrated: result.migrated,
    subscription_waiting: result.waiting,
    subscription_plan: result.plan,
  };
}

const WAITING =
  'A payment for your address waits until the address is verified: POST /auth/me/verification has a link mailed to it, ' +
  'or an administrator vouches for it.';

/** The id is the subject of the token, or the id of the account where another issuer had the subject before. */
function requireSelf(
  { token, userId, email }: GuardedContext['caller'],
  input: z.infer<typeof SyncRequest>,
): void {
  const isId = input.id === userId || input.id === token.subject;
  const known = [token.email, email].map((address) => address.toLowerCase());
  if (isId && known.includes(input.email.toLowerCase())) return;
  const isMissing = isId && token.email === '';
  throw new ApiError(
    'AUTHORIZATION_ERROR',
    isMissing
      ? 'The access token names no email address: leave `email` out, or have the issuer name one. AUTH_EMAIL_CLAIM ' +
          'says in which claim; POST /auth/me/verification has an address of your own verified.'
      : 'The id and the email address must be those of the access token.',
    isMissing ? { reason: 'address_missing', setting: 'AUTH_EMAIL_CLAIM' } : {},
  );
}
