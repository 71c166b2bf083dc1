import {
  type ArtifactType,
  GROUP_OF_CATEGORY,
  loadTraceabilityRules,
  type StandardCategory,
} from '@normtrace/engine';
import type { z } from 'zod';
import { sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import { computedPart } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import { PATIENCE_MILLISECONDS, readStoredTrace } from './examine-trace.js';
import { traceMatrixTask } from './examine-trace-task.js';
import { matrixExample, workspaceId } from './examples.js';
import { revisionOf, type TraceView } from './kept-views.js';
import type { MatrixFile } from './matrix-files.js';
import type { PackedRows } from './packed-rows.js';
import { sendRows, sendWritten } from './send-rows.js';
import { withMap } from './trace-map.js';
import { FILTERS, matrixRowsOf } from './trace-matrix-page.js';
import { writeRows } from './trace-matrix-rows.js';
import { MatrixQuery, TraceMatrix } from './trace-views.schemas.js';
import { optionsOfQuery, shareOf, toExtraction } from './trace-views.service.js';
import { viewNow } from './view-now.js';

const resource = 'workspace';

const getMatrix = readRoute({
  operation: 'getTraceMatrix',
  method: 'GET',
  path: '/traceability/matrix',
  tag: 'Traceability',
  summary: 'Read the trace matrix',
  description:
    'Goals and requirements, in reading order unless `sort` says otherwise, each with what it is linked to upwards and downwards and how far it is ' +
    'traced: `complete`, `partial` (something is missing or has a gap), `missing` (neither realised nor verified), `orphan` ' +
    '(no parent). In pages when `limit` is given, all of one state of the trace: 422 for the next page when it has changed. ' +
    'Pages tell how many rows each value of a filter has. Named types have rows of their own, tests and results too; files list goals and ' +
    'requirements. ' +
    '`format=csv` and `xlsx` answer a file.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: MatrixQuery,
  answer: TraceMatrix,
  examples: { query: { workspace_id: workspaceId }, answer: matrixExample },
  handle: async (context) => {
    const { query, read, reply, request } = context;
    const { workspace_id: workspaceId, standard_id, format, links } = query;
    const limit = Number.POSITIVE_INFINITY;
    const types = standard_id === undefined ? undefined : await typesInScope(read, workspaceId, standard_id);
    const options = { ...optionsOfQuery(query), listedPerType: 0 };
    if (format === 'json' && query.limit !== undefined) return matrixPage(context, types);
    const only = FILTERS.some((name) => query[name] !== undefined)
      ? await idsOfRows(context, types)
      : undefined;
    const write = async () => {
      const { extraction, ...columns } = await readStoredTrace(read, workspaceId, { texts: true });
      const written = await request.server.engine.run(
        traceMatrixTask,
        {
          columns,
          options,
          format,
          ...(types ? { types } : {}),
          ...(only ? { only, isOrdered: query.sort !== undefined } : {}),
          ...(links ? { links } : {}),
        },
        { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS), group: workspaceId },
      );
      return { ...written, extraction };
    };
    if (format !== 'json') return sendFile(reply, format, (await write()).matrix as MatrixFile);
    const { offset } = await computedPart(context, { ...query, limit });
    const { view, extraction } = await viewNow<MatrixView>(context, {
      workspaceId,
      what: ['matrix', options, types ?? null, links ?? null, only ? filtersOf(query) : null],
      make: async () => {
        const { matrix, ...about } = await write();
        return { ...about, rows: matrix as PackedRows };
      },
    });
    const { totalGaps, coverage, rows } = view;
    const answer = {
      matrix: [],
      facets: null,
      gaps: totalGaps,
      coverage: shareOf({ percentage: coverage }),
      assessed: coverage !== null,
      total: rows.total,
      page: 1,
      limit: null,
      next_cursor: null,
      extraction: toExtraction(extraction),
    };
    return sendRows(reply, { schema: TraceMatrix, answer, list: 'matrix', rows, offset, limit });
  },
});

type Asked = ReadContext<object, z.output<typeof MatrixQuery>>;

const filtersOf = (query: z.output<typeof MatrixQuery>) => FILTERS.map((name) => query[name] ?? null);

/** Ids as written of the rows under the filters. */
const idsOfRows = (
  context: Asked,
  types: readonly ArtifactType[] | undefined,
): Promise<readonly string[]> => {
  const { query } = context;
  return withMap(
    context,
    { workspaceId: query.workspace_id, options: optionsOfQuery(query) },
    async (now) => {
      const { rows } = await matrixRowsOf(context, now, { query, types });
      return { revision: revisionOf(now.extraction), answer: rows.map((node) => now.map.ids[node]!) };
    },
  );
};

/** A page of rows, of the map of the trace. */
async function matrixPage(context: Asked, types: readonly ArtifactType[] | undefined) {
  const { query } = context;
  const { workspace_id: workspaceId, limit = 0 } = query;
  const most = {
    links: query.links ?? Number.POSITIVE_INFINITY,
    perType: query.links_per_type ?? Number.POSITIVE_INFINITY,
  };
  const { offset, page, next } = await computedPart(context, { ...query, limit });
  const options = optionsOfQuery(query);
  const found = await withMap(context, { workspaceId, options }, async (now) => {
    const { rows, facets } = await matrixRowsOf(context, now, { query, types });
    const part = rows.slice(offset, offset + limit);
    const { revision, rows: written } = await writeRows(context, now, { workspaceId, rows: part, most });
    return {
      revision,
      answer: { written, facets, total: rows.length, map: now.map, extraction: now.extraction },
    };
  });
  const { map, extraction, written, facets, total } = found;
  const answer = {
    matrix: [],
    facets,
    gaps: map.totalGaps,
    coverage: shareOf({ percentage: map.coverage }),
    assessed: map.coverage !== null,
    total,
    page,
    limit,
    next_cursor: await next({ state: String(revisionOf(extraction)), isLast: offset + limit >= total }),
    extraction: toExtraction(extraction),
  };
  return sendWritten(context.reply, { schema: TraceMatrix, answer, list: 'matrix', rows: written });
}

interface MatrixView extends TraceView {
  readonly totalGaps: number;
  readonly coverage: number | null;
}

const FILES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const sendFile = (reply: ReadContext['reply'], format: keyof typeof FILES, { bytes }: MatrixFile) =>
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
