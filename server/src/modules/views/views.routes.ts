import { ApiError, notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, type WriteContext, writeRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { selectWorkspace } from '../gaps/gap-lists.repository.js';
import { workspaceId } from '../runs/examples.js';
import { knownPart } from './screens.js';
import * as repository from './views.repository.js';
import { NewView, View, ViewChange, ViewList, ViewParams, ViewQuery, ViewsParams } from './views.schemas.js';

const tag = 'Workspaces';
const params = { id: workspaceId, view_id: '2c9f8f0e-1f54-4c0a-9a9b-5d1e2f3a4b5c' };
const example = {
  id: params.view_id,
  screen: 'gaps',
  name: 'Critical, nobody works on it',
  query: 'severity=critical&assignee=none',
  columns: ['severity', 'title', 'assignee'],
  sort: '-severity',
  shared: true,
  is_default: true,
  dropped: [],
  owner: { id: '1f0e2d3c-4b5a-4978-8675-64534231201f', name: 'Ada Example' },
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

/** As the reader sees it, with what this version knows of it. */
const toView = ({ owner_id, owner_name, ...row }: repository.ViewRow, readerId: string): View => ({
  ...row,
  ...knownPart(row.screen, row),
  is_default: row.is_default && owner_id === readerId,
  owner: { id: owner_id, name: owner_name },
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
});

const taken = (): ApiError =>
  new ApiError('CONFLICT', 'You have a view of this name already. Choose another name, or change that one.');

/** The own view that is named; of others, shared or not, it says 404 or 403. */
async function ownView(
  { transaction, caller }: Pick<WriteContext, 'transaction' | 'caller'>,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<repository.ViewRow> {
  const row = await repository.findView(transaction, { ...place, userId: caller.userId });
  if (!row) throw notFound('view');
  if (row.owner_id !== caller.userId) {
    throw new ApiError(
      'AUTHORIZATION_ERROR',
      'Only whoever made a view changes it. Save it under a name of your own.',
    );
  }
  return row;
}

const listViews = readRoute({
  operation: 'listViews',
  method: 'GET',
  path: '/workspaces/:id/views',
  tag,
  summary: 'List saved views',
  description: 'The caller’s own views of lists and those that other members share, newest first.',
  permission: 'views.save',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: ViewsParams,
  query: ViewQuery,
  answer: ViewList,
  examples: {
    params: { id: workspaceId },
    answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: async (context) => {
    const { params, query } = context;
    if ((await context.read(selectWorkspace(params.id))).length === 0) throw notFound('workspace');
    return readPage(context, {
      query,
      matching: repository.selectViews(
        { workspaceId: params.id, userId: context.caller.userId },
        query.screen,
      ),
      toItem: (row: repository.ViewRow) => toView(row, context.caller.userId),
    });
  },
});

const postView = writeRoute({
  operation: 'createView',
  method: 'POST',
  path: '/workspaces/:id/views',
  tag,
  summary: 'Save a view',
  description: 'Keeps filters, order and columns of a list under a name, for the caller or for all members.',
  permission: 'views.save',
  within: ({ params }) => params.id,
  resource: 'workspace',
  idempotent: true,
  params: ViewsParams,
  body: NewView,
  status: 201,
  answer: View,
  errors: ['CONFLICT'],
  examples: {
    params: { id: workspaceId },
    body: {
      screen: 'gaps',
      name: example.name,
      query: example.query,
      columns: example.columns,
      sort: example.sort,
      shared: true,
      is_default: true,
    },
    answer: example,
  },
  handle: async ({ transaction, caller, params, body, reply }) => {
    if (!(await transaction.maybeOne(selectWorkspace(params.id)))) throw notFound('workspace');
    if (body.is_default) {
      const { screen } = body;
      await repository.clearDefault(transaction, { workspaceId: params.id, ownerId: caller.userId, screen });
    }
    const made = await repository.insertView(transaction, {
      ...body,
      is_default: body.is_default ?? false,
      workspaceId: params.id,
      ownerId: caller.userId,
    });
    if (!made) throw taken();
    reply.header('location', `/api/v1/workspaces/${params.id}/views/${made.id}`);
    const row = await repository.findView(transaction, {
      workspaceId: params.id,
      id: made.id,
      userId: caller.userId,
    });
    return toView(row as repository.ViewRow, caller.userId);
  },
});

const patchView = writeRoute({
  operation: 'changeView',
  method: 'PATCH',
  path: '/workspaces/:id/views/:view_id',
  tag,
  summary: 'Change a saved view',
  description:
    'Changes name, filters, order, columns or who sees an own view, and what the screen begins with.',
  permission: 'views.change',
  enforces: ['own'],
  within: ({ params }) => params.id,
  resource: 'view',
  params: ViewParams,
  body: ViewChange,
  answer: View,
  errors: ['CONFLICT'],
  examples: { params, body: { shared: true }, answer: example },
  handle: async (context) => {
    const { transaction, params, body } = context;
    const place = { workspaceId: params.id, id: params.view_id };
    const before = await ownView(context, place);
    const { screen, owner_id: ownerId } = before;
    const after = { ...before, ...body };
    if ((await repository.countNamesakes(transaction, { ...place, ownerId, screen, name: after.name })) > 0)
      throw taken();
    if (body.is_default) await repository.clearDefault(transaction, { ...place, ownerId, screen });
    await repository.updateView(transaction, { ...after, ...place });
    return toView(
      (await repository.findView(transaction, { ...place, userId: ownerId })) as repository.ViewRow,
      ownerId,
    );
  },
});

const deleteView = writeRoute({
  operation: 'deleteView',
  method: 'DELETE',
  path: '/workspaces/:id/views/:view_id',
  tag,
  summary: 'Delete a saved view',
  description: 'Deletes an own view; the list that it shows stays as it is.',
  permission: 'views.change',
  enforces: ['own'],
  within: ({ params }) => params.id,
  resource: 'view',
  params: ViewParams,
  status: 204,
  examples: { params },
  handle: async (context) => {
    const place = { workspaceId: context.params.id, id: context.params.view_id };
    await ownView(context, place);
    await repository.deleteView(context.transaction, place);
  },
});

export const viewRoutes: readonly Route[] = [listViews, postView, patchView, deleteView];
