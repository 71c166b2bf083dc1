import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, text } from '../../platform/http/schemas.js';
import { Comment, NewComment } from './comments.schemas.js';

export const GapComment = Comment.pick({
  id: true,
  author: true,
  author_name: true,
  text: true,
  mentions: true,
  created_at: true,
  edited_at: true,
  resolved_at: true,
  resolved_by: true,
  deleted_at: true,
})
  .extend({ gap_id: Id })
  .meta({ id: 'GapComment', description: 'What a person said about a gap.' });
export type GapComment = z.output<typeof GapComment>;
export const GapCommentList = listOf('GapCommentList', GapComment);
export const GapCommentQuery = PageQuery.extend(sortedBy('created_at'));
export const GapCommentParams = z.strictObject({ gap_id: Id, comment_id: Id });

export const NewGapComment = z
  .strictObject({ text: text({ min: 1, max: 4000 }), mentions: NewComment.shape.mentions })
  .meta({ id: 'NewGapComment' });
