import {
  type ArtifactType,
  GROUP_OF_CATEGORY,
  loadTraceabilityRules,
  type StandardCategory,
} from '@normtrace/engine';
import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import type { MatrixOutput } from '../engine/examine-trace-task.js';
import { PATIENCE_MILLISECONDS } from './examine-trace.js';
import { matrixExample, workspaceId } from './examples.js';
import { type StoredExtraction, selectTrace, type TraceRow } from './trace.repository.js';
import { MatrixQuery, TraceMatrix } from './trace-views.schemas.js';
import { optionsOfQuery, shareOf, toExtraction } from './trace-views.service.js';

const resource = 'workspace';

const getMatrix = readRoute({
  operation: 'getTraceMatrix',
  method: 'GET',
  path: '/traceability/matrix',
  tag: 'Traceability',
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
      : await cursors.encode({ key: '', id: query.workspace_id, page: page + 1 }, scope);
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
    coverage: shareOf({ percentage: coverage }),
    assessed: coverage !== null,
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

export const traceMatrixRoutes: readonly Route[] = [getMatrix];
