import { createHash } from 'node:crypto';
import type { Transaction } from '../../platform/database/database.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError } from '../../platform/http/api-error.js';
import { takeTokens, tooMany } from '../../platform/http/rate-limit.js';
import { sendMailJob } from './mails.jobs.js';
import { insertMail, type MailRow } from './mails.repository.js';

/** Mails that one person can have sent: a team at once, then one a minute; to the same place, a few. */
const MAILS_OF_A_PERSON = { capacity: 50, perMinute: 1 } as const;
const MAILS_TO_ONE_PLACE = { capacity: 3, perMinute: 0.1 } as const;

/** Throws 429 when a person has had too many mails sent, or too many to this address or account. */
export async function requireMailsLeft(
  database: Dependencies['database'],
  { userId, to }: { readonly userId: string; readonly to: string },
): Promise<void> {
  const place = createHash('sha256').update(to.toLowerCase()).digest('base64url');
  const buckets = [
    { key: `mails of ${userId} to ${place}`, size: MAILS_TO_ONE_PLACE },
    { key: `mails of ${userId}`, size: MAILS_OF_A_PERSON },
  ];
  for (const { key, size } of buckets) {
    const { granted, tokens } = await takeTokens(database, { key, size, share: size.capacity });
    if (granted === 0) throw tooMany('mails', ((1 - tokens) * 60) / size.perMinute);
  }
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
