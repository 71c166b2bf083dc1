import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp, text } from '../../platform/http/schemas.js';

export const Comment = z
  .object({
    id: Id,
    gap_id: Id,
    author: Id,
    author_name: z.string().nullable().meta({
      description: 'Of somebody in an imported workspace, who has no account here; null otherwise.',
    }),
    text: z.string().nullable().meta({ description: 'Null once its author took it back.' }),
    created_at: Timestamp,
    deleted_at: Timestamp.nullable(),
  })
  .meta({ id: 'GapComment', description: 'What a person said about a gap. It is not edited.' });
export type Comment = z.output<typeof Comment>;
export const CommentList = listOf('GapCommentList', Comment);
export const CommentQuery = PageQuery.extend(sortedBy('created_at'));
export const CommentParams = z.strictObject({ gap_id: Id, comment_id: Id });

export const NewComment = z.strictObject({ text: text({ min: 1, max: 4000 }) }).meta({ id: 'NewGapComment' });
