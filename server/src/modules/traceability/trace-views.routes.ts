import { inLanguage, type TraceabilityAnalysis } from '@normtrace/engine';
import type { z } from 'zod';
import { sql } from '../../platform/database/sql.js';
import { invalid, notFound } from '../../platform/http/api-error.js';
import { computedPart } from '../../platform/http/pagination.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import { namesIn } from '../names/names.js';
import { vectorAnswers } from '../vectors/vectors.repository.js';
import { artifactNames } from './artifact-names.js';
import { examineStoredTrace, PATIENCE_MILLISECONDS } from './examine-trace.js';
import {
  completenessExample,
  gapsExample,
  suggestionsExample,
  traceAnalysisExample,
  workspaceId,
} from './examples.js';
import { revisionOf, type TraceView } from './kept-views.js';
import { SuggestionQuery, Suggestions } from './links.schemas.js';
import type { ListedGaps, ListGapsInput } from './list-gaps.js';
import { listGapsTask } from './list-gaps-task.js';
import { madeView } from './made-views.js';
import { unpackView } from './make-views-task.js';
import { filterRows, rowsOf } from './packed-rows.js';
import { sendRows } from './send-rows.js';
import { type LinkSuggestions, suggestLinksTask } from './suggest-links-task.js';
import { selectTrace, type TraceRow } from './trace.repository.js';
import {
  type ListedGap,
  MOST_NAMED,
  TraceAnalysis,
  TraceCompleteness,
  TraceGapListQuery,
  TraceGapQuery,
  TraceGaps,
} from './trace-views.schemas.js';
import {
  areUsual,
  optionsOfQuery,
  SUGGESTION_NOTE,
  toCompleteness,
  toTraceAnalysis,
  toTraceGaps,
} from './trace-views.service.js';
import { viewNow } from './view-now.js';

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
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: TraceGapListQuery,
  answer: TraceGaps,
  examples: {
    query: { workspace_id: workspaceId, gap_type: 'missing_verification', refs: 'true', limit: 50 },
    answer: gapsExample,
  },
  handle: async (context) => {
    const { query, reply } = context;
    if (query.refs && query.limit > MOST_NAMED) {
      throw invalid('query.limit', `With \`refs=true\` a page has ${MOST_NAMED} gaps at most.`, 'too_many');
    }
    const { view, asked } = await gapsNow(context, 'gaps', query);
    const answer = toTraceGaps(asked);
    const refs = query.refs ? { refs: await namesOfGaps(context, await rowsOf(view.rows, asked)) } : {};
    return sendRows(reply, { ...asked, schema: TraceGaps, answer: { ...answer, ...refs }, rows: view.rows });
  },
});

type Listed = z.output<typeof ListedGap>;

const namesOfGaps = async (
  context: ReadContext<object, z.output<typeof TraceGapListQuery>>,
  gaps: readonly Listed[],
) => ({
  ...(await namesIn(context, gaps)),
  artifacts: await artifactNames(context, context.query.workspace_id, new Set(gaps.flatMap(takePart))),
});

const takePart = ({ requirement_id, related, missing }: Listed): readonly string[] => [
  requirement_id,
  ...related,
  ...(missing === null ? [] : [missing]),
];

/** Undefined: all. */
function wantedGaps({
  gap_type,
  severity,
  artifact_id,
}: Partial<z.output<typeof TraceGapListQuery>>): ((gap: Listed) => boolean) | undefined {
  if (gap_type === undefined && severity === undefined && artifact_id === undefined) return undefined;
  return (gap) =>
    (gap_type?.includes(gap.gap_type) ?? true) &&
    (severity?.includes(gap.severity) ?? true) &&
    (artifact_id === undefined || takePart(gap).includes(artifact_id));
}

const getCompleteness = readRoute({
  operation: 'getTraceCompleteness',
  method: 'GET',
  path: '/traceability/completeness',
  tag,
  summary: 'Read how complete the trace is',
  description:
    'Shares of met obligations along the V-model in percent, with what they were counted from, whole and by integrity ' +
    'level. A share of nothing is null. `gaps` as in the list of gaps.',
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: TraceGapQuery,
  answer: TraceCompleteness,
  examples: { query: { workspace_id: workspaceId }, answer: completenessExample },
  handle: async (context) => {
    const { view, asked } = await gapsNow(context, 'gaps');
    const answer = toCompleteness(view.analysis, { workspaceId: context.query.workspace_id, ...asked });
    return sendRows(context.reply, { ...asked, schema: TraceCompleteness, answer, rows: view.rows });
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
  worded: true,
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: TraceGapQuery,
  answer: TraceAnalysis,
  examples: { query: { workspace_id: workspaceId }, answer: traceAnalysisExample },
  handle: async (context) => {
    const { view, asked } = await gapsNow(context, 'analysis');
    const { query, now } = context;
    const answer = toTraceAnalysis(inLanguage(view.analysis, context.language), {
      workspaceId: query.workspace_id,
      now,
      ...asked,
    });
    return sendRows(context.reply, { ...asked, schema: TraceAnalysis, answer, rows: view.rows });
  },
});

interface GapsView extends TraceView {
  readonly analysis: TraceabilityAnalysis;
}

/** All gaps of the trace that are wanted, and which of them the page has that is asked for. */
async function gapsNow(
  context: ReadContext<object, z.output<typeof TraceGapQuery>>,
  as: ListGapsInput['as'],
  only: Partial<z.output<typeof TraceGapListQuery>> = {},
) {
  const { query, read, request, language } = context;
  const { workspace_id: workspaceId, limit } = query;
  const part = await computedPart(context, query);
  const options = optionsOfQuery(query);
  const makeWhole = async (): Promise<GapsView> => {
    if (as === 'gaps' && areUsual(options)) {
      const stored = await madeView(context, workspaceId, `gaps_${language}`);
      if (stored) return { extraction: stored.extraction, ...(await unpackView<ListedGaps>(stored.made)) };
    }
    const { result, ...found } = await examineStoredTrace(read, request.server.engine, {
      task: listGapsTask,
      input: { workspaceId, options, as, language },
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
    return { ...found, ...result };
  };
  const whole = () =>
    viewNow<GapsView>(context, {
      workspaceId,
      what: [as, options, language],
      make: makeWhole,
    });
  const isWanted = wantedGaps(only);
  const { view, extraction } = isWanted
    ? await viewNow<GapsView>(context, {
        workspaceId,
        what: [as, options, language, [only.gap_type, only.severity, only.artifact_id]],
        make: async () => {
          const { view } = await whole();
          return { ...view, rows: await filterRows<Listed>(view.rows, isWanted, only.artifact_id) };
        },
      })
    : await whole();
  const { total } = view.rows;
  const { offset, page } = part;
  const next_cursor = await part.next({
    state: String(revisionOf(view.extraction)),
    isLast: offset + limit >= total,
  });
  const listed = Math.max(0, Math.min(limit, total - offset));
  return { view, asked: { total, listed, page, next_cursor, extraction, offset, limit, list: 'gaps' } };
}

const getSuggestions = readRoute({
  operation: 'suggestTraceLinks',
  method: 'GET',
  path: '/traceability/suggestions',
  tag,
  summary: 'Propose links',
  description:
    'For artifacts without a link upwards: what they could belong to, by their words and, in English, their meaning. Proposals are shown ' +
    'here only and count for nothing; to accept one, send its `link` to `POST /traceability/links`.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource,
  query: SuggestionQuery,
  answer: Suggestions,
  examples: { query: { workspace_id: workspaceId }, answer: suggestionsExample },
  handle: async (context) => {
    const { query, read, reply, request, dependencies } = context;
    const { workspace_id: workspaceId, artifact_id, limit } = query;
    const { offset, page, next } = await computedPart(context, query);
    const first = offset - (offset % (limit * PAGES_TOGETHER));
    const { view } = await viewNow<SuggestionsView>(context, {
      workspaceId,
      what: ['suggestions', artifact_id ?? null, first, limit],
      make: async () => {
        const [row] = await read<TraceRow>(selectTrace(workspaceId, { texts: true }));
        if (!row) throw notFound(resource);
        const { extraction, ...columns } = row;
        const found = await request.server.engine.run(
          suggestLinksTask,
          {
            columns,
            options: {},
            embeddings: dependencies.configuration.embeddings === 'builtin' ? 'builtin' : 'off',
            offset: first,
            // One more, for who asks for pages of another length in between.
            limit: limit * (PAGES_TOGETHER + 1),
            ...(artifact_id === undefined ? {} : { artifactId: artifact_id }),
          },
          {
            signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
            answers: vectorAnswers(dependencies.database, {
              workspaceId,
              // What the texts are of may have been changed or erased meanwhile.
              stillOurs: () => sql`
                select from trace_extractions
                where workspace_id = ${workspaceId} and revision = ${revisionOf(extraction)}
                  and documents = ${JSON.stringify(extraction?.documents ?? [])}::jsonb
                for share`,
            }),
          },
        );
        return { ...found, extraction };
      },
    });
    const { rows, total } = view;
    const answer = {
      workspace_id: workspaceId,
      items: [],
      total,
      page,
      limit,
      next_cursor: await next({
        state: String(revisionOf(view.extraction)),
        isLast: offset + limit >= total,
      }),
      note: SUGGESTION_NOTE,
    };
    return sendRows(reply, {
      schema: Suggestions,
      answer,
      list: 'items',
      rows,
      offset: offset - first,
      limit,
    });
  },
});

/** Pages of proposals that are made at once and kept: most of the work is the same for each. */
const PAGES_TOGETHER = 10;

interface SuggestionsView extends TraceView, LinkSuggestions {}

export const traceViewRoutes: readonly Route[] = [getGaps, getCompleteness, getAnalysis, getSuggestions];
