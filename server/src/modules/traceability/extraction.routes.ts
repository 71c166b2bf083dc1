import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { extractionDetailExample, workspaceId } from './examples.js';
import { type ExtractionRow, requestExtraction, selectExtraction } from './extraction.repository.js';
import { ExtractionDetail, ExtractionQuery } from './trace-views.schemas.js';
import { toExtractionDetail } from './trace-views.service.js';

const tag = 'Traceability';
const resource = 'workspace';

const getExtraction = readRoute({
  operation: 'getTraceExtraction',
  method: 'GET',
  path: '/traceability/extraction',
  tag,
  summary: 'Read how the trace was extracted',
  description:
    'From which document versions artifacts and links were taken, when, what had to be decided on the way, and whether a ' +
    'newer extraction is under way. The events of the workspace tell its progress (`traceability`).',
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: ExtractionQuery,
  answer: ExtractionDetail,
  examples: { query: { workspace_id: workspaceId }, answer: extractionDetailExample },
  handle: async ({ query, read, language }) => {
    const [row] = await read<ExtractionRow>(selectExtraction(query.workspace_id));
    if (!row) throw notFound(resource);
    return toExtractionDetail(query.workspace_id, row, language);
  },
});

const postExtraction = writeRoute({
  operation: 'extractTrace',
  method: 'POST',
  path: '/traceability/extraction',
  tag,
  summary: 'Extract the trace again',
  description:
    'Takes artifacts and links out of the documents once more. Needed only after an upgrade of the service: every change ' +
    'of a document does it by itself. What people added or said stays.',
  worded: true,
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource,
  body: ExtractionQuery,
  status: 202,
  answer: ExtractionDetail,
  examples: {
    body: { workspace_id: workspaceId },
    answer: { ...extractionDetailExample, status: 'queued', under_way: true },
  },
  handle: async ({ body, transaction, dependencies, reply, language }) => {
    reply.header('location', `/api/v1/traceability/extraction?workspace_id=${body.workspace_id}`);
    await requestExtraction(transaction, dependencies.queue, body.workspace_id);
    const row = await transaction.one<ExtractionRow>(selectExtraction(body.workspace_id));
    return toExtractionDetail(body.workspace_id, row, language);
  },
});

export const extractionRoutes: readonly Route[] = [getExtraction, postExtraction];
