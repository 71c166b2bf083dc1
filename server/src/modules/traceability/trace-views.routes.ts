import type { z } from 'zod';
import { notFound } from '../../platform/http/api-error.js';
import { computedPart } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import { examineStoredTrace, PATIENCE_MILLISECONDS, type StoredTraceExamination } from './examine-trace.js';
import {
  completenessExample,
  gapsExample,
  suggestionsExample,
  traceAnalysisExample,
  workspaceId,
} from './examples.js';
import { SuggestionQuery, Suggestions } from './links.schemas.js';
import { type StoredExtraction, selectTrace, type TraceRow } from './trace.repository.js';
import { TraceAnalysis, TraceCompleteness, TraceGapQuery, TraceGaps } from './trace-views.schemas.js';
import {
  optionsOfQuery,
  SUGGESTION_NOTE,
  toCompleteness,
  toTraceAnalysis,
  toTraceGaps,
} from './trace-views.service.js';

const tag = 'Traceability';
const resource = 'workspace';

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
  handle: async (context) => {
    const { examined, page } = await examineNow(context, withUntested);
    return toTraceGaps(examined, page);
  },
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
    const { examined, page } = await examineNow(context, withUntested);
    return toCompleteness(examined, { workspaceId: context.query.workspace_id, ...page });
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
    const { examined, page } = await examineNow(context, ({ analysis }) => analysis.totalGaps);
    return toTraceAnalysis(examined, {
      workspaceId: context.query.workspace_id,
      now: context.now,
      ...page,
    });
  },
});

const revisionOf = (extraction: StoredExtraction | null): string => String(extraction?.revision ?? 0);

const withUntested = ({ analysis, withoutTestCount }: StoredTraceExamination): number =>
  analysis.totalGaps + withoutTestCount;

/** Examines the trace for one page of its gaps. `totalOf`: how many gaps all pages have. */
async function examineNow(
  context: ReadContext<object, z.output<typeof TraceGapQuery>>,
  totalOf: (examined: StoredTraceExamination) => number,
) {
  const { query, read, request } = context;
  const part = await computedPart(context, query);
  const examined = await examineStoredTrace(read, request.server.engine, {
    workspaceId: query.workspace_id,
    options: optionsOfQuery(query),
    part: { offset: part.offset, limit: query.limit },
    signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
  });
  const next_cursor = await part.next({
    state: revisionOf(examined.extraction),
    isLast: part.offset + query.limit >= totalOf(examined),
  });
  return { examined, page: { page: part.page, next_cursor } };
}

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
  handle: async (context) => {
    const { query, read, request } = context;
    const { workspace_id, artifact_id, limit } = query;
    const { offset, page, next } = await computedPart(context, query);
    const [row] = await read<TraceRow>(selectTrace(workspace_id, { texts: true }));
    if (!row) throw notFound(resource);
    const { extraction, ...columns } = row;
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
      page,
      limit,
      next_cursor: await next({ state: revisionOf(extraction), isLast: offset + limit >= total }),
      note: SUGGESTION_NOTE,
    };
  },
});

export const traceViewRoutes: readonly Route[] = [getGaps, getCompleteness, getAnalysis, getSuggestions];
