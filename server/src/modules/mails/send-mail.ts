import type { Dependencies } from '../../platform/dependencies.js';
import { loadMailTexts } from '../../platform/mail/mail-texts.js';
import { type Mailer, openSmtp } from '../../platform/mail/smtp.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { makeLink } from '../auth/one-time-links.js';
import type { mailInvitationJob, sendMailJob } from './mails.jobs.js';
import * as repository from './mails.repository.js';

type Payload<Job extends { parse(payload: unknown): unknown }> = ReturnType<Job['parse']>;

const HOUR_MILLISECONDS = 3_600_000;
/** How long a mailed link works. */
const HOURS = { verify_address: 24, reset_password: 1 } as const;

/** Opened by the first mail of the process. Throws when the settings name no server any more. */
export function mailerOf({ configuration }: Dependencies): () => Promise<Mailer> {
  let opening: Promise<Mailer> | undefined;
  return () => {
    if (!configuration.mail) throw new Error('A mail waits, but SMTP_URL is not set.');
    opening ??= openSmtp(configuration.mail);
    return opening;
  };
}

/**
 * Sends a mail about an account. Every attempt makes a link of its own: only its hash is kept, and an attempt that failed
 * may have arrived. A mail for an address that nobody has is finished without being sent.
 */
export function sendMail(dependencies: Dependencies): JobHandler<Payload<typeof sendMailJob>> {
  const { configuration, database, clock } = dependencies;
  const texts = loadMailTexts();
  const mailer = mailerOf(dependencies);
  return async ({ mailId }) => {
    const prepared = await database.asSystem('mail to a person', async (transaction) => {
      const mail = await repository.findUnfinishedMail(transaction, mailId);
      if (!mail) return undefined;
      const account =
        mail.kind === 'reset_password'
          ? await repository.findAccountOf(transaction, mail.email)
          : { id: mail.user_id ?? '', email: mail.email };
      if (!account) {
        await repository.finishMail(transaction, mail.id);
        return undefined;
      }
      const { link } = await makeLink(transaction, configuration, {
        purpose: mail.kind,
        userId: account.id,
        email: account.email,
        expiresAt: new Date(clock().getTime() + HOURS[mail.kind] * HOUR_MILLISECONDS),
      });
      return { mail, to: account.email, link };
    });
    if (!prepared) return;
    const { mail, to, link } = prepared;
    const written = texts.write(mail.kind, mail.language, { service: configuration.baseUrl, link });
    await (await mailer()).send({ ...written, to });
    await database.asSystem('mail was sent', (transaction) => repository.finishMail(transaction, mail.id));
  };
}

/** Mails an invitation; one that is over, or names an account without a verified address, goes nowhere. */
export function mailInvitation(dependencies: Dependencies): JobHandler<Payload<typeof mailInvitationJob>> {
  const { configuration, database } = dependencies;
  const texts = loadMailTexts();
  const mailer = mailerOf(dependencies);
  return async ({ workspaceId, invitationId, language }) => {
    const prepared = await database.asSystem('mail to somebody who is invited', async (transaction) => {
      const found = await repository.findInvitation(transaction, { workspaceId, invitationId });
      if (!found?.email) return undefined;
      const { email, inviter, expires_at: expiresAt } = found;
      const about = { purpose: 'invitation', email, invitationId, expiresAt } as const;
      const { link } = await makeLink(transaction, configuration, about);
      return { to: email, inviter, link };
    });
    if (!prepared) return;
    const { to, inviter, link } = prepared;
    const written = texts.write('invitation', language, {
      service: configuration.baseUrl,
      link,
      inviter: inviter ?? texts.somebody(language),
    });
    await (await mailer()).send({ ...written, to });
  };
}
