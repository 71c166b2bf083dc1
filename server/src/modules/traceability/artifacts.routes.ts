import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as repository from './artifacts.repository.js';
import {
  Artifact,
  ArtifactChange,
  ArtifactList,
  ArtifactParams,
  ArtifactQuery,
  NewArtifact,
} from './artifacts.schemas.js';
import { addArtifact, changeArtifact, removeArtifact, toArtifact } from './artifacts.service.js';
import { artifactExample, artifactId, manualArtifactExample, workspaceId } from './examples.js';

const tag = 'Traceability';
const resource = 'artifact';
const params = { id: artifactId };

const listArtifacts = readRoute({
  operation: 'listArtifacts',
  method: 'GET',
  path: '/traceability/artifacts',
  tag,
  summary: 'List artifacts',
  description:
    'Goals, requirements, design elements, tests and results of the workspaces that the caller is a member of, taken ' +
    'out of documents or added by people. `search` looks into id, name and text.',
  permission: 'analyses.read',
  within: 'visible',
  query: ArtifactQuery,
  answer: ArtifactList,
  examples: {
    query: { workspace_id: workspaceId, type: 'functional_safety_requirement' },
    answer: { items: [artifactExample], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectArtifacts(context.query),
      details: repository.selectArtifactOfPage,
      whole: context.query.search !== undefined,
      toItem: toArtifact,
      sorts: { artifact_id: { by: sql`artifact_id`, type: sql`text` } },
    }),
});

const getArtifact = readRoute({
  operation: 'getArtifact',
  method: 'GET',
  path: '/traceability/artifacts/:id',
  tag,
  summary: 'Read an artifact',
  description: 'Its text, its attributes and the places where the documents state it.',
  permission: 'analyses.read',
  within: 'visible',
  resource,
  etag: true,
  params: ArtifactParams,
  answer: Artifact,
  examples: { params, answer: artifactExample },
  handle: async ({ params, read }) => {
    const [row] = await read<repository.ArtifactRow>(repository.selectArtifact(params.id));
    if (!row) throw notFound(resource);
    return toArtifact(row);
  },
});

const createArtifact = writeRoute({
  operation: 'addArtifact',
  method: 'POST',
  path: '/traceability/artifacts',
  tag,
  summary: 'Add an artifact',
  description:
    'For what no document states. It stays whatever happens to the documents; 409 where the id is known already.',
  permission: 'trace-links.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  etag: true,
  body: NewArtifact,
  status: 201,
  answer: Artifact,
  errors: ['CONFLICT'],
  examples: {
    body: {
      workspace_id: workspaceId,
      artifact_id: 'FSR-01',
      type: 'functional_safety_requirement',
      text: artifactExample.text,
      asil: 'B',
    },
    answer: manualArtifactExample,
  },
  handle: async (context) => {
    const artifact = await addArtifact(context, context.body);
    context.reply.header('location', `/api/v1/traceability/artifacts/${artifact.id}`);
    return artifact;
  },
});

const patchArtifact = writeRoute({
  operation: 'changeArtifact',
  method: 'PATCH',
  path: '/traceability/artifacts/:id',
  tag,
  summary: 'Change an artifact',
  description:
    'All fields of an artifact that a person added. Of an artifact of the documents the type: that survives every later ' +
    'extraction, and null returns to what the documents tell.',
  permission: 'trace-links.write',
  within: ({ params }) => repository.workspaceOfArtifact(params.id),
  resource,
  etag: true,
  params: ArtifactParams,
  body: ArtifactChange,
  answer: Artifact,
  examples: { params, body: { type: 'technical_safety_requirement' }, answer: artifactExample },
  handle: (context) => changeArtifact(context, context.params.id, context.body),
});

const deleteArtifact = writeRoute({
  operation: 'deleteArtifact',
  method: 'DELETE',
  path: '/traceability/artifacts/:id',
  tag,
  summary: 'Delete an artifact',
  description:
    'Only one that a person added; what stands in a document goes with the document (409). Links to it stay and ' +
    'are dangling.',
  permission: 'trace-links.write',
  within: ({ params }) => repository.workspaceOfArtifact(params.id),
  resource,
  etag: true,
  params: ArtifactParams,
  status: 204,
  errors: ['CONFLICT'],
  examples: { params },
  handle: (context) => removeArtifact(context, context.params.id),
});

export const artifactRoutes: readonly Route[] = [
  listArtifacts,
  getArtifact,
  createArtifact,
  patchArtifact,
  deleteArtifact,
];
