import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { uploadExample } from '../uploads/uploads.schemas.js';
import { type ImportRow, selectExports, selectImport } from './archives.repository.js';
import {
  ExportParams,
  ExportQuery,
  ImportParams,
  ImportSession,
  NewImport,
  WorkspaceExport,
  WorkspaceExportList,
  WorkspaceImport,
  WorkspaceParams,
} from './archives.schemas.js';
import {
  announceImport,
  completeImport,
  downloadExport,
  readExport,
  startExport,
  toExport,
  toImport,
} from './archives.service.js';

const tag = 'Workspaces';
const params = { id: '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10' };
const made = {
  id: '6d1f0a3c-0f6b-4f7e-a0c2-77b1f0a8d9e3',
  workspace_id: params.id,
  status: 'completed',
  percent: 100,
  error: null,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  file_size: 48_213_004,
  left_out: [],
  created_by: '7c1e7f0a-3d53-4a53-9c38-0f7b35a1d0c4',
  created_at: '2026-01-31T09:30:00.000Z',
  finished_at: '2026-01-31T09:31:12.000Z',
  expires_at: '2026-02-07T09:31:12.000Z',
};
const queued = {
  ...made,
  status: 'queued',
  percent: 0,
  sha256: null,
  file_size: null,
  finished_at: null,
  expires_at: null,
};
const exportParams = { ...params, export_id: made.id };
const imported = {
  id: '1b0f5e0e-3f7e-4d0a-8a3f-0a8f2f0c1d11',
  status: 'completed',
  error: null,
  workspace_id: params.id,
  invited: ['jo@example.org', 'sam@example.com'],
  remaining: { analyses: 0, gap_decisions: 1, checklist_answers: 0 },
  problems: [],
  created_at: '2026-02-01T08:00:00.000Z',
  finished_at: '2026-02-01T08:01:30.000Z',
};
const ofExport = {
  tag,
  permission: 'workspaces.export',
  enforces: ['own'],
  within: ({ params }: { readonly params: { readonly id: string } }) => params.id,
} as const;
const ofImport = { tag, permission: 'workspaces.import', within: 'installation' } as const;

const postExport = writeRoute({
  ...ofExport,
  operation: 'exportWorkspace',
  method: 'POST',
  path: '/workspaces/:id/export',
  summary: 'Export a workspace',
  description:
    'Packs everything that the workspace holds into one ZIP file in the background: rows, files as uploaded, reports, ' +
    'and the audit log to be read. Texts of standards are in it as far as the caller may read them. See docs/retention.md.',
  resource: 'workspace',
  idempotent: true,
  params: WorkspaceParams,
  status: 202,
  answer: WorkspaceExport,
  examples: { params, answer: queued },
  handle: async (context) => {
    const one = await startExport(context, context.params.id);
    context.reply.header('location', `/api/v1/workspaces/${one.workspace_id}/exports/${one.id}`);
    return one;
  },
});

const listExports = readRoute({
  ...ofExport,
  operation: 'listWorkspaceExports',
  method: 'GET',
  path: '/workspaces/:id/exports',
  summary: 'List exports of a workspace',
  description: 'Those that the caller made, newest first.',
  resource: 'workspace',
  params: WorkspaceParams,
  query: ExportQuery,
  answer: WorkspaceExportList,
  examples: { params, answer: { items: [made], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(context, {
      query: { ...context.query, workspace: context.params.id },
      matching: selectExports(context.params.id, context.caller.userId),
      toItem: toExport(context.now),
    }),
});

const getExport = readRoute({
  ...ofExport,
  operation: 'getWorkspaceExport',
  method: 'GET',
  path: '/workspaces/:id/exports/:export_id',
  summary: 'Read an export of a workspace',
  description: 'How far it is, and what is not in it.',
  resource: 'export',
  params: ExportParams,
  answer: WorkspaceExport,
  examples: { params: exportParams, answer: made },
  handle: async (context) => toExport(context.now)(await readExport(context, context.params)),
});

const download = readRoute({
  ...ofExport,
  operation: 'downloadWorkspaceExport',
  method: 'GET',
  path: '/workspaces/:id/exports/:export_id/download',
  summary: 'Download an export of a workspace',
  description: 'The archive, for a week and for the person who made it.',
  resource: 'export',
  params: ExportParams,
  produces: { 'application/zip': 'bytes' },
  errors: ['CONFLICT'],
  examples: { params: exportParams },
  handle: (context) => downloadExport(context, context.params),
});

const postImport = writeRoute({
  ...ofImport,
  operation: 'announceWorkspaceImport',
  method: 'POST',
  path: '/workspace-imports',
  summary: 'Announce an archive to import',
  description: 'First step of an import: the answer names the address that the archive is sent to.',
  idempotent: true,
  body: NewImport,
  status: 201,
  answer: ImportSession,
  errors: ['PAYLOAD_TOO_LARGE'],
  examples: {
    body: { size: made.file_size, sha256: made.sha256 },
    answer: { ...uploadExample, upload_id: imported.id, import_id: imported.id },
  },
  handle: async (context) => {
    const session = await announceImport(context, context.body);
    context.reply.header('location', `/api/v1/workspace-imports/${session.import_id}`);
    return session;
  },
});

const postComplete = plainRoute({
  ...ofImport,
  operation: 'completeWorkspaceImport',
  method: 'POST',
  path: '/workspace-imports/:import_id/complete',
  summary: 'Import an archive',
  description:
    'Makes a workspace of the archive that was sent, in the background: all of it, or nothing. Files are read again and ' +
    'analyses run again; what people wrote and decided is taken, what a machine computed is not. Who was a member is ' +
    'invited. Calling it twice is harmless; before the archive was sent it answers 409.',
  resource: 'import',
  params: ImportParams,
  status: 202,
  answer: WorkspaceImport,
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: {
    params: { import_id: imported.id },
    answer: { ...imported, status: 'queued', workspace_id: null, finished_at: null },
  },
  handle: async (context) => {
    context.reply.code(202).header('location', `/api/v1/workspace-imports/${context.params.import_id}`);
    return completeImport(context, context.params.import_id);
  },
});

const getImport = readRoute({
  ...ofImport,
  operation: 'getWorkspaceImport',
  method: 'GET',
  path: '/workspace-imports/:import_id',
  summary: 'Read an import',
  description: 'How far it is, or why the archive was not taken.',
  resource: 'import',
  params: ImportParams,
  answer: WorkspaceImport,
  errors: ['NOT_FOUND'],
  examples: { params: { import_id: imported.id }, answer: imported },
  handle: async ({ params, read }) => {
    const [row] = await read<ImportRow>(selectImport(params.import_id));
    if (!row) throw notFound('import');
    return toImport(row);
  },
});

export const archiveRoutes: readonly Route[] = [
  postExport,
  listExports,
  getExport,
  download,
  postImport,
  postComplete,
  getImport,
];
