import { SEVERITIES } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { pageOfItems, readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { UploadSession, uploadExample } from '../uploads/uploads.schemas.js';
import { attestStandard, revokeAttestation } from './attestations.service.js';
import * as repository from './standards.repository.js';
import {
  Attest,
  CatalogList,
  CatalogQuery,
  CriterionQuery,
  NewStandard,
  RevokeQuery,
  Standard,
  StandardCriterionList,
  StandardList,
  StandardParams,
  StandardQuery,
  StandardUpload,
  StandardUploadParams,
} from './standards.schemas.js';
import {
  announceStandardFile,
  completeStandardFile,
  createStandard,
  criteriaOf,
  removeStandard,
  reprocessStandard,
  searchCatalog,
  toCriterion,
  toStandard,
} from './standards.service.js';
import { type ReadableStandardRow, selectStandardFor } from './words.repository.js';

const tag = 'Standards';
const resource = 'standard';
const example = {
  id: '3c9f8f0e-1f54-4c0a-9a9b-5d1e2f3a4b5c',
  workspace_id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10',
  catalog_id: 'iso-26262-3-2018',
  name: 'ISO 26262-3:2018',
  version: '2',
  category: 'functional_safety',
  description:
    'Concept phase: item definition, hazard analysis and risk assessment, functional safety concept.',
  attested: false,
  requires_attestation: false,
  licence_mark: false,
  processing_status: 'completed',
  processing_error: null,
  criteria_count: 96,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
const catalogExample = {
  id: 'iso-26262-3-2018',
  designation: 'ISO 26262-3:2018',
  short_name: 'ISO 26262-3',
  title: 'Road vehicles – Functional safety – Part 3: Concept phase',
  publisher: 'ISO/TC 22/SC 32',
  edition: '2',
  published: '2018-12',
  status: 'under_revision',
  supersedes: [],
  superseded_by: [],
  category: 'functional_safety',
  group: 'functional_safety',
  kind: 'international_standard',
  parts: [],
  description: example.description,
  obtain: { url: 'https://www.iso.org/standards.html', access: 'paid' },
  builtin_structure: 'work_products',
  content_policy: 'own_paraphrase',
  requires_attestation: true,
  related: [],
  last_verified: '2026-01-31',
};
const params = { id: example.id };

const listCommonStandards = readRoute({
  operation: 'listCommonStandards',
  method: 'GET',
  path: '/standards/common',
  tag,
  summary: 'List the catalog of common standards',
  description:
    'Published standards with what this installation holds of each in its own words. No text of any standard.',
  permission: 'catalog.read',
  within: 'installation',
  gate: 'open',
  query: CatalogQuery,
  answer: CatalogList,
  examples: {
    query: { category: 'functional_safety' },
    answer: { items: [catalogExample], total: 1, page: 1, limit: 100, next_cursor: null },
  },
  handle: async (context) =>
    pageOfItems(context, {
      query: context.query,
      items: await searchCatalog(context.query),
      keyOf: ({ id }) => id,
      toItem: (entry) => entry,
      sorts: { id: ({ id }) => id, title: ({ title }) => title.toLowerCase() },
    }),
});

const listStandards = readRoute({
  operation: 'listStandards',
  method: 'GET',
  path: '/standards',
  tag,
  summary: 'List standards',
  description: 'The standards of the workspaces that the caller is a member of, newest first.',
  permission: 'standards.read',
  within: 'visible',
  query: StandardQuery,
  answer: StandardList,
  examples: { answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectStandards(context.query),
      toItem: toStandard,
    }),
});

const postStandard = writeRoute({
  operation: 'createStandard',
  method: 'POST',
  path: '/standards',
  tag,
  summary: 'Add a standard',
  description:
    'With `catalog_id` a standard of the catalog is adopted; with a built-in structure it is ready at once. Without, ' +
    'an own standard waits for its file.',
  permission: 'standards.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  etag: true,
  body: NewStandard,
  status: 201,
  answer: Standard,
  examples: {
    body: { workspace_id: example.workspace_id, catalog_id: 'iso-26262-3-2018' },
    answer: example,
  },
  handle: async (context) => {
    const standard = await createStandard(context, context.body);
    context.reply.header('location', `/api/v1/standards/${standard.id}`);
    return standard;
  },
});

const getStandard = readRoute({
  operation: 'getStandard',
  method: 'GET',
  path: '/standards/:id',
  tag,
  summary: 'Read a standard',
  description: 'One standard of a workspace, without its text.',
  permission: 'standards.read',
  within: 'visible',
  resource,
  etag: true,
  params: StandardParams,
  answer: Standard,
  examples: { params, answer: example },
  handle: async ({ params, read }) => {
    const [row] = await read<repository.StandardRow>(repository.selectStandard(params.id));
    if (!row) throw notFound(resource);
    return toStandard(row);
  },
});

const deleteStandard = writeRoute({
  operation: 'deleteStandard',
  method: 'DELETE',
  path: '/standards/:id',
  tag,
  summary: 'Delete a standard',
  description: 'The standard, its file and its text go away. Analyses and gaps keep ids and our own words.',
  permission: 'standards.delete',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  enforces: ['own'],
  etag: true,
  params: StandardParams,
  status: 204,
  examples: { params },
  handle: (context) => removeStandard(context, context.params.id),
});

const getCriteria = readRoute({
  operation: 'listStandardCriteria',
  method: 'GET',
  path: '/standards/:id/criteria',
  tag,
  summary: 'List the criteria of a standard',
  description:
    'What the standard demands, in its order, parents before children. Where the licence of an uploaded copy is not ' +
    'for the whole workspace, others than its holder see ids and clauses only.',
  permission: 'standards.text.read',
  worded: true,
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  enforces: ['attestation_allows_sharing'],
  params: StandardParams,
  query: CriterionQuery,
  answer: StandardCriterionList,
  examples: {
    params,
    answer: {
      items: [
        {
          id: '26262-3:6.5.1',
          parent_id: '26262-3:6',
          kind: 'work_product',
          clause: '6',
          title: 'Hazard analysis and risk assessment report',
          text: 'There is a report of the hazard analysis and risk assessment.',
          obligation: 'shall',
          severity: 'critical',
          document_types: ['hara'],
        },
      ],
      total: 1,
      page: 1,
      limit: 100,
      next_cursor: null,
    },
  },
  handle: async (context) => {
    const { params, query, read, caller, language } = context;
    const [row] = await read<ReadableStandardRow>(selectStandardFor(params.id, caller.userId));
    if (!row) throw notFound(resource);
    return pageOfItems(context, {
      query: { ...query, standard: row.id },
      items: await criteriaOf(row, read),
      keyOf: ({ id }) => id,
      toItem: toCriterion({ readable: row.readable, language }),
      sorts: { id: ({ id }) => id, severity: ({ severity }) => SEVERITIES.indexOf(severity) },
    });
  },
});

const attest = writeRoute({
  operation: 'attestStandard',
  person: true,
  method: 'PATCH',
  path: '/standards/:id/attest',
  tag,
  summary: 'Attest the licence of a standard',
  description:
    'The caller declares that their organisation holds a licence for exactly the uploaded file that permits storing ' +
    'and analysing it for the people of this workspace. A text that waited for it is processed from now on.',
  permission: 'standards.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  etag: true,
  params: StandardParams,
  body: Attest,
  answer: Standard,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: { licence_type: 'multi_user', licence_holder: 'Example Automotive GmbH' },
    answer: { ...example, attested: true },
  },
  handle: (context) => attestStandard(context, context.params.id, context.body),
});

const revoke = writeRoute({
  operation: 'revokeAttestation',
  method: 'DELETE',
  path: '/standards/:id/attest',
  tag,
  summary: 'Withdraw the attestation of a standard',
  description: 'A record of its own. The text, its criteria and its index are deleted; findings keep ids.',
  permission: 'attestations.revoke',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  enforces: ['own'],
  etag: true,
  params: StandardParams,
  query: RevokeQuery,
  answer: Standard,
  errors: ['CONFLICT'],
  examples: { params, query: { reason: 'The licence has ended.' }, answer: example },
  handle: (context) => revokeAttestation(context, context.params.id, context.query.reason),
});

const initUpload = writeRoute({
  operation: 'announceStandardFile',
  method: 'POST',
  path: '/standards/:id/uploads/init',
  tag,
  summary: 'Announce the file of a standard',
  description:
    'First step of an upload: the answer names the address for the file (PDF, DOCX, Markdown, OSCAL JSON, YAML, ' +
    'XLSX). Form fields or JSON.',
  permission: 'standards.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  idempotent: true,
  consumes: 'multipart/form-data',
  params: StandardParams,
  body: StandardUpload,
  status: 201,
  answer: UploadSession,
  errors: ['PAYLOAD_TOO_LARGE', 'CONFLICT'],
  examples: {
    params,
    body: { filename: 'Process handbook.pdf', size: 182_044, content_type: 'application/pdf' },
    answer: uploadExample,
  },
  handle: (context) => {
    context.reply.header('location', `/api/v1/standards/${context.params.id}`);
    return announceStandardFile(context, context.params.id, context.body);
  },
});

const completeUpload = plainRoute({
  operation: 'completeStandardUpload',
  method: 'POST',
  path: '/standards/:id/uploads/:upload_id/complete',
  tag,
  summary: 'Complete the upload of a standard',
  description:
    'Checks size, SHA-256 and first bytes against the announcement. A paid text then waits for its attestation, ' +
    'others are read. Calling it twice is harmless; before the file was sent it answers 409.',
  permission: 'standards.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  params: StandardUploadParams,
  answer: Standard,
  errors: ['CONFLICT'],
  examples: {
    params: { id: example.id, upload_id: uploadExample.upload_id },
    answer: { ...example, catalog_id: null, processing_status: 'queued', criteria_count: 0 },
  },
  handle: (context) => completeStandardFile(context, context.params.id, context.params.upload_id),
});

const reprocess = writeRoute({
  operation: 'reprocessStandard',
  method: 'POST',
  path: '/standards/:id/reprocess',
  tag,
  summary: 'Read the file of a standard again',
  description: 'Queues the newest file once more, for instance after a failure.',
  permission: 'standards.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  params: StandardParams,
  status: 202,
  answer: Standard,
  errors: ['CONFLICT'],
  examples: { params, answer: { ...example, catalog_id: null, processing_status: 'queued' } },
  handle: (context) => {
    context.reply.header('location', `/api/v1/standards/${context.params.id}`);
    return reprocessStandard(context, context.params.id);
  },
});

export const standardRoutes: readonly Route[] = [
  listCommonStandards,
  listStandards,
  postStandard,
  getStandard,
  deleteStandard,
  getCriteria,
  attest,
  revoke,
  initUpload,
  completeUpload,
  reprocess,
];
