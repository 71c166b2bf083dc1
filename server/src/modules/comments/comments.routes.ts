import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { namesIn } from '../names/names.js';
import { userId, workProductId, workspaceId } from '../runs/examples.js';
import { selectWorkspace } from '../workspaces/workspaces.repository.js';
import * as repository from './comments.repository.js';
import {
  Comment,
  CommentChange,
  CommentList,
  CommentParams,
  CommentsQuery,
  EDITED_MINUTES,
  NewComment,
} from './comments.schemas.js';
import { addComment, changeComment, deleteComment, toComment } from './comments.service.js';

const tag = 'Comments';
const example = {
  id: '4e5d6c7b-8a90-4b1c-9d2e-3f4a5b6c7d8e',
  workspace_id: workspaceId,
  about: 'document',
  gap_id: null,
  standard_id: null,
  criterion_id: null,
  artifact_id: null,
  checklist_id: null,
  item_id: null,
  work_product_id: workProductId,
  version: 2,
  range: { start: 18_204, end: 18_245 },
  quote: 'The safe state is a door that stays where it is.',
  author: userId,
  author_name: null,
  text: '@Kim Sommer, does this hold below 0 °C?',
  mentions: ['7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4'],
  created_at: '2026-02-01T10:00:00.000Z',
  updated_at: '2026-02-01T10:00:00.000Z',
  edited_at: null,
  resolved_at: null,
  resolved_by: null,
  deleted_at: null,
};
const params = { id: example.id };

const list = readRoute({
  operation: 'listComments',
  method: 'GET',
  path: '/comments',
  tag,
  summary: 'List the comments on something',
  description:
    'What people said about a gap, a criterion, an artifact, an item of a checklist or a document, newest first. Of a comment ' +
    'that was taken back it is told that there was one.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: CommentsQuery,
  answer: CommentList,
  examples: {
    query: { workspace_id: workspaceId, about: 'document', work_product_id: workProductId },
    answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: async (context) => {
    const { workspace_id, resolved, refs, ...query } = context.query;
    const page = await readPage(context, {
      query: { ...query, workspace: workspace_id },
      matching: repository.selectComments(workspace_id, query, resolved),
      toItem: toComment,
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await context.read(selectWorkspace(workspace_id))).length === 0) {
      throw notFound('workspace');
    }
    return refs ? { ...page, refs: await namesIn(context, page.items) } : page;
  },
});

const add = writeRoute({
  operation: 'addComment',
  method: 'POST',
  path: '/comments',
  tag,
  summary: 'Comment on something',
  description:
    'Says something about a gap, a criterion, an artifact, an item of a checklist, or a range of a document, for every member. ' +
    'The words of the range are read out of the document. Whoever is named in `mentions` finds it at `GET /me/work` until ' +
    'they answer or it is resolved, and is mailed where this service sends mails.',
  permission: 'findings.comment',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  body: NewComment,
  status: 201,
  answer: Comment,
  idempotent: true,
  errors: ['CONFLICT'],
  examples: {
    body: {
      workspace_id: workspaceId,
      about: 'document',
      work_product_id: workProductId,
      version: 2,
      range: example.range,
      text: example.text,
      mentions: example.mentions,
    },
    answer: example,
  },
  handle: async (context) => {
    const comment = await addComment(context, context.body);
    context.reply.header('location', `/api/v1/comments/${comment.id}`);
    return comment;
  },
});

const change = writeRoute({
  operation: 'changeComment',
  method: 'PATCH',
  path: '/comments/:id',
  tag,
  summary: 'Edit or resolve a comment',
  description:
    `Its author changes what it says for ${EDITED_MINUTES} minutes (409 after that): what somebody has answered to stays. ` +
    'Whoever may comment resolves it or opens it again.',
  permission: 'findings.comment',
  within: ({ params }) => repository.workspaceOfComment(params.id),
  resource: 'comment',
  params: CommentParams,
  body: CommentChange,
  answer: Comment,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: { resolved: true },
    answer: { ...example, resolved_at: '2026-02-02T08:00:00.000Z', resolved_by: userId },
  },
  handle: (context) => changeComment(context, context.params.id, context.body),
});

const remove = writeRoute({
  operation: 'deleteComment',
  method: 'DELETE',
  path: '/comments/:id',
  tag,
  summary: 'Take a comment back',
  description: 'Removes the text of one’s own comment. That there was one stays.',
  permission: 'findings.comments.delete',
  enforces: ['own'],
  within: ({ params }) => repository.workspaceOfComment(params.id),
  resource: 'comment',
  params: CommentParams,
  status: 204,
  examples: { params },
  handle: (context) => deleteComment(context, context.params.id),
});

export const commentRoutes: readonly Route[] = [list, add, change, remove];
