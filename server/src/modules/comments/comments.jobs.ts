import { z } from 'zod';
import { LANGUAGES } from '../../platform/mail/mail-texts.js';
import type { JobDefinition } from '../../platform/queue/queue.js';

const MailMention = z.strictObject({
  workspaceId: z.guid(),
  commentId: z.guid(),
  userId: z.guid(),
  language: z.enum(LANGUAGES),
});

/** Mails somebody that a comment mentions them. */
export const mailMentionJob: JobDefinition<z.output<typeof MailMention>> = {
  name: 'mails.mention',
  parse: (payload) => MailMention.parse(payload),
  retryLimit: 60,
  expireInSeconds: 120,
  concurrency: 4,
};
