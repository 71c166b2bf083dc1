import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { languageOf } from '../../platform/mail/mail-texts.js';
import { queueMail, requireMail, requireMailsLeft } from '../mails/mails.service.js';
import * as repository from './auth.repository.js';
import type { AddressProof, AddressToVerify } from './auth.schemas.js';
import { lockLink, useLink } from './one-time-links.js';

type Own = Pick<GuardedContext, 'dependencies' | 'identity' | 'caller' | 'request' | 'now'>;

/**
 * Mails a link to the caller's address, or to the one that they name while nobody has named one for them (an issuer whose
 * tokens have none). Throws 409 without mail or when the address is verified already, 422 for another address.
 */
export async function askForProof(
  { dependencies, caller, request }: Own,
  input: z.infer<typeof AddressToVerify>,
): Promise<void> {
  requireMail(dependencies);
  const email = caller.email === '' ? input.email : caller.email;
  if (!email) {
    throw invalid('body.email', 'Your tokens name no address. Say which one is yours.', 'missing_address');
  }
  if (input.email !== undefined && input.email.toLowerCase() !== email.toLowerCase()) {
    throw invalid('body.email', 'Your account has another address.', 'another_address');
  }
  if (caller.emailVerified) throw new ApiError('CONFLICT', 'Your address is verified already.');
  await requireMailsLeft(dependencies.database, { userId: caller.userId, to: email });
  await dependencies.database.asSystem('mail to verify an address', async (transaction) => {
    const language = languageOf(request.headers['accept-language']);
    await queueMail(dependencies, transaction, {
      kind: 'verify_address',
      language,
      email,
      userId: caller.userId,
    });
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: caller.userId,
      action: 'user.verification_asked',
      targetType: 'user',
      targetId: caller.userId,
      requestId: request.id,
    });
  });
}

/**
 * Verifies the address that the link was mailed to. The caller has to be signed in as the account that asked: whoever
 * reads the mail alone would verify the account of a stranger. Throws 422.
 */
export async function proveAddress(
  { dependencies, identity, caller, request, now }: Own,
  { token }: z.infer<typeof AddressProof>,
): Promise<{ readonly email: string; readonly email_verified: true }> {
  const email = await dependencies.database.asSystem('an address is verified', async (transaction) => {
    const link = await lockLink(transaction, { token, purposes: ['verify_address'], now });
    const account = await repository.findAccount(transaction, caller.userId);
    const isTheirs = link?.user_id === caller.userId && link.email !== null;
    // The account may have got another address from its issuer meanwhile.
    const isCurrent = account?.email === '' || account?.email.toLowerCase() === link?.email?.toLowerCase();
    if (!link || !isTheirs || !isCurrent || link.email === null) {
      throw invalid(
        'body.token',
        'This is no open link for the address of your account. It may have expired: ask for another one.',
        'no_link',
      );
    }
    await useLink(transaction, link, { now, alike: true });
    await repository.verifyAddress(transaction, { id: caller.userId, email: link.email });
    await recordAudit(transaction, {
      workspaceId: INSTALLATION,
      actorId: caller.userId,
      action: 'user.address_verified',
      targetType: 'user',
      targetId: caller.userId,
      after: { email_verified: true },
      requestId: request.id,
    });
    return link.email;
  });
  identity.forget(caller.userId);
  return { email, email_verified: true };
}
