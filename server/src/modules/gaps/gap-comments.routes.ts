import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, type WriteContext, writeRoute } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { commentExample, gapId } from '../runs/examples.js';
import * as repository from './gap-comments.repository.js';
import { Comment, CommentList, CommentParams, CommentQuery, NewComment } from './gap-comments.schemas.js';
import { workspaceOfGap } from './gaps.repository.js';
import { GapParams } from './gaps.schemas.js';

const tag = 'Analysis';
const params = { gap_id: gapId };

const listComments = readRoute({
  operation: 'listGapComments',
  method: 'GET',
  path: '/analysis/gaps/:gap_id/comments',
  tag,
  summary: 'List the comments on a gap',
  description: 'Newest first. Of a comment that was taken back it is told that there was one.',
  permission: 'analyses.read',
  within: 'visible',
  resource: 'gap',
  params: GapParams,
  query: CommentQuery,
  answer: CommentList,
  examples: { params, answer: { items: [commentExample], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    const { params, query, read } = context;
    const page = await readPage(context, {
      query: { ...query, gap: params.gap_id },
      matching: repository.selectComments(params.gap_id),
      toItem: toComment,
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await read(workspaceOfGap(params.gap_id))).length === 0) throw notFound('gap');
    return page;
  },
});

const addComment = writeRoute({
  operation: 'addGapComment',
  method: 'POST',
  path: '/analysis/gaps/:gap_id/comments',
  tag,
  summary: 'Comment on a gap',
  description: 'Says something about a gap, for every member of the workspace. A comment is not edited.',
  permission: 'findings.comment',
  within: ({ params }) => workspaceOfGap(params.gap_id),
  resource: 'gap',
  params: GapParams,
  body: NewComment,
  status: 201,
  answer: Comment,
  idempotent: true,
  examples: { params, body: { text: commentExample.text }, answer: commentExample },
  handle: async (context) => {
    const { transaction, params, body, caller } = context;
    const comment = { gapId: params.gap_id, authorId: caller.userId, text: body.text };
    const row = await repository.insertComment(transaction, comment);
    if (!row) throw notFound('gap');
    await audit(context, row, 'gap.commented');
    context.reply.header('location', `/api/v1/analysis/gaps/${params.gap_id}/comments/${row.id}`);
    return toComment(row);
  },
});

const deleteComment = writeRoute({
  operation: 'deleteGapComment',
  method: 'DELETE',
  path: '/analysis/gaps/:gap_id/comments/:comment_id',
  tag,
  summary: 'Take a comment back',
  description: 'Removes the text of one’s own comment. That there was one stays.',
  permission: 'findings.comments.delete',
  enforces: ['own'],
  within: ({ params }) => workspaceOfGap(params.gap_id),
  resource: 'comment',
  params: CommentParams,
  status: 204,
  examples: { params: { gap_id: gapId, comment_id: commentExample.id } },
  handle: async (context) => {
    const row = await repository.lockComment(context.transaction, context.params);
    if (!row || row.deleted_at !== null) throw notFound('comment');
    if (row.author_id !== context.caller.userId) {
      throw new ApiError('AUTHORIZATION_ERROR', 'Only who wrote a comment can take it back.');
    }
    await repository.takeBackComment(context.transaction, row);
    await audit(context, row, 'gap.comment_deleted');
  },
});

const toComment = (row: repository.CommentRow): Comment => ({
  id: row.id,
  gap_id: row.gap_id,
  author: row.author_id,
  author_name: row.author_name,
  text: row.text,
  created_at: timestamp(row.created_at),
  deleted_at: timestampOrNull(row.deleted_at),
});

/** Without the text: it could not be taken back from the audit log. */
const audit = (
  { transaction, caller, request }: Pick<WriteContext, 'transaction' | 'caller' | 'request'>,
  row: repository.CommentRow,
  action: string,
): Promise<void> =>
  recordAudit(transaction, {
    workspaceId: row.workspace_id,
    action,
    targetType: 'gap',
    targetId: row.gap_id,
    actorId: caller.userId,
    after: { comment_id: row.id },
    requestId: request.id,
  });

export const gapCommentRoutes: readonly Route[] = [listComments, addComment, deleteComment];
