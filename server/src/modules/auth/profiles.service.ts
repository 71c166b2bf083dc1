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
 * into the profile, once; otherwise a profile that is not active gets the free plan. Throws 403 when id or address
 * are not those of the token.
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
  const { token, userId } = caller;
  if (input.id.toLowerCase() !== userId || input.email.toLowerCase() !== token.email.toLowerCase()) {
    throw new ApiError(
      'AUTHORIZATION_ERROR',
      'The id and the email address must be those of the access token.',
    );
  }
  const result = await dependencies.database.asSystem('subscription of a profile', async (transaction) => {
    const mayClaim = await payments.hasPending(transaction, token.email);
    if (mayClaim) await payments.takeTurn(transaction);
    const profile = await repository.lockProfile(transaction, userId);
    const { email_verified } =
      dependencies.configuration.auth.kind === 'embedded'
        ? await repository.isEmailVerified(transaction, userId)
        : await repository.noteIssuersWord(transaction, {
            id: userId,
            email: token.email,
            emailVerified: token.emailVerified,
          });
    await repository.touchLastLogin(transaction, userId, now);

    const isActive = profile.subscription_status === 'active';
    const hasPaidPlan =
      isActive && profile.subscription_plan !== null && profile.subscription_plan !== 'free';
    const pending =
      mayClaim && email_verified && !hasPaidPlan
        ? await payments.claimPending(transaction, { userId, email: token.email })
        : undefined;
    if (!pending && isActive)
      return { plan: profile.subscription_plan ?? 'free', migrated: false, message: 'Already active.' };

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
      message: pending ? `The ${plan} plan is now yours.` : 'The free plan is active.',
    };
  });
  identity.forget(userId);
  return {
    success: true,
    message: result.message,
    user_id: userId,
    email: token.email,
    subscription_migrated: result.migrated,
    subscription_plan: result.plan,
  };
}
