import {
  type ArtifactType,
  GROUP_OF_CATEGORY,
  loadTraceabilityRules,
  type StandardCategory,
} from '@normtrace/engine';
import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { type ReadContext, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import type { MatrixOutput } from '../engine/examine-trace-task.js';
import { examineStoredTrace } from './examine-trace.js';
import {
  completenessExample,
  extractionDetailExample,
  gapsExample,
  matrixExample,
  suggestionsExample,
  traceAnalysisExample,
  workspaceId,
} from './examples.js';
import { type ExtractionRow, requestExtraction, selectExtraction } from './extraction.repository.js';
import { SuggestionQuery, Suggestions } from './links.schemas.js';
import { type StoredExtraction, selectTrace, type TraceRow } from './trace.repository.js';
import {
  ExtractionDetail,
  ExtractionQuery,
  MatrixQuery,
  TraceAnalysis,
  TraceCompleteness,
  TraceGapQuery,
  TraceGaps,
  TraceMatrix,
} from './trace-views.schemas.js';
import {
  optionsOfQuery,
  SUGGESTION_NOTE,
  toCompleteness,
  toExtraction,
  toExtractionDetail,
  toTraceAnalysis,
  toTraceGaps,
} from './trace-views.service.js';

const tag = 'Traceability';
const resource = 'workspace';
/** Answers that take longer are given up; the largest workspaces take some seconds. */
const PATIENCE_MILLISECONDS = 60_000;

const getMatrix = readRoute({
  operation: 'getTraceMatrix',
  method: 'GET',
  path: '/traceability/matrix',
  tag,
  summary: 'Read the trace matrix',
  description:
    'Goals and requirements in reading order, each with what it is linked to upwards and downwards and how far it is ' +
    'traced: `complete`, `partial` (something is missing or has a gap), `missing` (neither realised nor verified), `orphan` ' +
    '(no parent). In pages when `limit` is given. `format=csv` and `xlsx` answer a file.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: MatrixQuery,
  answer: TraceMatrix,
  examples: { query: { workspace_id: workspaceId }, answer: matrixExample },
  handle: async (context) => {
    const { query, read, reply, request, cursors, caller, operation } = context;
    const { cursor, ...filters } = query;
    const types = query.standard_id && (await typesInScope(read, query.workspace_id, query.standard_id));
    const scope = { operation, userId: caller.userId, filters };
    const page = cursor === '' ? 1 : (await cursors.decode(cursor, scope)).page;
    const [row] = await read<TraceRow>(selectTrace(query.workspace_id, { texts: true }));
    if (!row) throw notFound(resource);
    const { extraction, ...columns } = row;
    const { limit } = query;
    const offset = limit === undefined ? 0 : (page - 1) * limit;
    const matrix = await request.server.engine.run(
      'traceMatrix',
      {
        columns,
        options: { ...optionsOfQuery(query), listedPerType: 0 },
        format: query.format,
        offset,
        ...(types ? { types } : {}),
        ...(limit === undefined ? {} : { limit }),
      },
      { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) },
    );
    if (query.format !== 'json') return sendFile(reply, query.format, matrix);
    const isLast = limit === undefined || offset + limit >= matrix.total;
    const next = isLast
      ? null
      : await cursors.encode(
          { createdAt: '1970-01-01T00:00:00Z', id: query.workspace_id, page: page + 1 },
          scope,
        );
    return reply
      .type('application/json; charset=utf-8')
      .send(matrixAnswer(matrix, { extraction, page, limit: limit ?? null, next_cursor: next }));
  },
});

/** The answer around the rows, which are JSON already. */
function matrixAnswer(
  { bytes, total, totalGaps, coverage }: MatrixOutput,
  around: {
    readonly extraction: StoredExtraction | null;
    readonly page: number;
    readonly limit: number | null;
    readonly next_cursor: string | null;
  },
): Buffer {
  const { extraction, ...page } = around;
  const rest = JSON.stringify({
    gaps: totalGaps,
    coverage,
    total,
    ...page,
    extraction: toExtraction(extraction),
  });
  return Buffer.concat([Buffer.from('{"matrix":'), bytes, Buffer.from(`,${rest.slice(1)}`)]);
}

const FILES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const sendFile = (reply: ReadContext['reply'], format: keyof typeof FILES, { bytes }: MatrixOutput) =>
  reply
    .header('content-disposition', `attachment; filename="trace-matrix.${format}"`)
    .header('x-content-type-options', 'nosniff')
    .type(FILES[format])
    .send(Buffer.from(bytes));

/** Types of artifacts that a standard of the workspace is about; undefined for all. */
async function typesInScope(
  read: ReadContext['read'],
  workspaceId: string,
  standardId: string,
): Promise<readonly ArtifactType[] | undefined> {
  const [standard] = await read<{ category: StandardCategory }>(sql`
    select category from standards
    where workspace_id = ${workspaceId} and id = ${standardId} and deleted_at is null`);
  if (!standard) throw notFound('standard');
  const group = GROUP_OF_CATEGORY[standard.category];
  const integrity = { cybersecurity: 'cybersecurity', functional_safety: 'safety' }[group as string];
  if (integrity === undefined) return undefined;
  const { types } = await loadTraceabilityRules();
  return (Object.keys(types) as ArtifactType[]).filter((type) => types[type].integrity === integrity);
}

const getGaps = readRoute({
  operation: 'getTraceGaps',
  method: 'GET',
  path: '/traceability/gaps',
  tag,
  summary: 'List the gaps of the trace',
  description:
    'The gaps of the stored trace, computed now, most severe first, and after them requirements that no test reaches ' +
    '(`missing_downstream`; these are in this list only and counted in its `total_gaps`).',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: TraceGapQuery,
  answer: TraceGaps,
  examples: { query: { workspace_id: workspaceId }, answer: gapsExample },
  handle: async (context) => toTraceGaps(await examineNow(context), context.query.limit),
});

const getCompleteness = readRoute({
  operation: 'getTraceCompleteness',
  method: 'GET',
  path: '/traceability/completeness',
  tag,
  summary: 'Read how complete the trace is',
  description:
    'Shares of met obligations along the V-model in percent, with what they were counted from, whole and by integrity ' +
    'level. A share of nothing is null. `gaps` as in the list of gaps.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: TraceGapQuery,
  answer: TraceCompleteness,
  examples: { query: { workspace_id: workspaceId }, answer: completenessExample },
  handle: async (context) => {
    const { workspace_id, limit } = context.query;
    return toCompleteness(await examineNow(context), { workspaceId: workspace_id, limit });
  },
});

const getAnalysis = readRoute({
  operation: 'analyzeTrace',
  method: 'GET',
  path: '/traceability/analyze',
  tag,
  summary: 'Analyse the trace now',
  description:
    'All six types of gap with suggested actions, counted and listed, computed from the stored trace at once. To keep a ' +
    'result, with gaps that people can work on, start an analysis with `POST`.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: TraceGapQuery,
  answer: TraceAnalysis,
  examples: { query: { workspace_id: workspaceId }, answer: traceAnalysisExample },
  handle: async (context) => {
    const { workspace_id, limit } = context.query;
    return toTraceAnalysis(await examineNow(context), {
      workspaceId: workspace_id,
      now: context.now,
      limit,
    });
  },
});

type Query = Parameters<typeof optionsOfQuery>[0] & { readonly limit: number };

const examineNow = ({
  query,
  read,
  request,
}: Pick<ReadContext<object, Query>, 'query' | 'read' | 'request'>) =>
  examineStoredTrace(read, request.server.engine, {
    workspaceId: query.workspace_id,
    options: { ...optionsOfQuery(query), listedPerType: query.limit },
    signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
  });

const getSuggestions = readRoute({
  operation: 'suggestTraceLinks',
  method: 'GET',
  path: '/traceability/suggestions',
  tag,
  summary: 'Propose links',
  description:
    'For artifacts without a link upwards: what they could belong to, by the words that they share. Proposals are shown ' +
    'here only and count for nothing; to accept one, send its `link` to `POST /traceability/links`.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: SuggestionQuery,
  answer: Suggestions,
  examples: { query: { workspace_id: workspaceId }, answer: suggestionsExample },
  handle: async ({ query, read, request }) => {
    const { workspace_id, artifact_id, offset, limit } = query;
    const [row] = await read<TraceRow>(selectTrace(workspace_id, { texts: true }));
    if (!row) throw notFound(resource);
    const { extraction: _extraction, ...columns } = row;
    const { items, total } = await request.server.engine.run(
      'suggestLinks',
      {
        columns,
        options: {},
        offset,
        limit,
        ...(artifact_id === undefined ? {} : { artifactId: artifact_id }),
      },
      { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) },
    );
    return {
      workspace_id,
      items: items.map((item) => ({
        artifact_id: item.artifactId,
        type: item.type,
        text: item.text,
        candidates: item.candidates.map(({ artifactId, type, text, score, link }) => ({
          artifact_id: artifactId,
          type,
          text,
          score,
          link: { source_id: link.sourceId, target_id: link.targetId, link_type: link.type },
        })),
      })),
      total,
      note: SUGGESTION_NOTE,
    };
  },
});

const getExtraction = readRoute({
  operation: 'getTraceExtraction',
  method: 'GET',
  path: '/traceability/extraction',
  tag,
  summary: 'Read how the trace was extracted',
  description:
    'From which document versions artifacts and links were taken, when, what had to be decided on the way, and whether a ' +
    'newer extraction is under way. The events of the workspace tell its progress (`traceability`).',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: ExtractionQuery,
  answer: ExtractionDetail,
  examples: { query: { workspace_id: workspaceId }, answer: extractionDetailExample },
  handle: async ({ query, read }) => {
    const [row] = await read<ExtractionRow>(selectExtraction(query.workspace_id));
    if (!row) throw notFound(resource);
    return toExtractionDetail(query.workspace_id, row);
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
  handle: async ({ body, transaction, dependencies }) => {
    await requestExtraction(transaction, dependencies.queue, body.workspace_id);
    const row = await transaction.one<ExtractionRow>(selectExtraction(body.workspace_id));
    return toExtractionDetail(body.workspace_id, row);
  },
});

export const traceViewRoutes: readonly Route[] = [
  getMatrix,
  getGaps,
  getCompleteness,
  getAnalysis,
  getSuggestions,
  getExtraction,
  postExtraction,
];
