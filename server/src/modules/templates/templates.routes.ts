import { listDocumentTypeIds } from '@normtrace/engine';
import { sql } from '../../platform/database/sql.js';
import { readPage, wordKey } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { workProductId, workspaceId } from '../runs/examples.js';
import { ownTemplateId, templateExample } from './examples.js';
import * as repository from './templates.repository.js';
import {
  NewTemplate,
  OwnTemplateParams,
  TemplateChange,
  TemplateDetail,
  TemplateList,
  TemplateParams,
  TemplateQuery,
} from './templates.schemas.js';
import {
  builtInRows,
  changeTemplate,
  createTemplate,
  readTemplateDetail,
  removeTemplate,
  toTemplate,
} from './templates.service.js';

const tag = 'Compliance';
const resource = 'template';
const params = { id: ownTemplateId };
const { yaml, ...listed } = templateExample;

const listTemplates = readRoute({
  operation: 'listTemplates',
  method: 'GET',
  path: '/compliance/templates',
  tag,
  summary: 'List templates',
  description:
    'What documents of each type have to hold: the templates of the workspaces that the caller is a member of, newest ' +
    'first, then the built-in ones by name.',
  permission: 'expectations.read',
  within: 'visible',
  query: TemplateQuery,
  answer: TemplateList,
  examples: {
    query: { built_in: 'false' },
    answer: { items: [listed], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: async (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectTemplates(context.query, await builtInRows()),
      sorts: { type: wordKey(sql`type`) },
      toItem: toTemplate(await listDocumentTypeIds()),
    }),
});

const getTemplate = readRoute({
  operation: 'getTemplate',
  method: 'GET',
  path: '/compliance/templates/:id',
  tag,
  summary: 'Read a template',
  description: 'A template of a workspace by its UUID, or a built-in one by its type, also as a YAML file.',
  permission: 'expectations.read',
  within: 'visible',
  resource,
  etag: true,
  params: TemplateParams,
  answer: TemplateDetail,
  examples: { params, answer: templateExample },
  handle: ({ params, read }) => readTemplateDetail(params.id, read),
});

const postTemplate = writeRoute({
  operation: 'createTemplate',
  method: 'POST',
  path: '/compliance/templates',
  tag,
  summary: 'Add a template',
  description:
    'From YAML, or from an empty template document of the workspace: its headings become sections, its tables required ' +
    'tables, all of medium severity until a person corrects them. Completeness checks that start from now on recognise ' +
    'documents of the type and check them against it; for a built-in type it is taken instead of the built-in template. ' +
    'Errors in YAML name their lines. Managers only: there are no proposals of engineers yet.',
  permission: 'templates.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: NewTemplate,
  status: 201,
  answer: TemplateDetail,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: workspaceId, work_product_id: workProductId, name: 'Work plan' },
    answer: templateExample,
  },
  handle: async (context) => {
    const template = await createTemplate(context, context.body);
    context.reply.header('location', `/api/v1/compliance/templates/${template.id}`);
    return template;
  },
});

const patchTemplate = writeRoute({
  operation: 'changeTemplate',
  method: 'PATCH',
  path: '/compliance/templates/:id',
  tag,
  summary: 'Change a template',
  description:
    'Puts the given YAML in the place of the present one, as the next revision. Results that are there stay as they are. ' +
    'Built-in templates do not change: add one of the same type instead.',
  permission: 'templates.write',
  within: ({ params }) => repository.workspaceOfTemplate(params.id),
  resource,
  etag: true,
  params: OwnTemplateParams,
  body: TemplateChange,
  answer: TemplateDetail,
  errors: ['CONFLICT'],
  examples: { params, body: { yaml }, answer: templateExample },
  handle: (context) => changeTemplate(context, context.params.id, context.body),
});

const deleteTemplate = writeRoute({
  operation: 'deleteTemplate',
  method: 'DELETE',
  path: '/compliance/templates/:id',
  tag,
  summary: 'Delete a template',
  description: 'Results that used it stay. A built-in template that it replaced is used again.',
  permission: 'templates.write',
  within: ({ params }) => repository.workspaceOfTemplate(params.id),
  resource,
  etag: true,
  params: OwnTemplateParams,
  status: 204,
  examples: { params },
  handle: (context) => removeTemplate(context, context.params.id),
});

export const templateRoutes: readonly Route[] = [
  listTemplates,
  getTemplate,
  postTemplate,
  patchTemplate,
  deleteTemplate,
];
