import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import { UniqueViolation } from '../../platform/database/errors.js';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import { requireOwnPage } from '../../platform/http/own-page.js';
import { networkOf, takeTokens, tooMany } from '../../platform/http/rate-limit.js';
import type { Context, GuardedContext } from '../../platform/http/route.js';
import { shortened } from '../../platform/identity/callers.js';
import type { AccessToken, TokenSubject } from '../../platform/identity/identity.js';
import { hashPassword, verifyPassword } from '../../platform/identity/passwords.js';
import { cookieHash, newCookieSecret, sessionCookie } from '../../platform/identity/session-cookie.js';
import { refused } from '../../platform/identity/token-verifier.js';
import { acceptLink, requireLinkOf, tellJoined } from '../workspaces/own-invitations.service.js';
import * as repository from './auth.repository.js';
import type { BrowserSession, PasswordChange, SignIn, SignUp } from './auth.schemas.js';
import { requireGoodPassword } from './password-rules.js';
import * as sessions from './sessions.repository.js';
import { limited, noteNetwork } from './sign-in-limits.js';

type Signing = Pick<Context, 'dependencies' | 'identity' | 'request' | 'now'>;
type SignedInCaller = Pick<GuardedContext, 'dependencies' | 'identity' | 'request' | 'now' | 'caller'>;

/** Each sign-up costs a password hash, some tenths of a second of a core: this share of what other requests may. */
const SHARE_OF_SIGN_UPS = 5;

/** Throws 404 when an external issuer is configured: then the service has no sign-in of its own. */
export function requireEmbeddedProvider({ dependencies }: Pick<Context, 'dependencies'>): void {
  if (dependencies.configuration.auth.kind === 'embedded') return;
  throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
}

/** Makes an account and its first session, with an access token. Throws as `makeAccount` does. */
export async function signUp(
  signing: Signing,
  input: z.infer<typeof SignUp>,
): Promise<AccessToken & { user_id: string }> {
  const subject = await makeAccount(signing, input, newSession(signing));
  return { ...(await signing.identity.issue(subject)), user_id: subject.userId };
}

/** Opens a session with an access token. Throws as `enter` does. */
export async function signIn(
  signing: Signing,
  input: z.infer<typeof SignIn>,
): Promise<AccessToken & { user_id: string }> {
  const subject = await enter(signing, input, newSession(signing));
  return { ...(await signing.identity.issue(subject)), user_id: subject.userId };
}

type Browsing = Signing & Pick<Context, 'reply'>;

/** Makes an account and its first session, whose secret goes into a cookie. Throws as `makeAccount` does. */
export const signUpInBrowser = (browsing: Browsing, input: z.infer<typeof SignUp>): Promise<BrowserSession> =>
  inBrowser(browsing, (session) => makeAccount(browsing, input, session));

/** Opens a session whose secret goes into a cookie. Throws as `enter` does. */
export const signInInBrowser = (browsing: Browsing, input: z.infer<typeof SignIn>): Promise<BrowserSession> =>
  inBrowser(browsing, (session) => enter(browsing, input, session));

async function inBrowser(
  browsing: Browsing,
  open: (session: NewSession) => Promise<TokenSubject>,
): Promise<BrowserSession> {
  const { dependencies, request, reply, now } = browsing;
  const { configuration, database } = dependencies;
  requireOwnPage(request, new URL(configuration.baseUrl).origin);
  const cookie = sessionCookie(configuration);
  const before = cookie.read(request.headers.cookie);
  const secret = newCookieSecret();
  const { userId, session } = await open(newBrowserSession(browsing, cookieHash(secret)!));
  // The browser forgets the session that it had: nobody could end it any more.
  const hash = before === undefined ? undefined : cookieHash(before);
  if (hash) {
    await database.asSystem('a browser signs in again', (transaction) =>
      sessions.endSessionOfCookie(transaction, hash),
    );
  }
  reply.header('set-cookie', cookie.set(secret));
  return {
    user_id: userId,
    expires_in: Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000),
  };
}

/**
 * Makes an account and its first session. Throws 403 when `SIGN_UP` does not let this person in, 422 for an invitation
 * that is none, 409 when the address has an account, 429 after many from one client.
 */
async function makeAccount(
  signing: Signing,
  input: z.infer<typeof SignUp>,
  opening: NewSession,
): Promise<TokenSubject> {
  const { dependencies, now } = signing;
  await requireGoodPassword('body.password', input.password, input);
  await countSignUp(signing);
  // Before the work of a hash, and again when the account is made.
  await dependencies.database.asSystem('may sign up', (transaction) =>
    requireDoor(signing, transaction, input),
  );
  const passwordHash = await hashPassword(input.password);
  const { email, name, organization } = input;
  const { subject, joined } = await dependencies.database
    .asSystem('sign-up', async (transaction) => {
      await requireDoor(signing, transaction, input);
      // Whoever sets an installation up vouches for themselves.
      const emailVerified = await repository.isFirstUser(transaction);
      const account = { email, emailVerified, name, organization, passwordHash };
      const userId = await repository.insertUser(transaction, account);
      await repository.touchLastLogin(transaction, userId, now);
      const session = await sessions.insertSession(transaction, { ...opening, userId });
      await note(signing, transaction, { userId, action: 'user.signed_up' });
      const { isProven, joined } = await acceptLink(transaction, {
        ...proofOf(signing, input),
        userId,
        email,
        isNew: true,
      });
      const user = { user_id: userId, email, email_verified: emailVerified || isProven, name };
      return { subject: subjectOf(user, session), joined };
    })
    .catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error;
      throw new ApiError('CONFLICT', 'There is an account with this email address already.');
    });
  await tellJoined(dependencies.database, subject.userId, joined);
  await noteNetwork(dependencies, subject.userId, signing.request.ip);
  return subject;
}

/** Opens a session. An unknown address and a wrong password get the same answer after the same work. */
async function enter(
  signing: Signing,
  input: z.infer<typeof SignIn>,
  opening: NewSession,
): Promise<TokenSubject> {
  const { dependencies, now } = signing;
  let account: string | undefined;
  const attempt = { email: input.email, from: signing.request.ip };
  const found = await limited(dependencies, attempt, async () => {
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
  const { subject, joined } = await dependencies.database.asSystem('sign-in', async (transaction) => {
    await repository.touchLastLogin(transaction, found.user_id, now);
    const session = await sessions.insertSession(transaction, {
      ...opening,
      userId: found.user_id,
    });
    await note(signing, transaction, { userId: found.user_id, action: 'user.signed_in' });
    const { email, user_id: userId } = found;
    const { isProven, joined } = await acceptLink(transaction, { ...proofOf(signing, input), userId, email });
    if (await repository.isPastGuest(transaction, userId, now)) {
      throw new ApiError('AUTHORIZATION_ERROR', 'Your time as a guest has ended.', { reason: 'guest_ended' });
    }
    const user = { ...found, email_verified: found.email_verified || isProven };
    return { subject: subjectOf(user, session), joined };
  });
  await tellJoined(dependencies.database, found.user_id, joined);
  await noteNetwork(dependencies, found.user_id, signing.request.ip);
  return subject;
}

/** Ends the session of the token or cookie at once, on every process; with an external issuer, for its tokens too. */
export async function signOut(signedIn: SignedInCaller & Pick<Context, 'reply'>): Promise<void> {
  const { dependencies, identity, caller } = signedIn;
  await dependencies.database.asSystem('sign-out', async (transaction) => {
    await sessions.endSession(transaction, caller.sessionId, caller.userId);
    await note(signedIn, transaction, { userId: caller.userId, action: 'user.signed_out' });
  });
  identity.forget(caller.userId);
  if (caller.byCookie) signedIn.reply.header('set-cookie', sessionCookie(dependencies.configuration).clear());
}

/** Changes the password and ends every other session. Throws 422 when the current one is wrong, or the new one bad. */
export async function changePassword(
  signedIn: SignedInCaller,
  input: z.infer<typeof PasswordChange>,
): Promise<void> {
  const { dependencies, identity, caller } = signedIn;
  const profile = await dependencies.database.asSystem('password change', (transaction) =>
    repository.findUser(transaction, caller.userId),
  );
  await requireGoodPassword('body.new_password', input.new_password, profile ?? { email: caller.email });
  const attempt = { email: caller.email, from: signedIn.request.ip, isKnown: true };
  const isRight = await limited(dependencies, attempt, async () => {
    const stored = await dependencies.database.asSystem('password change', (transaction) =>
      repository.findPasswordHash(transaction, caller.userId),
    );
    return (await verifyPassword(input.current_password, stored?.password_hash)) || undefined;
  });
  if (!isRight) throw invalid('body.current_password', 'This is not the current password.', 'wrong_password');
  const passwordHash = await hashPassword(input.new_password);
  await dependencies.database.asSystem('password change', async (transaction) => {
    await repository.updatePasswordHash(transaction, caller.userId, passwordHash);
    await sessions.endOtherSessions(transaction, caller.sessionId, caller.userId);
    await note(signedIn, transaction, { userId: caller.userId, action: 'user.password_changed' });
  });
  identity.forget(caller.userId);
}

/**
 * A new access token bound to the same session. The session of an external token began when its issuer says so. Throws 401 `revoked_session` after `SESSION_MAX_HOURS` or a sign-out.
 */
export async function refresh(signedIn: SignedInCaller): Promise<AccessToken> {
  const { dependencies, identity, caller } = signedIn;
  if (caller.byCookie) {
    throw new ApiError('AUTHORIZATION_ERROR', 'The session of a browser has no access tokens.', {
      reason: 'session_by_cookie',
    });
  }
  const session = await dependencies.database.asSystem('refresh', (transaction) =>
    sessions.findSession(transaction, caller.sessionId, caller.userId),
  );
  if (!session?.open) throw refused('revoked_session', 'The session has ended. Sign in again.');
  const { userId, email, emailVerified, token } = caller;
  return identity.issue(
    subjectOf({ user_id: userId, email, email_verified: emailVerified, name: token.name }, session),
  );
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
  signing: Signing,
  transaction: Transaction,
  input: z.infer<typeof SignUp>,
): Promise<void> {
  const { signUp } = signing.dependencies.configuration;
  if (input.invitation !== undefined && signUp !== 'closed') {
    await requireLinkOf(transaction, { ...proofOf(signing, input), email: input.email });
    return;
  }
  if (signUp === 'open' || (await repository.isFirstUser(transaction))) return;
  throw new ApiError(
    'AUTHORIZATION_ERROR',
    signUp === 'invited'
      ? 'Accounts are made by invitation here. Open the link of yours, or ask an administrator for one.'
      : 'No accounts are made here. Ask an administrator.',
    { sign_up: signUp },
  );
}

/** The token that came along, as what reads it wants it. */
const proofOf = (
  { now, request }: Signing,
  { invitation: token }: { readonly invitation?: string | undefined },
) => ({ token, now, requestId: request.id });

async function countSignUp({ dependencies, request }: Signing): Promise<void> {
  const { rateLimitBurst, rateLimitPerMinute } = dependencies.configuration;
  const size = { capacity: rateLimitBurst, perMinute: rateLimitPerMinute / SHARE_OF_SIGN_UPS };
  const key = `sign-up address ${networkOf(request.ip)}`;
  const { granted, tokens } = await takeTokens(dependencies.database, { key, size, share: size.capacity });
  if (granted === 0) throw tooMany('sign-ups', ((1 - tokens) * 60) / size.perMinute);
}

type Opening = Pick<Context, 'now'> & {
  readonly dependencies: Pick<Context['dependencies'], 'configuration'>;
  readonly request: Pick<Context['request'], 'ip' | 'headers'>;
};
export type NewSession = Omit<Parameters<typeof sessions.insertSession>[1], 'userId'>;

const newSession = ({ dependencies, now, request }: Opening): NewSession => ({
  startedAt: now,
  expiresAt: minutesAfter(now, dependencies.configuration.sessionMaxHours * 60),
  address: request.ip,
  userAgent: shortened(request.headers['user-agent']),
  cookieHash: null,
});

export const newBrowserSession = (signing: Opening, hash: Buffer): NewSession => {
  const { sessionIdleMinutes, sessionMaxHours } = signing.dependencies.configuration;
  const minutes = Math.min(sessionIdleMinutes, sessionMaxHours * 60);
  return { ...newSession(signing), expiresAt: minutesAfter(signing.now, minutes), cookieHash: hash };
};

const minutesAfter = (start: Date, minutes: number): Date => new Date(start.getTime() + minutes * 60_000);

const subjectOf = (
  user: {
    readonly user_id: string;
    readonly email: string;
    readonly email_verified: boolean;
    readonly name: string;
  },
  session: sessions.SessionRow,
): TokenSubject => ({
  userId: user.user_id,
  email: user.email,
  emailVerified: user.email_verified,
  name: user.name,
  session: { id: session.id, startedAt: session.started_at, expiresAt: session.expires_at },
});
