import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { type CriterionAnswerRow, selectAnswers } from '../gap-analysis/criterion-answers.repository.js';
import { type RunRow, selectRunOf } from '../gap-analysis/standard-runs.repository.js';
import { selectVerdicts, type VerdictRow } from '../runs/analyses.repository.js';
import { analysisExample, analysisId, standardId, workProductId, workspaceId } from '../runs/examples.js';
import { StandardParams } from '../standards/standards.schemas.js';
import { criteriaOf } from '../standards/standards.service.js';
import { type ReadableStandardRow, selectStandardFor } from '../standards/words.repository.js';
import { toHeatmapRows } from './heatmap-rows.js';
import { toClauseTree } from './overview.service.js';
import {
  type BucketRow,
  type ColumnRow,
  selectBuckets,
  selectColumns,
  selectTrend,
  type TrendRow,
} from './trend.repository.js';
import { AnalysisTrend, Heatmap, HeatmapQuery, TrendQuery } from './trend.schemas.js';

const common = { method: 'GET', tag: 'Analysis', permission: 'analyses.read' } as const;

const getTrend = readRoute({
  ...common,
  operation: 'getAnalysisTrend',
  path: '/analysis/trend',
  summary: 'Read how gaps went from run to run',
  description:
    'Gaps by severity, verdicts, and what came and went, of the last hundred runs with a result: of the whole workspace, one ' +
    'standard or one type of analysis. With `by` or `bucket` also one of the counts for each run, day or week.',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: TrendQuery,
  answer: AnalysisTrend,
  examples: {
    query: { workspace_id: workspaceId, standard_id: standardId, by: 'severity', bucket: 'week' },
    answer: {
      points: [
        {
          analysis_id: analysisId,
          analysis_type: 'gap_analysis',
          standard_id: standardId,
          finished_at: analysisExample.finished_at,
          score: 62.5,
          by_severity: { high: 4, medium: 9 },
          by_verdict: { covered: 20, partial: 6, missing: 3 },
          opened: 2,
          closed: 5,
        },
      ],
      buckets: [
        {
          begins_at: '2026-01-26T00:00:00.000Z',
          analysis_id: null,
          values: { high: 4, medium: 9 },
          opened: 2,
          closed: 5,
        },
      ],
    },
  },
  handle: async ({ query, read, now }) => {
    const { by, bucket } = query;
    const isCounted = by !== undefined || bucket !== undefined;
    const [rows, buckets] = await Promise.all([
      read<TrendRow>(selectTrend(query)),
      isCounted
        ? read<BucketRow>(selectBuckets({ ...query, by: by ?? 'severity', bucket: bucket ?? 'run' }, now))
        : undefined,
    ]);
    if (rows.length === 0) throw notFound('workspace');
    return {
      points: rows
        .filter(({ analysis_id }) => analysis_id !== null)
        .map((row) => ({
          ...row,
          finished_at: timestamp(row.finished_at),
          score: row.score === null ? null : Number(row.score),
        })),
      ...(buckets && { buckets: buckets.map((one) => ({ ...one, begins_at: timestamp(one.begins_at) })) }),
    };
  },
});

const getHeatmap = readRoute({
  ...common,
  operation: 'getStandardHeatmap',
  path: '/analysis/standards/:id/heatmap',
  summary: 'Read which document speaks about which criterion',
  description:
    'The criteria of a standard with a letter for each document that a run read: whether its words support the criterion, speak ' +
    'against it or beside it. The clause tree (`/drilldown`) has the words. `rows=process`: one row for each process or clause, of ' +
    'everything below it.',
  worded: true,
  within: 'visible',
  resource: 'standard',
  params: StandardParams,
  query: HeatmapQuery,
  answer: Heatmap,
  examples: {
    params: { id: standardId },
    answer: {
      standard_id: standardId,
      analysis_id: analysisId,
      columns: [{ work_product_id: workProductId, version: 2, name: 'FSC_v0.4.docx' }],
      rows: [
        {
          criterion_id: '26262-3:6.5.1',
          kind: 'work_product',
          clause: '6',
          title: 'Hazard analysis and risk assessment report',
          depth: 0,
          verdict: 'partial',
          effective_verdict: 'covered',
          review_status: 'overridden',
          verdicts: { partial: 1, covered: 2 },
          score: 66.7,
          effective_score: 100,
          cells: 'b',
        },
      ],
    },
  },
  handle: async ({ params, query, read, caller, language }): Promise<Heatmap> => {
    const [standard] = await read<ReadableStandardRow>(selectStandardFor(params.id, caller.userId));
    if (!standard) throw notFound('standard');
    const [run] = await read<RunRow>(selectRunOf(params.id, query.analysis_id));
    if (query.analysis_id !== undefined && !run) throw notFound('analysis');
    const [criteria, verdicts, columns, answers] = await Promise.all([
      criteriaOf(standard, read),
      run ? read<VerdictRow>(selectVerdicts(run.id, caller.userId)) : [],
      run ? read<ColumnRow>(selectColumns(run.id)) : [],
      read<CriterionAnswerRow>(selectAnswers({ standardId: standard.id, analysisId: run?.id ?? null })),
    ]);
    const tree = toClauseTree(criteria, {
      verdicts,
      gaps: [],
      answers,
      readable: standard.readable,
      language,
    });
    return {
      standard_id: standard.id,
      analysis_id: run?.id ?? null,
      columns,
      rows: toHeatmapRows(tree, columns, query.rows),
    };
  },
});

export const trendRoutes: readonly Route[] = [getTrend, getHeatmap];
