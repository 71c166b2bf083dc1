import { sql } from '../../platform/database/sql.js';
import { invalid, notFound } from '../../platform/http/api-error.js';
import { isAnyOf, type ListedRow, readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as gaps from '../gaps/gaps.repository.js';
import { toGap } from '../gaps/gaps.service.js';
import { withNames, withNamesOf } from '../names/names.js';
import * as repository from './analyses.repository.js';
import {
  Analysis,
  type AnalysisDetail,
  AnalysisDetailQuery,
  AnalysisList,
  AnalysisParams,
  AnalysisQuery,
  analysisDetail,
  analysisResults,
  analysisResultsQuery,
  MOST_GAPS,
} from './analyses.schemas.js';
import { cancelAnalysis, retryAnalysis, toAnalysis } from './analyses.service.js';
import type { AnalysisView } from './analysis-view.js';
import { analysisExample, analysisId, detailExample, queuedExample, verdictExample } from './examples.js';

const tag = 'Analysis';
const resource = 'analysis';
const params = { id: analysisId };

const listAnalyses = readRoute({
  operation: 'listAnalyses',
  guest: { workspace: ({ query }, { workspaceId }) => query.workspace_id === workspaceId },
  method: 'GET',
  path: '/analysis/analyses',
  tag,
  summary: 'List analyses',
  description: 'The runs of the workspaces that the caller is a member of, newest first.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  query: AnalysisQuery,
  answer: AnalysisList,
  examples: { answer: { items: [analysisExample], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    withNames(
      context,
      readPage(context, {
        query: context.query,
        matching: repository.selectAnalyses(context.query),
        toItem: (row: repository.AnalysisRow) => toAnalysis(row, context.language),
      }),
    ),
});

/** The same with empty lists. */
const withoutItems = (own: object | undefined): object =>
  Object.fromEntries(
    Object.entries(own ?? {}).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );

const getAnalysis = (views: readonly AnalysisView[]): Route =>
  readRoute({
    operation: 'getAnalysis',
    guest: {
      workspace: ({ params }) => repository.workspaceOfAnalysis(params.id),
      analysis: ({ params }, { targetId }) => params.id === targetId,
    },
    method: 'GET',
    path: '/analysis/analyses/:id',
    tag,
    summary: 'Read an analysis',
    description:
      'One run with its gaps and recommendations and the result of its type, each with quotes and places: the verdicts ' +
      'of a gap analysis, the documents of a completeness check, and so on.',
    worded: true,
    permission: 'analyses.read',
    within: 'visible',
    resource,
    etag: true,
    params: AnalysisParams,
    query: AnalysisDetailQuery,
    answer: analysisDetail(views),
    examples: { params, answer: detailExample },
    handle: async (context) => {
      const { params, query, read, caller, now, language } = context;
      const [row] = await read<repository.AnalysisRow>(repository.selectAnalysis(params.id));
      if (!row) throw notFound(resource);
      const withGaps = query.include === 'all' || query.include === 'gaps';
      const withResults = query.include === 'all' || query.include === 'results';
      const view = views.find(({ type }) => type === row.type);
      const [own, found, [counted]] = await Promise.all([
        view?.read(row, { read, caller, language }),
        withGaps
          ? read<gaps.GapRow>(gaps.selectGapsOfAnalysis(params.id, { userId: caller.userId, now }, MOST_GAPS))
          : [],
        read<{ count: number }>(gaps.countGapsOfAnalysis(params.id)),
      ]);
      const gapsOfRun = found.map((one) => toGap(one, { now, language }));
      const analysis = toAnalysis(row, language);
      return withNamesOf(context, {
        ...analysis,
        ...(withResults ? own : withoutItems(own)),
        gaps: gapsOfRun,
        gaps_total: counted?.count ?? 0,
        not_due: (analysis.summary?.not_due ?? []) as AnalysisDetail['not_due'],
        recommendations: gapsOfRun.map(({ id, severity, standard_ref, recommendation, effort_hint }) => ({
          gap_id: id,
          severity,
          standard_ref,
          recommendation,
          effort_hint,
        })),
      });
    },
  });

const listResults = (views: readonly AnalysisView[]): Route =>
  readRoute({
    operation: 'listAnalysisResults',
    guest: {
      workspace: ({ params }) => repository.workspaceOfAnalysis(params.id),
      analysis: ({ params }, { targetId }) => params.id === targetId,
    },
    method: 'GET',
    path: '/analysis/analyses/:id/results',
    tag,
    summary: 'List the results of an analysis',
    description:
      'What one run says of criteria, documents or items, with quotes and places, in the order of the standard, the run ' +
      'or the checklist. Its gaps: `GET /analysis/gaps?analysis_id=…`.',
    worded: true,
    permission: 'analyses.read',
    within: ({ params }) => repository.workspaceOfAnalysis(params.id),
    resource,
    params: AnalysisParams,
    query: analysisResultsQuery(views),
    answer: analysisResults(views),
    examples: {
      params,
      answer: {
        items: [verdictExample],
        total: 1,
        page: 1,
        limit: 20,
        next_cursor: null,
        type: 'gap_analysis',
      },
    },
    handle: async (context) => {
      const { params, query, read, caller, language } = context;
      const [row] = await read<repository.AnalysisRow>(repository.selectAnalysis(params.id));
      if (!row) throw notFound(resource);
      const results = views.find(({ type }) => type === row.type)?.results;
      const strange = query.verdict?.find((one) => !results?.verdicts.includes(one));
      if (strange !== undefined) {
        throw invalid(
          'query.verdict',
          `A run of the type ${row.type} has no verdict "${strange}".`,
          'no_such_verdict',
        );
      }
      const listed = results?.listed(row.id) ?? sql`select 0 as ordinal, '' as verdict where false`;
      const page = await readPage(context, {
        query: { ...query, sort: query.sort ?? 'ordinal', analysis_id: row.id },
        matching: sql`
          select l.*, ${row.id}::uuid as id, ${row.created_at}::timestamptz as created_at
          from (${listed}) l
          where ${query.verdict ? isAnyOf(sql`l.verdict`, query.verdict) : sql`true`}`,
        sorts: { ordinal: { by: sql`ordinal`, type: sql`integer` } },
        ...(results && {
          details: sql`
            select page.id, page.created_at, said.*
            from (${results.details(row.id, { ordinal: sql`page.ordinal`, userId: caller.userId })}) said`,
        }),
        toItem: (found: ListedRow) => results?.toItem(found, language),
      });
      return { ...page, type: row.type };
    },
  });

const cancel = writeRoute({
  operation: 'cancelAnalysis',
  method: 'POST',
  path: '/analysis/analyses/:id/cancel',
  tag,
  summary: 'Cancel an analysis',
  description: 'Ends a run that has not ended. Cancelling twice is harmless.',
  permission: 'analyses.start',
  within: ({ params }) => repository.workspaceOfAnalysis(params.id),
  resource,
  params: AnalysisParams,
  answer: Analysis,
  errors: ['CONFLICT'],
  examples: { params, answer: { ...queuedExample, status: 'cancelled' } },
  handle: (context) => cancelAnalysis(context, context.params.id),
});

const retry = writeRoute({
  operation: 'retryAnalysis',
  method: 'POST',
  path: '/analysis/analyses/:id/retry',
  tag,
  summary: 'Run an analysis again',
  description: 'For a run that failed, was cancelled or took too long.',
  permission: 'analyses.start',
  within: ({ params }) => repository.workspaceOfAnalysis(params.id),
  resource,
  params: AnalysisParams,
  status: 202,
  answer: Analysis,
  errors: ['CONFLICT'],
  examples: { params, answer: queuedExample },
  handle: async (context) => {
    const analysis = await retryAnalysis(context, context.params.id);
    context.reply.header('location', `/api/v1/analysis/analyses/${analysis.id}`);
    return analysis;
  },
});

/** `views`: what each type shows of its result. */
export const analysesRoutes = (views: readonly AnalysisView[]): readonly Route[] => [
  listAnalyses,
  getAnalysis(views),
  listResults(views),
  cancel,
  retry,
];
