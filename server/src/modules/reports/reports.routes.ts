import { REPORT_FILES, REPORT_FORMATS, type ReportFormat } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { RefsQuery, withNames, withNamesOf } from '../names/names.js';
import * as repository from './reports.repository.js';
import {
  EXPORT_FORMATS,
  ExportQuery,
  NamedReport,
  NewReport,
  NewReportPreview,
  Report,
  ReportFile,
  ReportList,
  ReportParams,
  ReportQuery,
  SarifLog,
} from './reports.schemas.js';
import {
  createReport,
  downloadReport,
  exportAnalysis,
  previewNewReport,
  previewReport,
  removeReport,
  retryReport,
  toReport,
} from './reports.service.js';

const resource = 'report';
const workspaceId = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const analysisId = '3a1f8c55-7d1e-4d5b-8a77-9c6f5b1f8e11';
const example = {
  id: '7d2b1c3e-94d0-4c1b-8d2f-0a9f2f0c1d55',
  workspace_id: workspaceId,
  type: 'gap_analysis',
  format: 'pdf',
  title: 'Gap analysis – ISO 26262-3:2018',
  options: { language: 'en', fail_on: 'high' },
  status: 'completed',
  stage: null,
  percent: 100,
  error: null,
  analysis_ids: [analysisId],
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  file_size: 412_233,
  file_name: 'Gap analysis – ISO 26262-3_2018.pdf',
  media_type: 'application/pdf',
  tool_version: '0.1.0',
  words_withdrawn_at: null,
  original_sha256: null,
  created_by: '6b0f5e0e-3f7e-4d0a-8a3f-0a8f2f0c1d11',
  created_at: '2026-01-31T09:30:00.000Z',
  finished_at: '2026-01-31T09:30:04.000Z',
  updated_at: '2026-01-31T09:30:04.000Z',
};
const unfinished = {
  ...example,
  status: 'queued',
  percent: 0,
  content_hash: null,
  sha256: null,
  file_size: null,
  tool_version: '',
  finished_at: null,
};
const params = { id: example.id };

/** What a download can be: a report by its published schema, a log of SARIF, text, or the bytes of an office program. */
const filesOf = (formats: readonly ReportFormat[]) =>
  Object.fromEntries(
    formats.map((format) => {
      const mediaType = REPORT_FILES[format].mediaType.split(';')[0] ?? '';
      if (format === 'json') return [mediaType, ReportFile] as const;
      if (format === 'sarif') return [mediaType, SarifLog] as const;
      return [mediaType, /^text|xml$/.test(mediaType) && format !== 'docx' ? 'text' : 'bytes'] as const;
    }),
  );

const postReport = writeRoute({
  operation: 'createReport',
  method: 'POST',
  path: '/reports',
  tag: 'Reports',
  summary: 'Make a report',
  description:
    'Renders a report about completed analyses in the background. A report does not change afterwards: later runs and ' +
    'decisions need a new one. Its options choose chapters and findings; what is left out is said on the cover. Words of uploaded standards are in it as far as its author may read them.',
  permission: 'reports.create',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: NewReport,
  status: 202,
  answer: Report,
  examples: {
    body: { workspace_id: workspaceId, type: 'gap_analysis', analysis_ids: [analysisId], format: 'pdf' },
    answer: unfinished,
  },
  handle: async (context) => {
    const report = await createReport(context, context.body);
    context.reply.header('location', `/api/v1/reports/${report.id}`);
    return report;
  },
});

const listReports = readRoute({
  operation: 'listReports',
  guest: { workspace: ({ query }, { workspaceId }) => query.workspace_id === workspaceId },
  method: 'GET',
  path: '/reports',
  tag: 'Reports',
  summary: 'List reports',
  description: 'The reports of the workspaces that the caller is a member of, newest first.',
  permission: 'reports.read',
  within: 'visible',
  query: ReportQuery,
  answer: ReportList,
  examples: { answer: { items: [example], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    withNames(
      context,
      readPage(context, {
        query: context.query,
        matching: repository.selectReports(context.query),
        toItem: toReport,
      }),
    ),
});

const getReport = readRoute({
  operation: 'getReport',
  guest: {
    workspace: ({ params }) => repository.workspaceOfReport(params.id),
    report: ({ params }, { targetId }) => params.id === targetId,
  },
  method: 'GET',
  path: '/reports/:id',
  tag: 'Reports',
  summary: 'Read a report',
  description: 'What it is about, how far it is, and the hashes of content and file.',
  permission: 'reports.read',
  within: 'visible',
  resource,
  etag: true,
  params: ReportParams,
  query: RefsQuery,
  answer: NamedReport,
  examples: { params, answer: example },
  handle: async (context) => {
    const { params, read } = context;
    const [row] = await read<repository.ReportRow>(repository.selectReport(params.id));
    if (!row) throw notFound(resource);
    return withNamesOf(context, toReport(row));
  },
});

const download = readRoute({
  operation: 'downloadReport',
  guest: {
    workspace: ({ params }) => repository.workspaceOfReport(params.id),
    report: ({ params }, { targetId }) => params.id === targetId,
  },
  method: 'GET',
  path: '/reports/:id/download',
  tag: 'Reports',
  summary: 'Download a report',
  description:
    'The file, with its SHA-256 as `ETag`. A viewer, and whoever may not read the words of an uploaded standard in it, ' +
    'gets a copy without those words; the copy of a viewer names them and the time on every page. Such a copy has no `ETag`.',
  permission: 'reports.export',
  within: ({ params: { id } }) => repository.workspaceOfReport(id),
  resource,
  params: ReportParams,
  produces: filesOf(REPORT_FORMATS),
  enforces: ['marked_copy'],
  errors: ['CONFLICT'],
  examples: { params },
  handle: (context) => downloadReport(context, context.params.id),
});

const getPreview = readRoute({
  operation: 'previewReport',
  guest: {
    workspace: ({ params }) => repository.workspaceOfReport(params.id),
    report: ({ params }, { targetId }) => params.id === targetId,
  },
  method: 'GET',
  path: '/reports/:id/preview',
  tag: 'Reports',
  summary: 'Look at a report',
  description:
    'The report as a page, whatever its format, to be shown in a frame: it may run nothing and ask nobody. Who reads what is as ' +
    'for the download; a viewer gets a marked copy.',
  permission: 'reports.export',
  within: ({ params: { id } }) => repository.workspaceOfReport(id),
  resource,
  params: ReportParams,
  produces: { 'text/html': 'text' },
  enforces: ['marked_copy'],
  errors: ['CONFLICT'],
  examples: { params },
  handle: (context) => previewReport(context, context.params.id),
});

const getNewPreview = readRoute({
  operation: 'previewNewReport',
  method: 'GET',
  path: '/reports/preview',
  tag: 'Reports',
  summary: 'Look at a report before it is made',
  description:
    'The report that `POST /reports` would make of these analyses, as a page to be shown in a frame: it may run nothing and ask ' +
    'nobody. Nothing is kept, and there is no hash to name it by.',
  permission: 'reports.create',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: NewReportPreview,
  produces: { 'text/html': 'text' },
  examples: {
    query: { workspace_id: workspaceId, type: 'gap_analysis', analysis_ids: analysisId },
  },
  handle: (context) => previewNewReport(context, context.query),
});

const postRetry = writeRoute({
  operation: 'retryReport',
  method: 'POST',
  path: '/reports/:id/retry',
  tag: 'Reports',
  summary: 'Render a failed report again',
  description: 'A report that is queued or being rendered stays as it is; a completed one does not change.',
  permission: 'reports.create',
  within: ({ params: { id } }) => repository.workspaceOfReport(id),
  resource,
  params: ReportParams,
  status: 202,
  answer: Report,
  errors: ['CONFLICT'],
  examples: { params, answer: unfinished },
  handle: (context) => {
    context.reply.header('location', `/api/v1/reports/${context.params.id}`);
    return retryReport(context, context.params.id);
  },
});

const deleteReport = writeRoute({
  operation: 'deleteReport',
  method: 'DELETE',
  path: '/reports/:id',
  tag: 'Reports',
  summary: 'Delete a report',
  description: 'With its file. Engineers delete their own.',
  permission: 'reports.delete',
  within: ({ params: { id } }) => repository.workspaceOfReport(id),
  resource,
  etag: true,
  params: ReportParams,
  status: 204,
  enforces: ['own'],
  examples: { params },
  handle: (context) => removeReport(context, context.params.id),
});

const EXPORTS = {
  gap_analysis: { operation: 'exportGapAnalysis', path: '/export/gap-analysis', name: 'a gap analysis' },
  checklist: { operation: 'exportChecklist', path: '/export/checklist', name: 'a checklist' },
  completeness: {
    operation: 'exportCompleteness',
    path: '/export/completeness',
    name: 'a completeness check',
  },
  traceability: {
    operation: 'exportTraceability',
    path: '/export/traceability',
    name: 'a traceability analysis',
  },
} as const;

const exportRoutes = (Object.keys(EXPORTS) as (keyof typeof EXPORTS)[]).map((type) =>
  readRoute({
    operation: EXPORTS[type].operation,
    method: 'GET',
    path: EXPORTS[type].path,
    tag: 'Export',
    summary: `Export ${EXPORTS[type].name}`,
    description:
      'One completed analysis as a file, rendered at once as the caller may read it: HTML in one file without scripts, ' +
      'CSV for spreadsheets, JSON by `docs/report.schema.json`, a workbook, SARIF 2.1.0 or JUnit XML. A viewer gets a ' +
      'marked copy without the words of uploaded standards.',
    permission: 'reports.export',
    within: ({ query }) => query.workspace_id,
    resource: 'workspace',
    query: ExportQuery,
    produces: filesOf(EXPORT_FORMATS),
    enforces: ['marked_copy'],
    errors: ['CONFLICT'],
    examples: { query: { workspace_id: workspaceId, format: 'csv' } },
    handle: (context) => exportAnalysis(context, type, context.query),
  }),
);

export const reportRoutes: readonly Route[] = [
  postReport,
  listReports,
  getNewPreview,
  getReport,
  download,
  getPreview,
  postRetry,
  deleteReport,
  ...exportRoutes,
];
