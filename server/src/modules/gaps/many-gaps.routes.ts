import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { workspaceId } from '../runs/examples.js';
import * as repository from './many-gaps.repository.js';
import {
  NewGapsChange,
  type StartedGapsChange as Started,
  StartedGapsChange,
  StartedGapsChangeList,
  StartedGapsChangeParams,
  StartedGapsChangeQuery,
} from './many-gaps.schemas.js';
import { startChange, stopChange, toStartedChange, undoChange } from './many-gaps.service.js';

const changeId = '6f1d2c3b-4a59-4e68-8776-9a0b1c2d3e4f';
const params = { change_id: changeId };
const started: Started = {
  id: changeId,
  workspace_id: workspaceId,
  status: 'queued',
  error: null,
  undoes: null,
  undone_by: null,
  total: 12480,
  done: 0,
  changed: 0,
  proposed: 0,
  refused: 0,
  refusal: null,
  created_by: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  created_at: '2026-01-15T10:00:00.000Z',
  finished_at: null,
};

const ofChange = {
  tag: 'Analysis',
  permission: 'findings.status',
  person: true,
  enforces: ['not_accepted'],
} as const;
const ofOne = {
  ...ofChange,
  within: ({ params }: { readonly params: { readonly change_id: string } }) =>
    repository.workspaceOfChange(params.change_id),
  resource: 'change',
  params: StartedGapsChangeParams,
  answer: StartedGapsChange,
} as const;

const postChange = writeRoute({
  ...ofChange,
  operation: 'startGapsChange',
  method: 'POST',
  path: '/analysis/gap-changes',
  summary: 'Start a change of very many gaps',
  description:
    'Changes up to 200,000 gaps of one workspace alike, part after part, by a job that nobody has to wait for. Which gaps they are is ' +
    'written down at once. The rules for each are those for changing it alone, for whoever asks and what they may do when its turn ' +
    'comes. Unlike with `PATCH /analysis/gaps`, those that cannot be changed stay as they are, and the others are changed.',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  status: 202,
  body: NewGapsChange,
  answer: StartedGapsChange,
  errors: ['CONFLICT'],
  examples: {
    body: {
      workspace_id: workspaceId,
      filter: { severity: ['low'], status: ['open'] },
      expected_total: 12480,
      change: { due_date: '2026-03-31' },
    },
    answer: started,
  },
  handle: (context) => startChange(context, context.body),
});

const listChanges = readRoute({
  ...ofChange,
  operation: 'listGapsChanges',
  method: 'GET',
  path: '/analysis/gap-changes',
  summary: 'List changes of very many gaps',
  description:
    'Those that the caller asked for in a workspace, newest first. Seven days after their end they may be forgotten.',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  worded: true,
  query: StartedGapsChangeQuery,
  answer: StartedGapsChangeList,
  examples: {
    query: { workspace_id: workspaceId },
    answer: { items: [started], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectChanges(context.query.workspace_id, context.caller.userId),
      toItem: (row: repository.GapsChangeRow) => toStartedChange(row, context.language),
    }),
});

const getChange = readRoute({
  ...ofOne,
  operation: 'getGapsChange',
  method: 'GET',
  path: '/analysis/gap-changes/:change_id',
  summary: 'Read a change of very many gaps',
  description: 'How far it is, how many were changed and how many could not be.',
  worded: true,
  examples: { params, answer: started },
  handle: async ({ params, read, language }) => {
    const [row] = await read<repository.GapsChangeRow>(repository.selectChange(params.change_id));
    if (!row) throw notFound('change');
    return toStartedChange(row, language);
  },
});

const stop = writeRoute({
  ...ofOne,
  operation: 'stopGapsChange',
  method: 'POST',
  path: '/analysis/gap-changes/:change_id/stop',
  summary: 'Stop a change of very many gaps',
  description:
    'After the part that is on its way. What was changed by then stays, and can be taken back. One that has ended stays as it is.',
  examples: { params, answer: { ...started, status: 'stopped' } },
  handle: (context) => stopChange(context, context.params.change_id),
});

const undo = writeRoute({
  ...ofOne,
  operation: 'undoGapsChange',
  method: 'POST',
  path: '/analysis/gap-changes/:change_id/undo',
  summary: 'Take a change of very many gaps back',
  description:
    'Makes each gap that it changed what it was before, as a change of its own: under the same rules, once, within seven days.',
  idempotent: true,
  status: 202,
  errors: ['CONFLICT'],
  examples: { params, answer: { ...started, undoes: '3d813cbb-47fb-42ba-91df-831e1593ac29' } },
  handle: (context) => undoChange(context, context.params.change_id),
});

export const manyGapsRoutes: readonly Route[] = [postChange, listChanges, getChange, stop, undo];
