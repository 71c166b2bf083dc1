import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { selectWorkspace } from '../workspaces/workspaces.repository.js';
import { selectDeleted } from './retention.repository.js';
import {
  DeletedList,
  DeletedQuery,
  NewPurge,
  PurgeParams,
  PurgeRequest,
  WorkspaceParams,
} from './retention.schemas.js';
import { confirmPurge, requestPurge, toDeleted, withdrawPurge } from './retention.service.js';

const params = { id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10' };
const purge = {
  id: '2b9d4f10-77c1-4f0a-8a7e-3d2c1b0a9f88',
  type: 'work_product',
  target_id: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  reason: 'The customer wants it destroyed.',
  requested_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
  created_at: '2026-02-01T08:00:00.000Z',
};
const deleted = {
  id: purge.target_id,
  type: 'work_product',
  name: 'Functional safety concept',
  created_at: '2026-01-10T08:00:00.000Z',
  deleted_at: '2026-01-31T09:30:00.000Z',
  purged_at: '2026-05-01T09:30:00.000Z',
  reports: 1,
  purge_request: purge,
};
const tag = 'Workspaces';

const listDeleted = readRoute({
  operation: 'listDeleted',
  method: 'GET',
  path: '/workspaces/:id/deleted',
  tag,
  summary: 'List what was deleted',
  description:
    'Work products and standards that were deleted and have not gone away for good yet, with the day when they do.',
  permission: 'workspaces.read',
  within: ({ params }) => params.id,
  resource: 'workspace',
  params: WorkspaceParams,
  query: DeletedQuery,
  answer: DeletedList,
  examples: { params, answer: { items: [deleted], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: async (context) => {
    const { params, query, dependencies } = context;
    const page = await readPage(context, {
      query: { ...query, workspace: params.id },
      matching: selectDeleted(params.id, query.type),
      toItem: toDeleted(dependencies.configuration.retention.deletedDays),
    });
    const isEmpty = page.total === 0;
    if (isEmpty && (await context.read(selectWorkspace(params.id))).length === 0) throw notFound('workspace');
    return page;
  },
});

const postPurge = writeRoute({
  operation: 'requestPurge',
  method: 'POST',
  path: '/workspaces/:id/purges',
  tag,
  summary: 'Ask to purge something at once',
  description:
    'For a work product or a standard that was deleted. Once an administrator who is somebody else agrees, it goes ' +
    'away for good with everything derived from it, reports that quote it included. See docs/retention.md.',
  permission: 'purge.request',
  within: ({ params }) => params.id,
  resource: 'workspace',
  idempotent: true,
  params: WorkspaceParams,
  body: NewPurge,
  status: 201,
  answer: PurgeRequest,
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: {
    params,
    body: { type: 'work_product', target_id: purge.target_id, reason: purge.reason },
    answer: purge,
  },
  handle: async (context) => {
    const made = await requestPurge(context, context.params.id, context.body);
    context.reply.header('location', `/api/v1/workspaces/${context.params.id}/deleted`);
    return made;
  },
});

const postConfirmation = writeRoute({
  operation: 'confirmPurge',
  method: 'POST',
  path: '/workspaces/:id/purges/:purge_id/confirm',
  tag,
  summary: 'Agree to a purge',
  description:
    'By an administrator of the workspace who is not the person that asked. This cannot be undone.',
  permission: 'purge.confirm',
  within: ({ params }) => params.id,
  resource: 'purge request',
  params: PurgeParams,
  status: 202,
  answer: PurgeRequest,
  examples: { params: { ...params, purge_id: purge.id }, answer: purge },
  handle: ({ params, ...context }) => {
    context.reply.header('location', `/api/v1/workspaces/${params.id}/deleted`);
    return confirmPurge(context, { workspaceId: params.id, id: params.purge_id });
  },
});

const deletePurge = writeRoute({
  operation: 'withdrawPurge',
  method: 'DELETE',
  path: '/workspaces/:id/purges/:purge_id',
  tag,
  summary: 'Take the request for a purge back',
  description: 'What was deleted then stays until its time is over.',
  permission: 'purge.request',
  within: ({ params }) => params.id,
  resource: 'purge request',
  params: PurgeParams,
  status: 204,
  examples: { params: { ...params, purge_id: purge.id } },
  handle: ({ params, ...context }) => withdrawPurge(context, { workspaceId: params.id, id: params.purge_id }),
});

export const retentionRoutes: readonly Route[] = [listDeleted, postPurge, postConfirmation, deletePurge];
