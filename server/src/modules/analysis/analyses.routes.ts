import { notFound } from '../../platform/http/api-error.js';
import { readPage } from '../../platform/http/pagination.js';
import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import * as repository from './analyses.repository.js';
import {
  Analysis,
  AnalysisDetail,
  AnalysisList,
  AnalysisParams,
  AnalysisQuery,
  StartedAnalysis,
  StartGapAnalysis,
} from './analyses.schemas.js';
import { cancelAnalysis, retryAnalysis, startGapAnalysis, toAnalysis } from './analyses.service.js';
import {
  analysisExample,
  analysisId,
  evidenceExample,
  gapExample,
  queuedExample,
  standardId,
  workspaceId,
} from './examples.js';
import * as gaps from './gaps.repository.js';
import { toEvidence, toGap } from './gaps.service.js';

const tag = 'Analysis';
const resource = 'analysis';
const params = { id: analysisId };

const startGaps = writeRoute({
  operation: 'startGapAnalysis',
  method: 'POST',
  path: '/analysis/gaps',
  tag,
  summary: 'Start a gap analysis',
  description:
    'Compares work products with a standard in the background. The same work product versions, standard, engine and ' +
    'options are answered with the run that is there, unless `force`.',
  permission: 'analyses.start',
  within: ({ body }) => body.workspace_id,
  resource: 'workspace',
  idempotent: true,
  body: StartGapAnalysis,
  status: 202,
  answer: StartedAnalysis,
  errors: ['CONFLICT'],
  examples: {
    body: { workspace_id: workspaceId, standard_id: standardId },
    answer: { ...queuedExample, from_store: false },
  },
  handle: async (context) => {
    const analysis = await startGapAnalysis(context, context.body);
    context.reply.header('location', `/api/v1/analysis/analyses/${analysis.id}`);
    return analysis;
  },
});

const listAnalyses = readRoute({
  operation: 'listAnalyses',
  method: 'GET',
  path: '/analysis/analyses',
  tag,
  summary: 'List analyses',
  description: 'The runs of the workspaces that the caller is a member of, newest first.',
  permission: 'analyses.read',
  within: 'visible',
  query: AnalysisQuery,
  answer: AnalysisList,
  examples: { answer: { items: [analysisExample], total: 1, page: 1, limit: 20, next_cursor: null } },
  handle: (context) =>
    readPage(context, {
      query: context.query,
      matching: repository.selectAnalyses(context.query),
      toItem: toAnalysis,
    }),
});

const getAnalysis = readRoute({
  operation: 'getAnalysis',
  method: 'GET',
  path: '/analysis/analyses/:id',
  tag,
  summary: 'Read an analysis',
  description: 'One run with its verdicts, gaps and recommendations, each with quotes and places.',
  permission: 'analyses.read',
  within: 'visible',
  resource,
  etag: true,
  params: AnalysisParams,
  answer: AnalysisDetail,
  examples: {
    params,
    answer: {
      ...analysisExample,
      verdicts: [
        {
          criterion_id: gapExample.criterion_id,
          verdict: 'partial',
          confidence: 'medium',
          rules: ['T3-intent'],
          reason: 'The interval is announced, not given.',
          evidence: [evidenceExample],
          search: null,
        },
      ],
      gaps: [gapExample],
      recommendations: [
        {
          gap_id: gapExample.id,
          severity: gapExample.severity,
          standard_ref: gapExample.standard_ref,
          recommendation: gapExample.recommendation,
          effort_hint: gapExample.effort_hint,
        },
      ],
    },
  },
  handle: async ({ params, read, caller }) => {
    const [row] = await read<repository.AnalysisRow>(repository.selectAnalysis(params.id));
    if (!row) throw notFound(resource);
    const [verdicts, found] = await Promise.all([
      read<repository.VerdictRow>(repository.selectVerdicts(params.id, caller.userId)),
      read<gaps.GapRow>(gaps.selectGapsOfAnalysis(params.id, caller.userId)),
    ]);
    const gapsOfRun = found.map(toGap);
    return {
      ...toAnalysis(row),
      verdicts: verdicts.map((verdict) => ({ ...verdict, evidence: verdict.evidence.map(toEvidence) })),
      gaps: gapsOfRun,
      recommendations: gapsOfRun.map(({ id, severity, standard_ref, recommendation, effort_hint }) => ({
        gap_id: id,
        severity,
        standard_ref,
        recommendation,
        effort_hint,
      })),
    };
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

export const analysesRoutes: readonly Route[] = [startGaps, listAnalyses, getAnalysis, cancel, retry];
