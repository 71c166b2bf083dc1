import { loadDocumentTypes } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { pageOfItems, readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { selectWorkspace } from '../gaps/gap-lists.repository.js';
import { RefsQuery, withNames, withNamesOf } from '../names/names.js';
import { attachmentDisposition } from '../uploads/file-name.js';
import { uploadExample } from '../uploads/uploads.schemas.js';
import * as archives from './archives.repository.js';
import { changeWorkProducts, removeWorkProducts } from './many-work-products.service.js';
import { matchUploads } from './match-uploads.js';
import * as lists from './work-product-lists.repository.js';
import * as repository from './work-products.repository.js';
import {
  ArchiveEntryList,
  ChangedWorkProducts,
  ContentQuery,
  DeletedWorkProducts,
  DeletionQuery,
  DocumentTypes,
  EntryQuery,
  FACETS,
  FacetQuery,
  FileParams,
  NamedWorkProduct,
  UploadMatch,
  UploadMatches,
  UploadParams,
  VersionQuery,
  VersionUpload,
  WorkProduct,
  WorkProductChange,
  WorkProductFacets,
  WorkProductList,
  WorkProductParams,
  WorkProductQuery,
  WorkProductsChange,
  WorkProductsDeletion,
  WorkProductUpload,
  WorkProductUploadSession,
  WorkProductVersionList,
} from './work-products.schemas.js';
import {
  announceVersion,
  announceWorkProduct,
  changeWorkProduct,
  completeUpload,
  removeWorkProduct,
  reprocessWorkProduct,
  toEntry,
  toListed,
  toVersion,
  toWorkProduct,
} from './work-products.service.js';

const tag = 'Work products';
const resource = 'work product';
const example = {
  id: '7b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e21',
  workspace_id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10',
  name: 'Functional safety concept',
  original_filename: 'FSC_v0.4.docx',
  file_url: 'https://normtrace.example.org/api/v1/work-products/7b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e21/content',
  file_size: 48213,
  file_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  category: 'functional_safety_concept',
  uploaded_at: '2026-01-31T09:30:00.000Z',
  processing_status: 'completed',
  processing_error: null,
  compliance_score: 62.5,
  assessed: true,
  tags: ['lane assistance'],
  ai_excluded: false,
  version: 2,
  uploaded_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  format: 'docx',
  language: 'en',
  page_count: null,
  source_archive: null,
  created_at: '2026-01-30T08:00:00.000Z',
  updated_at: '2026-01-31T09:30:04.000Z',
};
const summary = {
  gaps: { critical: 1, high: 4, medium: 9, low: 2 },
  newest_run: {
    analysis_id: '9d0f5f0e-6f0a-4a55-9a7f-0a3f6b1c2d3e',
    type: 'gap_analysis',
    version: 2,
    finished_at: '2026-01-31T10:12:00.000Z',
  },
};
const sha256Example = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const params = { id: example.id };
const announced = { filename: 'FSC_v0.4.docx', size: example.file_size, content_type: example.file_type };
const sessionExample = { ...uploadExample, file_id: example.id };

const listWorkProducts = readRoute({
  operation: 'listWorkProducts',
  guest: { workspace: ({ query }, { workspaceId }) => query.workspace_id === workspaceId },
  method: 'GET',
  path: '/work-products',
  tag,
  summary: 'List work products',
  description: 'The work products of the workspaces that the caller is a member of, newest first.',
  permission: 'work-products.read',
  within: 'visible',
  query: WorkProductQuery,
  answer: WorkProductList,
  examples: {
    query: { include: 'summary', sort: '-gaps' },
    answer: { items: [{ ...example, summary }], total: 1, page: 1, limit: 20, next_cursor: null },
  },
  handle: (context) => {
    const { query, now, dependencies } = context;
    return withNames(
      context,
      readPage(context, {
        query,
        matching: lists.selectWorkProducts(query, now),
        sorts: lists.WORK_PRODUCT_SORTS,
        ...(query.include && { details: lists.selectSummarised(now) }),
        toItem: toListed(dependencies.configuration.baseUrl),
      }),
    );
  },
});

const getTypes = readRoute({
  operation: 'listDocumentTypes',
  method: 'GET',
  path: '/work-products/types',
  tag,
  summary: 'Read the document types',
  description: 'Every document type that `category` may be, with its name in both languages.',
  permission: 'catalog.read',
  within: 'installation',
  answer: DocumentTypes,
  examples: {
    answer: {
      types: [
        {
          id: 'functional_safety_concept',
          name: { en: 'Functional safety concept', de: 'Funktionales Sicherheitskonzept' },
        },
      ],
    },
  },
  handle: async () => ({
    types: [...(await loadDocumentTypes()).values()].map(({ id, name }) => ({ id, name })),
  }),
});

const getFacets = readRoute({
  operation: 'getWorkProductFacets',
  method: 'GET',
  path: '/work-products/facets',
  tag,
  summary: 'Count work products by the values of filters',
  description:
    'How many work products the list would have with each value of a filter instead of the chosen ones, under all other ' +
    'filters, as the list takes them.',
  permission: 'work-products.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: FacetQuery,
  answer: WorkProductFacets,
  examples: {
    query: { workspace_id: example.workspace_id, facets: 'format' },
    answer: { total: 12, facets: { format: { values: [{ value: 'docx', count: 12 }], more: 0 } } },
  },
  handle: async ({ query, read }) => {
    const { facets = FACETS, ...filters } = query;
    const [workspace] = await read(selectWorkspace(query.workspace_id));
    if (!workspace) throw notFound('workspace');
    const [row] = await read<lists.FacetsRow>(lists.selectFacets(filters, [...new Set(facets)]));
    return row;
  },
});

const matchFiles = writeRoute({
  operation: 'matchUploads',
  method: 'POST',
  path: '/work-products/uploads/match',
  tag,
  summary: 'Compare files with what is there',
  description:
    'Before many files are uploaded: which of them the workspace has already, of which document each may be the next ' +
    'version, and which would be refused and why. Nothing is stored.',
  permission: 'work-products.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  body: UploadMatch,
  answer: UploadMatches,
  examples: {
    body: {
      workspace_id: example.workspace_id,
      files: [{ filename: 'FSC_v0.5.docx', size: 50_120, sha256: sha256Example }],
    },
    answer: {
      files: [
        {
          filename: 'FSC_v0.5.docx',
          same_as: null,
          next_version_of: [{ id: example.id, name: example.name, version: 2, why: 'same_title' }],
          refused: null,
        },
      ],
    },
  },
  handle: (context) => matchUploads(context, context.body),
});

const patchWorkProducts = writeRoute({
  operation: 'changeWorkProducts',
  method: 'PATCH',
  path: '/work-products',
  tag,
  summary: 'Change many work products',
  description:
    'Changes document type, tags or whether a language model may see them, of up to a thousand work products of one ' +
    'workspace alike: by ids, or by a filter with the total that the caller saw. All of them are changed or none.',
  permission: 'work-products.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  body: WorkProductsChange,
  answer: ChangedWorkProducts,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: example.workspace_id, ids: [example.id], change: { add_tags: ['sample B'] } },
    answer: { changed: 1, unchanged: 0 },
  },
  handle: (context) => changeWorkProducts(context, context.body),
});

const deleteWorkProducts = writeRoute({
  operation: 'deleteWorkProducts',
  method: 'POST',
  path: '/work-products/deletions',
  tag,
  summary: 'Delete many work products',
  description:
    'As `DELETE /work-products/{id}`, for up to a thousand of one workspace: by ids, or by a filter with the total that the ' +
    'caller saw. All of them are deleted or none.',
  permission: 'work-products.delete',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  enforces: ['own_and_not_in_an_approved_analysis'],
  body: WorkProductsDeletion,
  answer: DeletedWorkProducts,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: example.workspace_id, ids: [example.id] },
    answer: { deleted: 1 },
  },
  handle: async (context) => ({ deleted: await removeWorkProducts(context, context.body) }),
});

const getWorkProduct = readRoute({
  operation: 'getWorkProduct',
  guest: { workspace: ({ params }) => repository.workspaceOf(params.id) },
  method: 'GET',
  path: '/work-products/:id',
  tag,
  summary: 'Read a work product',
  description: 'One work product with the state of its newest version.',
  permission: 'work-products.read',
  within: 'visible',
  resource,
  etag: true,
  params: WorkProductParams,
  query: RefsQuery,
  answer: NamedWorkProduct,
  examples: { params, answer: example },
  handle: async (context) => {
    const { params, read, dependencies } = context;
    const [row] = await read<repository.WorkProductRow>(repository.selectWorkProduct(params.id));
    if (!row) throw notFound(resource);
    return withNamesOf(context, toWorkProduct(dependencies.configuration.baseUrl)(row));
  },
});

const initUpload = writeRoute({
  operation: 'announceWorkProduct',
  method: 'POST',
  path: '/work-products/uploads/init',
  tag,
  summary: 'Announce a work product',
  description:
    'First step of an upload: the answer names the address for the file. The work product exists from now on with ' +
    'the status `pending_upload`. Form fields or JSON.',
  permission: 'work-products.write',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  consumes: 'multipart/form-data',
  body: WorkProductUpload,
  status: 201,
  answer: WorkProductUploadSession,
  errors: ['PAYLOAD_TOO_LARGE'],
  examples: { body: { ...announced, workspace_id: example.workspace_id }, answer: sessionExample },
  handle: async (context) => {
    const session = await announceWorkProduct(context, context.body);
    context.reply.header('location', `/api/v1/work-products/${session.file_id}`);
    return session;
  },
});

const completeWorkProduct = plainRoute({
  operation: 'completeWorkProductUpload',
  method: 'POST',
  path: '/work-products/uploads/:file_id/complete',
  tag,
  summary: 'Complete the newest upload of a work product',
  description:
    'Last step of an upload: checks size, SHA-256 and first bytes against the announcement, makes the version and ' +
    'queues its reading. Calling it twice is harmless; before the file was sent it answers 409.',
  permission: 'work-products.write',
  within: ({ params }) => repository.workspaceOf(params.file_id),
  resource,
  params: FileParams,
  answer: WorkProduct,
  errors: ['CONFLICT'],
  examples: { params: { file_id: example.id }, answer: { ...example, processing_status: 'queued' } },
  handle: (context) => completeUpload(context, context.params.file_id),
});

const initVersion = writeRoute({
  operation: 'announceWorkProductVersion',
  method: 'POST',
  path: '/work-products/:id/uploads/init',
  tag,
  summary: 'Announce the next version of a work product',
  description: 'The present version stays the newest until the upload is complete. Form fields or JSON.',
  permission: 'work-products.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  idempotent: true,
  consumes: 'multipart/form-data',
  params: WorkProductParams,
  body: VersionUpload,
  status: 201,
  answer: WorkProductUploadSession,
  errors: ['PAYLOAD_TOO_LARGE'],
  examples: { params, body: announced, answer: sessionExample },
  handle: (context) => {
    context.reply.header('location', `/api/v1/work-products/${context.params.id}`);
    return announceVersion(context, context.params.id, context.body);
  },
});

const completeVersion = plainRoute({
  operation: 'completeWorkProductVersion',
  method: 'POST',
  path: '/work-products/:id/uploads/:upload_id/complete',
  tag,
  summary: 'Complete an upload of a work product',
  description: 'As `/work-products/uploads/{file_id}/complete`, for exactly this upload.',
  permission: 'work-products.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  params: UploadParams,
  answer: WorkProduct,
  errors: ['CONFLICT'],
  examples: {
    params: { id: example.id, upload_id: uploadExample.upload_id },
    answer: { ...example, processing_status: 'queued' },
  },
  handle: (context) => completeUpload(context, context.params.id, context.params.upload_id),
});

const listVersions = readRoute({
  operation: 'listWorkProductVersions',
  method: 'GET',
  path: '/work-products/:id/versions',
  tag,
  summary: 'List the versions of a work product',
  description: 'All uploaded files with their SHA-256 and how their reading went, newest first.',
  permission: 'work-products.read',
  within: 'visible',
  resource,
  params: WorkProductParams,
  query: VersionQuery,
  answer: WorkProductVersionList,
  examples: {
    params,
    answer: {
      items: [
        {
          work_product_id: example.id,
          version: 2,
          original_filename: example.original_filename,
          file_url: `${example.file_url}?version=2`,
          file_size: example.file_size,
          file_type: example.file_type,
          sha256: sha256Example,
          uploaded_at: example.uploaded_at,
          uploaded_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
          processing_status: 'completed',
          processing_error: null,
          format: 'docx',
          language: 'en',
          page_count: null,
          detected_category: 'functional_safety_concept',
          notes: [],
        },
      ],
      total: 1,
      page: 1,
      limit: 20,
      next_cursor: null,
    },
  },
  handle: async (context) => {
    const { params, query, read, dependencies } = context;
    const [owner, rows] = await Promise.all([
      read(repository.workspaceOf(params.id)),
      read<repository.VersionRow>(repository.selectVersions(params.id)),
    ]);
    if (owner.length === 0) throw notFound(resource);
    return pageOfItems(context, {
      query: { ...query, work_product: params.id },
      items: rows,
      keyOf: ({ version }) => String(version),
      toItem: toVersion(dependencies.configuration.baseUrl),
      sorts: {
        version: ({ version }) => Number(version),
        uploaded_at: ({ uploaded_at }) => timestamp(uploaded_at),
      },
    });
  },
});

const listEntries = readRoute({
  operation: 'listArchiveEntries',
  method: 'GET',
  path: '/work-products/:id/entries',
  tag,
  summary: 'List the files of an archive',
  description:
    'What became of each file of an uploaded ZIP file, of the newest version unless `version` names another: every ' +
    'document in it is a work product of its own, with the path as its name and the tags of the archive. The archive is ' +
    '`completed` when all of them have been read. Folders and what operating systems add are left out. Paths that the ' +
    'former version held and this one does not are `gone`; their work products stay. Empty for other work products.',
  permission: 'work-products.read',
  within: 'visible',
  resource,
  params: WorkProductParams,
  query: EntryQuery,
  answer: ArchiveEntryList,
  examples: {
    params,
    answer: {
      items: [
        {
          path: 'plans/safety plan.docx',
          outcome: 'new',
          work_product_id: example.id,
          version: 1,
          processing_status: 'completed',
          error: null,
        },
        {
          path: 'plans/old.zip',
          outcome: 'refused',
          work_product_id: null,
          version: null,
          processing_status: null,
          error: 'The file is an archive inside an archive. Unpack it and upload the documents in it.',
        },
      ],
      total: 2,
      page: 1,
      limit: 20,
      next_cursor: null,
    },
  },
  handle: async (context) => {
    const { params, query, read } = context;
    const [owner, rows] = await Promise.all([
      read(repository.workspaceOf(params.id)),
      read<archives.EntryRow>(archives.selectEntries(params.id, query.version)),
    ]);
    if (owner.length === 0) throw notFound(resource);
    return pageOfItems(context, {
      query: { ...query, archive: params.id },
      items: rows,
      keyOf: ({ position }) => String(position),
      toItem: toEntry,
      sorts: { path: ({ path }) => path },
    });
  },
});

const getContent = plainRoute({
  operation: 'downloadWorkProduct',
  method: 'GET',
  path: '/work-products/:id/content',
  tag,
  summary: 'Download the file of a work product',
  description: 'The bytes as uploaded, of the newest version unless `version` names another.',
  permission: 'work-products.read',
  within: 'visible',
  resource,
  params: WorkProductParams,
  query: ContentQuery,
  produces: { 'application/octet-stream': 'bytes' },
  examples: { params },
  handle: async ({ params, query, caller, dependencies, reply }) => {
    const [version] = await dependencies.database.readAs<repository.VersionRow>(
      caller,
      repository.selectVersion(params.id, query.version),
    );
    if (!version) throw notFound('version of a work product');
    const content = await dependencies.storage.within(version.workspace_id).read(version.object_key);
    return reply
      .header('content-disposition', attachmentDisposition(version.file_name))
      .header('content-length', String(version.file_size))
      .header('x-content-type-options', 'nosniff')
      .type('application/octet-stream')
      .send(content);
  },
});

const patchWorkProduct = writeRoute({
  operation: 'changeWorkProduct',
  method: 'PATCH',
  path: '/work-products/:id',
  tag,
  summary: 'Change a work product',
  description:
    'Changes name, document type, tags or whether a language model may see it. Files change by uploading a new version.',
  permission: 'work-products.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  etag: true,
  params: WorkProductParams,
  body: WorkProductChange,
  answer: WorkProduct,
  examples: { params, body: { category: 'hara', tags: ['lane assistance'] }, answer: example },
  handle: (context) => changeWorkProduct(context, context.params.id, context.body),
});

const reprocess = writeRoute({
  operation: 'reprocessWorkProduct',
  method: 'POST',
  path: '/work-products/:id/reprocess',
  tag,
  summary: 'Read a work product again',
  description: 'Queues the newest version once more, for instance after a failure.',
  permission: 'work-products.write',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  params: WorkProductParams,
  status: 202,
  answer: WorkProduct,
  errors: ['CONFLICT'],
  examples: { params, answer: { ...example, processing_status: 'queued' } },
  handle: (context) => {
    context.reply.header('location', `/api/v1/work-products/${context.params.id}`);
    return reprocessWorkProduct(context, context.params.id);
  },
});

const deleteWorkProduct = writeRoute({
  operation: 'deleteWorkProduct',
  method: 'DELETE',
  path: '/work-products/:id',
  tag,
  summary: 'Delete a work product',
  description:
    'The work product and its files go away. Analyses keep what they quoted, so that their results stay explained. ' +
    'Documents that came out of an archive: `documents=keep` leaves them as work products without it, ' +
    '`documents=delete` takes them along; without either it is 409. The archive holds the bytes of its documents as well: ' +
    'deleting one of them leaves it in there.',
  permission: 'work-products.delete',
  within: ({ params }) => repository.workspaceOf(params.id),
  resource,
  enforces: ['own_and_not_in_an_approved_analysis'],
  etag: true,
  params: WorkProductParams,
  query: DeletionQuery,
  status: 204,
  errors: ['CONFLICT'],
  examples: { params },
  handle: (context) => removeWorkProduct(context, context.params.id, context.query.documents),
});

export const workProductRoutes: readonly Route[] = [
  listWorkProducts,
  getTypes,
  getFacets,
  patchWorkProducts,
  deleteWorkProducts,
  matchFiles,
  getWorkProduct,
  initUpload,
  completeWorkProduct,
  initVersion,
  completeVersion,
  listVersions,
  listEntries,
  getContent,
  patchWorkProduct,
  reprocess,
  deleteWorkProduct,
];
