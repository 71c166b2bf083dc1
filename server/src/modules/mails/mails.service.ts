import type { Transaction } from '../../platform/database/database.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError } from '../../platform/http/api-error.js';
import { takeTokens, tooMany } from '../../platform/http/rate-limit.js';
import { sendMailJob } from './mails.jobs.js';
import { insertMail, type MailRow } from './mails.repository.js';

/** Mails that one person can have sent to others: a team at once, then one a minute. */
const MAILS_OF_A_PERSON = { capacity: 50, perMinute: 1 } as const;

/** Throws 429 when a person has had too many mails sent. */
export async function requireMailsLeft(database: Dependencies['database'], userId: string): Promise<void> {
  const size = MAILS_OF_A_PERSON;
  const { granted, tokens } = await takeTokens(database, {
    key: `mails of ${userId}`,
    size,
    share: size.capacity,
  });
  if (granted === 0) throw tooMany('mails', ((1 - tokens) * 60) / size.perMinute);
}

/** Throws 409 when this service sends no mails. */
export function requireMail({ configuration }: Pick<Dependencies, 'configuration'>): void {
  if (configuration.mail) return;
  throw new ApiError(
    'CONFLICT',
    'This service sends no mails (SMTP_URL is not set). Ask an administrator of the installation instead.',
    { reason: 'no_mail' },
  );
}

/** Has a mail sent, exactly if the transaction commits. As the system. */
export async function queueMail(
  { queue }: Pick<Dependencies, 'queue'>,
  transaction: Transaction,
  mail: Omit<MailRow, 'id' | 'user_id'> & { readonly userId?: string },
): Promise<void> {
  await queue.enqueue(transaction, sendMailJob, { mailId: await insertMail(transaction, mail) });
}
