import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { workspaceOfGap } from '../gaps/gaps.repository.js';
import { GapParams } from '../gaps/gaps.schemas.js';
import { commentExample, gapId } from '../runs/examples.js';
import * as repository from './comments.repository.js';
import { addComment, deleteComment, toComment } from './comments.service.js';
import {
  GapComment,
  GapCommentList,
  GapCommentParams,
  GapCommentQuery,
  NewGapComment,
} from './gap-comments.schemas.js';

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
  query: GapCommentQuery,
  answer: GapCommentList,
  examples: { params, answer: { items: [commentExample], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    const { params, query, read } = context;
    const page = await readPage(context, {
      query: { ...query, gap: params.gap_id },
      matching: repository.selectCommentsOfGap(params.gap_id),
      toItem: toGapComment,
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await read(workspaceOfGap(params.gap_id))).length === 0) throw notFound('gap');
    return page;
  },
});

const postComment = writeRoute({
  operation: 'addGapComment',
  method: 'POST',
  path: '/analysis/gaps/:gap_id/comments',
  tag,
  summary: 'Comment on a gap',
  description:
    'Says something about a gap, for every member of the workspace. It is edited and resolved at `PATCH /comments/{id}`.',
  permission: 'findings.comment',
  within: ({ params }) => workspaceOfGap(params.gap_id),
  resource: 'gap',
  params: GapParams,
  body: NewGapComment,
  status: 201,
  answer: GapComment,
  idempotent: true,
  examples: { params, body: { text: commentExample.text }, answer: commentExample },
  handle: async (context) => {
    const { transaction, params, body } = context;
    const gap = await transaction.maybeOne<{ workspace_id: string }>(workspaceOfGap(params.gap_id));
    if (!gap) throw notFound('gap');
    const { workspace_id } = gap;
    const comment = await addComment(context, { workspace_id, about: 'gap', gap_id: params.gap_id, ...body });
    context.reply.header('location', `/api/v1/analysis/gaps/${params.gap_id}/comments/${comment.id}`);
    return { ...comment, gap_id: params.gap_id };
  },
});

const removeComment = writeRoute({
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
  params: GapCommentParams,
  status: 204,
  examples: { params: { gap_id: gapId, comment_id: commentExample.id } },
  handle: async (context) => {
    const { gap_id, comment_id } = context.params;
    const row = await repository.lockComment(context.transaction, comment_id);
    if (row?.gap_id !== gap_id) throw notFound('comment');
    await deleteComment(context, comment_id);
  },
});

const toGapComment = (row: repository.CommentRow): GapComment => ({
  ...toComment(row),
  gap_id: row.gap_id ?? '',
});

export const gapCommentRoutes: readonly Route[] = [listComments, postComment, removeComment];
