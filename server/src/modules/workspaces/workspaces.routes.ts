import { lifecycle } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { ProjectPhases } from './project-scope.schemas.js';
import * as repository from './workspaces.repository.js';
import {
  NewWorkspace,
  Workspace,
  WorkspaceChange,
  WorkspaceList,
  WorkspaceParams,
  WorkspaceQuery,
} from './workspaces.schemas.js';
import {
  changeWorkspace,
  createWorkspace,
  removeWorkspace,
  toListedWorkspace,
  toWorkspace,
} from './workspaces.service.js';

const example = {
  id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10',
  name: 'Lane assistance',
  description: 'Item, HARA and safety concepts of the lane assistance system',
  phase: 'concept',
  tailored_out: [{ area: 'hardware', reason: 'Developed by the supplier of the steering' }],
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
const summary = {
  gaps: { critical: 1, high: 4, medium: 9, low: 2 },
  overdue: 1,
  standards: [{ id: '3c9f8f0e-1f54-4c0a-9a9b-5d1e2f3a4b5c', name: 'ISO 26262-3', score: 61.5, delta: 4 }],
  work_products: 8,
  members: 3,
  running: 0,
  last_run_at: '2026-01-31T09:30:00.000Z',
};
const params = { id: example.id };
const tag = 'Workspaces';

const listWorkspaces = readRoute({
  operation: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  tag,
  summary: 'List workspaces',
  description: 'The workspaces that the caller is a member of, newest first.',
  permission: 'workspaces.read',
  within: 'visible',
  query: WorkspaceQuery,
  answer: WorkspaceList,
  examples: {
    query: { include: 'summary' },
    answer: { items: [{ ...example, summary }], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectWorkspaces(
        context.query.search,
        context.query.include && { now: context.now },
      ),
      toItem: toListedWorkspace,
    }),
});

const getPhases = readRoute({
  operation: 'getProjectPhases',
  method: 'GET',
  path: '/workspaces/phases',
  tag,
  summary: 'Read the phases of projects',
  description:
    'The phases that a project may be in, in their order, and the areas of work that it may leave out, each with the phase in ' +
    'which its results are due.',
  permission: 'catalog.read',
  within: 'installation',
  answer: ProjectPhases,
  examples: {
    answer: {
      phases: [{ id: 'concept', name: { en: 'Concept', de: 'Konzept' } }],
      areas: [
        {
          id: 'hardware',
          phase: 'implementation',
          name: { en: 'Development of hardware', de: 'Entwicklung der Hardware' },
        },
      ],
    },
  },
  handle: async () => {
    const { phases, areas } = lifecycle();
    return { phases, areas: areas.map(({ id, phase, name }) => ({ id, phase, name })) };
  },
});

const postWorkspace = writeRoute({
  operation: 'createWorkspace',
  method: 'POST',
  path: '/workspaces',
  tag,
  summary: 'Create a workspace',
  description: 'The caller becomes its owner and first member.',
  permission: 'workspaces.create',
  within: 'installation',
  idempotent: true,
  etag: true,
  body: NewWorkspace,
  status: 201,
  answer: Workspace,
  examples: { body: { name: example.name, description: example.description }, answer: example },
  handle: async (context) => {
    const workspace = await createWorkspace(context, context.body);
    context.reply.header('location', `/api/v1/workspaces/${workspace.id}`);
    return workspace;
  },
});

const getWorkspace = readRoute({
  operation: 'getWorkspace',
  guest: {
    workspace: ({ params }, { workspaceId }) => params.id === workspaceId,
    analysis: ({ params }, { workspaceId }) => params.id === workspaceId,
    report: ({ params }, { workspaceId }) => params.id === workspaceId,
  },
  method: 'GET',
  path: '/workspaces/:id',
  tag,
  summary: 'Read a workspace',
  description: 'Details of one workspace.',
  permission: 'workspaces.read',
  within: ({ params }) => params.id,
  resource: 'workspace',
  etag: true,
  params: WorkspaceParams,
  answer: Workspace,
  examples: { params, answer: example },
  handle: async ({ params, read }) => {
    const [row] = await read<repository.WorkspaceRow>(repository.selectWorkspace(params.id));
    if (!row) throw notFound('workspace');
    return toWorkspace(row);
  },
});

const patchWorkspace = writeRoute({
  operation: 'changeWorkspace',
  method: 'PATCH',
  path: '/workspaces/:id',
  tag,
  summary: 'Change a workspace',
  description: 'Changes name, description, the phase of its project or what is not done in it.',
  permission: 'workspaces.manage',
  within: ({ params }) => params.id,
  resource: 'workspace',
  etag: true,
  params: WorkspaceParams,
  body: WorkspaceChange,
  answer: Workspace,
  examples: { params, body: { name: 'Lane keeping' }, answer: { ...example, name: 'Lane keeping' } },
  handle: (context) => changeWorkspace(context, context.params.id, context.body),
});

const deleteWorkspace = writeRoute({
  operation: 'deleteWorkspace',
  method: 'DELETE',
  path: '/workspaces/:id',
  tag,
  summary: 'Delete a workspace',
  description: 'Deletes the workspace with everything in it. This cannot be undone.',
  permission: 'workspaces.delete',
  within: ({ params }) => params.id,
  resource: 'workspace',
  etag: true,
  params: WorkspaceParams,
  status: 204,
  examples: { params },
  handle: (context) => removeWorkspace(context, context.params.id),
});

export const workspaceRoutes: readonly Route[] = [
  listWorkspaces,
  getPhases,
  postWorkspace,
  getWorkspace,
  patchWorkspace,
  deleteWorkspace,
];
