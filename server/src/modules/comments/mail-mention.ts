import type { Dependencies } from '../../platform/dependencies.js';
import { loadMailTexts } from '../../platform/mail/mail-texts.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import { mailerOf } from '../mails/send-mail.js';
import type { mailMentionJob } from './comments.jobs.js';
import * as repository from './comments.repository.js';

/** Mails that somebody was mentioned, without a word of the comment. Nothing goes out for one that was taken back or resolved. */
export function mailMention(
  dependencies: Dependencies,
): JobHandler<ReturnType<(typeof mailMentionJob)['parse']>> {
  const { configuration, database } = dependencies;
  const texts = loadMailTexts();
  const mailer = mailerOf(dependencies);
  return async ({ workspaceId, commentId, userId, language }) => {
    const comment = await database.withWorkspace(workspaceId, (transaction) =>
      repository.findOpenComment(transaction, commentId),
    );
    if (!comment?.mentions.includes(userId)) return;
    const found = await database.asSystem('mail to somebody who is mentioned', (transaction) =>
      repository.findMentioned(transaction, { workspaceId, userId, authorId: comment.author_id }),
    );
    if (!found) return;
    const written = texts.write('mention', language, {
      service: configuration.baseUrl,
      link: `${configuration.baseUrl}/`,
      author: found.author ?? texts.somebody(language),
    });
    await (await mailer()).send({ ...written, to: found.email });
  };
}
