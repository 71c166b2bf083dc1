import { sql } from '../../platform/database/sql.js';
import { invalid } from '../../platform/http/api-error.js';
import { readPage, wordKey } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { workProductId, workspaceId } from '../runs/examples.js';
import { readStates } from './checklist-answers.service.js';
import * as repository from './checklists.repository.js';
import {
  ChecklistChange,
  ChecklistDetail,
  ChecklistList,
  ChecklistParams,
  ChecklistQuery,
  NewChecklist,
  OwnChecklistParams,
} from './checklists.schemas.js';
import {
  builtInRows,
  changeChecklist,
  createChecklist,
  readChecklistDetail,
  removeChecklist,
  toChecklist,
} from './checklists.service.js';
import { checklistExample, ownChecklistId } from './examples.js';

const tag = 'Compliance';
const resource = 'checklist';
const params = { id: ownChecklistId };
const { yaml, items: _items, ...listed } = checklistExample;

const listChecklists = readRoute({
  operation: 'listChecklists',
  method: 'GET',
  path: '/compliance/checklists',
  tag,
  summary: 'List checklists',
  description:
    'The checklists of the workspaces that the caller is a member of, newest first, then the built-in ones by id.',
  permission: 'expectations.read',
  within: 'visible',
  query: ChecklistQuery,
  answer: ChecklistList,
  examples: {
    query: { built_in: 'false' },
    answer: { items: [listed], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: async (context) => {
    const { query, read, language } = context;
    if (query.include && query.workspace_id === undefined) {
      throw invalid('query.workspace_id', 'A state is that of a workspace: name it.', 'required');
    }
    const page = await readPage(context, {
      query,
      matching: repository.selectChecklists(query, await builtInRows()),
      sorts: { key: wordKey(sql`key`) },
      toItem: toChecklist,
    });
    const workspaceId = query.workspace_id;
    if (query.include === undefined || workspaceId === undefined) return page;
    const states = await readStates(read, { workspaceId, ids: page.items.map(({ id }) => id) }, language);
    return { ...page, items: page.items.map((one) => ({ ...one, state: states.get(one.id) ?? null })) };
  },
});

const getChecklist = readRoute({
  operation: 'getChecklist',
  method: 'GET',
  path: '/compliance/checklists/:id',
  tag,
  summary: 'Read a checklist',
  description: 'A checklist of a workspace by its UUID, or a built-in one by its id, with its items.',
  permission: 'expectations.read',
  within: 'visible',
  resource,
  etag: true,
  params: ChecklistParams,
  answer: ChecklistDetail,
  examples: { params, answer: checklistExample },
  handle: ({ params, read }) => readChecklistDetail(params.id, read),
});

const postChecklist = writeRoute({
  operation: 'createChecklist',
  method: 'POST',
  path: '/compliance/checklists',
  tag,
  summary: 'Add a checklist',
  description:
    'From YAML, or from a table (CSV, XLSX, ODS) or YAML file that was uploaded as a work product. Columns are told by ' +
    'their titles in English or German; every item gets the checks that its words ask for, and what was answered in the ' +
    'file is kept as a claim. Errors name sheet, row and column, or line.',
  permission: 'templates.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: NewChecklist,
  status: 201,
  answer: ChecklistDetail,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: workspaceId, work_product_id: workProductId, name: 'House review' },
    answer: checklistExample,
  },
  handle: async (context) => {
    const checklist = await createChecklist(context, context.body);
    context.reply.header('location', `/api/v1/compliance/checklists/${checklist.id}`);
    return checklist;
  },
});

const patchChecklist = writeRoute({
  operation: 'changeChecklist',
  method: 'PATCH',
  path: '/compliance/checklists/:id',
  tag,
  summary: 'Change a checklist',
  description:
    'Puts the given YAML in the place of the present one, as the next revision. Items that are left out stay as withdrawn ' +
    'ones; a changed item has to be reviewed again. Results that are there keep the items that they judged.',
  permission: 'templates.write',
  within: ({ params }) => repository.workspaceOfChecklist(params.id),
  resource,
  etag: true,
  params: OwnChecklistParams,
  body: ChecklistChange,
  answer: ChecklistDetail,
  errors: ['CONFLICT'],
  examples: { params, body: { yaml }, answer: checklistExample },
  handle: (context) => changeChecklist(context, context.params.id, context.body),
});

const deleteChecklist = writeRoute({
  operation: 'deleteChecklist',
  method: 'DELETE',
  path: '/compliance/checklists/:id',
  tag,
  summary: 'Delete a checklist',
  description: 'Analyses that used it stay, with the items that they judged.',
  permission: 'templates.write',
  within: ({ params }) => repository.workspaceOfChecklist(params.id),
  resource,
  etag: true,
  params: OwnChecklistParams,
  status: 204,
  examples: { params },
  handle: (context) => removeChecklist(context, context.params.id),
});

export const checklistRoutes: readonly Route[] = [
  listChecklists,
  getChecklist,
  postChecklist,
  patchChecklist,
  deleteChecklist,
];
