import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { UniqueViolation } from '../../platform/database/errors.js';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import { giveTokenBack, networkOf, takeTokens, tooMany } from '../../platform/http/rate-limit.js';
import type { Context, GuardedContext } from '../../platform/http/route.js';
import type { AccessToken, TokenSubject } from '../../platform/identity/identity.js';
import { hashPassword, verifyPassword } from '../../platform/identity/passwords.js';
import { refused, type VerifiedToken } from '../../platform/identity/token-verifier.js';
import { acceptInvitation, requireInvitation } from '../workspaces/invitations.service.js';
import * as repository from './auth.repository.js';
import type { PasswordChange, SignIn, SignUp } from './auth.schemas.js';

type Signing = Pick<Context, 'dependencies' | 'identity' | 'request' | 'now'>;
type SignedInCaller = Pick<GuardedContext, 'dependencies' | 'identity' | 'request' | 'now' | 'caller'>;

/** Wrong passwords: per account and per address. A right one gives its token back. */
const ATTEMPTS_PER_ACCOUNT = { capacity: 10, perMinute: 2 } as const;
const ATTEMPTS_PER_ADDRESS = { capacity: 40, perMinute: 10 } as const;
/** Each sign-up costs a password hash, some tenths of a second of a core: this share of what other requests may. */
const SHARE_OF_SIGN_UPS = 5;

/** Throws 404 when an external issuer is configured: then the service has no sign-in of its own. */
export function requireEmbeddedProvider({ dependencies }: Pick<Context, 'dependencies'>): void {
  if (dependencies.configuration.auth.kind === 'embedded') return;
  throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
}

/**
 * Makes an account and its first session. Throws 403 when `SIGN_UP` does not let this person in, 422 for an invitation
 * that is none, 409 when the address has an account, 429 after many from one client.
 */
export async function signUp(
  signing: Signing,
  input: z.infer<typeof SignUp>,
): Promise<AccessToken & { user_id: string }> {
  const { dependencies, identity, now } = signing;
  await countSignUp(signing);
  // Before the work of a hash, and again when the account is made.
  await dependencies.database.asSystem('may sign up', (transaction) =>
    requireDoor(signing, transaction, input),
  );
  const passwordHash = await hashPassword(input.password);
  const { email, name, organization } = input;
  const subject = await dependencies.database
    .asSystem('sign-up', async (transaction) => {
      await requireDoor(signing, transaction, input);
      const userId = await repository.insertUser(transaction, { email, name, organization, passwordHash });
      await repository.touchLastLogin(transaction, userId, now);
      const session = await repository.openSession(transaction, newSession(signing, userId));
      await note(signing, transaction, { userId, action: 'user.signed_up' });
      const isVerified = await useInvitation(signing, transaction, { ...input, userId });
      return subjectOf({ user_id: userId, email, email_verified: isVerified, name }, session);
    })
    .catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error;
      throw new ApiError('CONFLICT', 'There is an account with this email address already.');
    });
  return { ...(await identity.issue(subject)), user_id: subject.userId };
}

/** Opens a session. An unknown address and a wrong password get the same answer after the same work. */
export async function signIn(
  signing: Signing,
  input: z.infer<typeof SignIn>,
): Promise<AccessToken & { user_id: string }> {
  const { dependencies, identity, now } = signing;
  let account: string | undefined;
  const found = await limited(signing, input.email, async () => {
    const known = await dependencies.database.asSystem('sign-in', (transaction) =>
      repository.findCredentials(transaction, input.email),
    );
    account = known?.user_id;
    return (await verifyPassword(input.password, known?.password_hash)) ? known : undefined;
  });
  if (!found || found.deactivated) {
    // The same work whether there is such an account or not; the address itself could be a mistyped password.
    await dependencies.database.asSystem('failed sign-in', (transaction) =>
      note(signing, transaction, { userId: account, action: 'user.sign_in_failed' }),
    );
  }
  if (found?.deactivated) {
    throw new ApiError('AUTHORIZATION_ERROR', 'This account was deactivated. Ask an administrator.');
  }
  if (!found) {
    throw new ApiError('AUTHENTICATION_ERROR', 'The email address or the password is wrong.', {
      reason: 'wrong_credentials',
    });
  }
  const subject = await dependencies.database.asSystem('sign-in', async (transaction) => {
    await repository.touchLastLogin(transaction, found.user_id, now);
    const session = await repository.openSession(transaction, newSession(signing, found.user_id));
    await note(signing, transaction, { userId: found.user_id, action: 'user.signed_in' });
    const { invitation } = input;
    const isVerified = await useInvitation(signing, transaction, {
      email: found.email,
      userId: found.user_id,
      invitation,
    });
    return subjectOf({ ...found, email_verified: found.email_verified || isVerified }, session);
  });
  return { ...(await identity.issue(subject)), user_id: found.user_id };
}

/** Ends the session of the token at once, on every process. */
export async function signOut(signedIn: SignedInCaller): Promise<void> {
  const { dependencies, identity, caller } = signedIn;
  await dependencies.database.asSystem('sign-out', async (transaction) => {
    await repository.endSession(transaction, caller.token.session, caller.userId);
    await note(signedIn, transaction, { userId: caller.userId, action: 'user.signed_out' });
  });
  identity.forget(caller.userId);
}

/** Changes the password and ends every other session. Throws 422 when the current one is wrong. */
export async function changePassword(
  signedIn: SignedInCaller,
  input: z.infer<typeof PasswordChange>,
): Promise<void> {
  const { dependencies, identity, caller } = signedIn;
  const isRight = await limited(signedIn, caller.token.email, async () => {
    const stored = await dependencies.database.asSystem('password change', (transaction) =>
      repository.findPasswordHash(transaction, caller.userId),
    );
    return (await verifyPassword(input.current_password, stored?.password_hash)) || undefined;
  });
  if (!isRight) throw invalid('body.current_password', 'This is not the current password.', 'wrong_password');
  const passwordHash = await hashPassword(input.new_password);
  await dependencies.database.asSystem('password change', async (transaction) => {
    await repository.updatePasswordHash(transaction, caller.userId, passwordHash);
    await repository.endOtherSessions(transaction, caller.token.session, caller.userId);
    await note(signedIn, transaction, { userId: caller.userId, action: 'user.password_changed' });
  });
  identity.forget(caller.userId);
}

/**
 * A new access token bound to the same session. The session of an external token begins when its issuer says that
 * it began. Throws 401 `revoked_session` after `SESSION_MAX_HOURS` or a sign-out.
 */
export async function refresh(signedIn: SignedInCaller): Promise<AccessToken> {
  const { dependencies, identity, caller } = signedIn;
  const { token } = caller;
  const session = await dependencies.database.asSystem('refresh', (transaction) =>
    token.isOwn
      ? repository.findSession(transaction, token.session, caller.userId)
      : repository.openSession(transaction, externalSession(signedIn, token)),
  );
  if (!session?.open) throw refused('revoked_session', 'The session has ended. Sign in again.');
  return identity.issue(
    subjectOf(
      { user_id: caller.userId, email: token.email, email_verified: token.emailVerified, name: token.name },
      session,
    ),
  );
}

/**
 * Runs an attempt that a guesser could repeat. Undefined is a failure and costs a token of the account and of the
 * client address; throws 429 when either has none left.
 */
async function limited<T>(
  { dependencies, request }: Signing,
  email: string,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { database } = dependencies;
  const account = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  const buckets = [
    { key: `sign-in account ${account}`, size: ATTEMPTS_PER_ACCOUNT },
    { key: `sign-in address ${networkOf(request.ip)}`, size: ATTEMPTS_PER_ADDRESS },
  ];
  for (const { key, size } of buckets) {
    const { granted, tokens } = await takeTokens(database, { key, size, share: size.capacity });
    if (granted === 0) throw tooMany('attempts', ((1 - tokens) * 60) / size.perMinute);
  }
  const result = await attempt();
  if (result !== undefined) for (const { key, size } of buckets) await giveTokenBack(database, key, size);
  return result;
}

/** What happened to an account, and from which address. Nobody is the actor of an attempt that failed. */
const note = (
  { request }: Signing,
  transaction: Transaction,
  event: { readonly userId: string | undefined; readonly action: string },
): Promise<void> =>
  recordAudit(transaction, {
    workspaceId: INSTALLATION,
    actorId: event.action === 'user.sign_in_failed' ? null : (event.userId ?? null),
    action: event.action,
    targetType: 'user',
    targetId: event.userId ?? 'unknown',
    after: { address: request.ip },
    requestId: request.id,
  });

/** Whether `SIGN_UP` lets this person make an account; the first account of an installation can always be made. */
async function requireDoor(
  { dependencies, now }: Signing,
  transaction: Transaction,
  input: { readonly email: string; readonly invitation?: string | undefined },
): Promise<void> {
  const { signUp } = dependencies.configuration;
  if (input.invitation !== undefined && signUp !== 'closed') {
    await requireInvitation(transaction, { token: input.invitation, email: input.email, now });
    return;
  }
  if (signUp === 'open' || (await repository.isFirstUser(transaction))) return;
  throw new ApiError(
    'AUTHORIZATION_ERROR',
    signUp === 'invited'
      ? 'Accounts are made by invitation here. Ask for one from a workspace.'
      : 'No accounts are made here. Ask an administrator.',
    { sign_up: signUp },
  );
}

/** Accepts the invitation that came along, if one did. Answers whether it verifies the address. */
async function useInvitation(
  { now, request }: Signing,
  transaction: Transaction,
  claim: { readonly userId: string; readonly email: string; readonly invitation?: string | undefined },
): Promise<boolean> {
  const { invitation: token, userId, email } = claim;
  if (token === undefined) return false;
  const { verifies } = await acceptInvitation(transaction, {
    token,
    email,
    userId,
    now,
    requestId: request.id,
  });
  if (verifies) await repository.verifyEmail(transaction, userId);
  return verifies;
}

async function countSignUp({ dependencies, request }: Signing): Promise<void> {
  const { rateLimitBurst, rateLimitPerMinute } = dependencies.configuration;
  const size = { capacity: rateLimitBurst, perMinute: rateLimitPerMinute / SHARE_OF_SIGN_UPS };
  const key = `sign-up address ${networkOf(request.ip)}`;
  const { granted, tokens } = await takeTokens(dependencies.database, { key, size, share: size.capacity });
  if (granted === 0) throw tooMany('sign-ups', ((1 - tokens) * 60) / size.perMinute);
}

const newSession = ({ dependencies, now }: Signing, userId: string) => ({
  id: randomUUID(),
  userId,
  startedAt: now,
  expiresAt: hoursAfter(now, dependencies.configuration.sessionMaxHours),
});

/** The same external session always gets the same id. */
function externalSession({ dependencies, caller }: SignedInCaller, token: VerifiedToken) {
  const digest = createHash('sha256')
    .update(JSON.stringify([token.issuer, token.subject, token.session]))
    .digest();
  const startedAt = new Date(token.sessionStartedAt * 1000);
  const hex = digest.toString('hex');
  return {
    id: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
      '-',
    ),
    userId: caller.userId,
    startedAt,
    expiresAt: hoursAfter(startedAt, dependencies.configuration.sessionMaxHours),
  };
}

const hoursAfter = (start: Date, hours: number): Date => new Date(start.getTime() + hours * 3_600_000);

const subjectOf = (
  user: {
    readonly user_id: string;
    readonly email: string;
    readonly email_verified: boolean;
    readonly name: string;
  },
  session: repository.SessionRow,
): TokenSubject => ({
  userId: user.user_id,
  email: user.email,
  emailVerified: user.email_verified,
  name: user.name,
  session: { id: session.id, startedAt: session.started_at, expiresAt: session.expires_at },
});
