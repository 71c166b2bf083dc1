import { z } from 'zod';
import { LANGUAGES } from '../../platform/mail/mail-texts.js';
import type { JobDefinition } from '../../platform/queue/queue.js';

const SendMail = z.strictObject({ mailId: z.guid() });
const MailInvitation = z.strictObject({
  workspaceId: z.guid(),
  invitationId: z.guid(),
  language: z.enum(LANGUAGES),
});

/** About an hour of a mail server that does not answer. */
const common = { retryLimit: 60, expireInSeconds: 120, concurrency: 4 } as const;

/** Sends a mail of `auth.mails`. */
export const sendMailJob: JobDefinition<z.output<typeof SendMail>> = {
  ...common,
  name: 'mails.send',
  parse: (payload) => SendMail.parse(payload),
};

/** Mails an invitation to whom it invites. */
export const mailInvitationJob: JobDefinition<z.output<typeof MailInvitation>> = {
  ...common,
  name: 'mails.invitation',
  parse: (payload) => MailInvitation.parse(payload),
};
