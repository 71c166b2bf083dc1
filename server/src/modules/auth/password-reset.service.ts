import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import { networkOf, takeTokens, tooMany } from '../../platform/http/rate-limit.js';
import type { Context, GuardedContext } from '../../platform/http/route.js';
import { hashPassword } from '../../platform/identity/passwords.js';
import { languageOf } from '../../platform/mail/mail-texts.js';
import { queueMail, requireMail } from '../mails/mails.service.js';
import * as repository from './auth.repository.js';
import type { HandedLink, NewPassword, ResetRequest } from './auth.schemas.js';
import { lockLink, makeLink, useLink } from './one-time-links.js';
import { requireGoodPassword } from './password-rules.js';
import * as sessions from './sessions.repository.js';
import { noteNetwork } from './sign-in-limits.js';

type Asking = Pick<Context, 'dependencies' | 'identity' | 'request' | 'now'>;
type Administering = Asking & Pick<GuardedContext, 'caller'>;

/** Anybody may ask for anybody's mail: few at once for one address, and from one network. */
const MAILS_PER_ADDRESS = { capacity: 3, perMinute: 0.1 } as const;
const REQUESTS_PER_NETWORK = { capacity: 20, perMinute: 4 } as const;
const DAY_MILLISECONDS = 86_400_000;
const SIGN_UP_DAYS = 7;

/**
 * Has a link mailed to the account with this address, if there is one. What happens here is the same for every address:
 * the job looks for the account. Throws 409 without mail, 429 after many requests from one network; too many for one
 * address are answered like the others, without another mail.
 */
export async function askForReset(
  { dependencies, request }: Asking,
  { email }: z.infer<typeof ResetRequest>,
): Promise<void> {
  requireMail(dependencies);
  const { database } = dependencies;
  const take = (key: string, size: { readonly capacity: number; readonly perMinute: number }) =>
    takeTokens(database, { key, size, share: size.capacity });
  const network = await take(`password reset at ${networkOf(request.ip)}`, REQUESTS_PER_NETWORK);
  if (network.granted === 0)
    throw tooMany('requests', ((1 - network.tokens) * 60) / REQUESTS_PER_NETWORK.perMinute);
  const digest = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  const address = await take(`password reset of ${digest}`, MAILS_PER_ADDRESS);
  if (address.granted === 0) return;
  const language = languageOf(request.headers['accept-language']);
  await database.asSystem('mail for a lost password', (transaction) =>
    queueMail(dependencies, transaction, { kind: 'reset_password', language, email }),
  );
}

/**
 * Sets a password by a link, and ends every session. A mailed link also verifies the address; if it was not verified
 * before, whoever made the account may have been somebody else: then its API tokens are revoked too. Throws 422.
 */
export async function resetPassword(
  { dependencies, identity, request, now }: Asking,
  { token, new_password: password }: z.infer<typeof NewPassword>,
): Promise<void> {
  const { database } = dependencies;
  const lock = { token, purposes: ['reset_password'], now } as const;
  // Before the work of a hash, and again when the password is set.
  const account = await database.asSystem('may set a password', async (transaction) => {
    const link = await lockLink(transaction, lock);
    return link?.user_id ? repository.findUser(transaction, link.user_id) : undefined;
  });
  if (!account) throw noLink();
  await requireGoodPassword('body.new_password', password, account);
  const passwordHash = await hashPassword(password);
  await database.asSystem('password reset', async (transaction) => {
    const link = await lockLink(transaction, lock);
    if (!link?.user_id) throw noLink();
    await useLink(transaction, link, { now, alike: true });
    await repository.updatePasswordHash(transaction, account.id, passwordHash);
    await sessions.endOtherSessions(transaction, undefined, account.id);
    const isNew =
      link.email !== null &&
      (await repository.verifyAddress(transaction, { id: account.id, email: link.email }));
    if (isNew) await sessions.revokeTokens(transaction, account.id);
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: account.id,
      action: 'user.password_reset',
      targetType: 'user',
      targetId: account.id,
      after: {
        by: link.made_by === null ? 'mail' : 'administrator',
        address: request.ip,
        email_verified_by_this: isNew,
      },
      requestId: request.id,
    });
  });
  await noteNetwork(dependencies, account.id, request.ip);
  identity.forget(account.id);
}

/** A link for a new password, valid for a day, for an administrator to hand out. Throws 404, 409 for an external user. */
export async function handOutReset(
  { dependencies, caller, request, now }: Administering,
  id: string,
): Promise<z.infer<typeof HandedLink>> {
  return dependencies.database.asSystem('an administrator hands out a link', async (transaction) => {
    const account = await repository.findAccount(transaction, id);
    if (!account) throw notFound('user');
    if (account.issuer !== null) {
      throw new ApiError('CONFLICT', 'This user has no password here: they sign in at an identity provider.');
    }
    const { token, link, expiresAt } = await makeLink(transaction, dependencies.configuration, {
      purpose: 'reset_password',
      userId: id,
      madeBy: caller.userId,
      expiresAt: new Date(now.getTime() + DAY_MILLISECONDS),
    });
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: caller.userId,
      action: 'user.reset_link_made',
      targetType: 'user',
      targetId: id,
      requestId: request.id,
    });
    return { token, link, expires_at: expiresAt.toISOString() };
  });
}

/** A link to sign up with an address that an administrator vouches for by handing it out. Throws 409 for a taken one. */
export async function handOutSignUp(
  { dependencies, caller, request, now }: Administering,
  { email }: { readonly email: string },
): Promise<z.infer<typeof HandedLink>> {
  return dependencies.database.asSystem('an administrator hands out a link', async (transaction) => {
    if (await repository.findCredentials(transaction, email)) {
      throw new ApiError('CONFLICT', 'There is an account with this email address already.');
    }
    const { token, link, expiresAt } = await makeLink(transaction, dependencies.configuration, {
      purpose: 'sign_up',
      email,
      madeBy: caller.userId,
      expiresAt: new Date(now.getTime() + SIGN_UP_DAYS * DAY_MILLISECONDS),
    });
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: caller.userId,
      action: 'user.sign_up_link_made',
      targetType: 'address',
      targetId: email,
      requestId: request.id,
    });
    return { token, link, expires_at: expiresAt.toISOString() };
  });
}

const noLink = (): ApiError =>
  invalid('body.token', 'This link has been used or has expired. Ask for another one.', 'no_link');
