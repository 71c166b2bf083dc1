import type { Criterion } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { type CriterionAnswerRow, selectAnswers } from '../gap-analysis/criterion-answers.repository.js';
import { byCriterion, reviewCriterion } from '../gap-analysis/criterion-review.js';
import { type RunRow, selectRunOf } from '../gap-analysis/standard-runs.repository.js';
import { selectVerdicts, type VerdictRow } from '../runs/analyses.repository.js';
import { analysisExample, analysisId, standardId, workProductId, workspaceId } from '../runs/examples.js';
import { StandardParams } from '../standards/standards.schemas.js';
import { criteriaOf, wordsOfCriterion } from '../standards/standards.service.js';
import { type ReadableStandardRow, selectStandardFor } from '../standards/words.repository.js';
import { type ColumnRow, selectColumns, selectTrend, type TrendRow } from './trend.repository.js';
import { AnalysisTrend, Heatmap, HeatmapQuery, TrendQuery } from './trend.schemas.js';

const common = { method: 'GET', tag: 'Analysis', permission: 'analyses.read' } as const;

const getTrend = readRoute({
  ...common,
  operation: 'getAnalysisTrend',
  path: '/analysis/trend',
  summary: 'Read how gaps went from run to run',
  description:
    'Gaps by severity, verdicts, and what came and went, of the last hundred runs with a result: of the whole workspace, one ' +
    'standard or one type of analysis.',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: TrendQuery,
  answer: AnalysisTrend,
  examples: {
    query: { workspace_id: workspaceId, standard_id: standardId },
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
    },
  },
  handle: async ({ query, read }) => {
    const rows = await read<TrendRow>(selectTrend(query));
    if (rows.length === 0) throw notFound('workspace');
    return {
      points: rows
        .filter(({ analysis_id }) => analysis_id !== null)
        .map((row) => ({
          ...row,
          finished_at: timestamp(row.finished_at),
          score: row.score === null ? null : Number(row.score),
        })),
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
    'against it or beside it. The clause tree (`/drilldown`) has the words.',
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
    const grouped = byCriterion(answers);
    const found = new Map(verdicts.map((verdict) => [verdict.criterion_id, verdict]));
    const depthOf = depths(criteria);
    return {
      standard_id: standard.id,
      analysis_id: run?.id ?? null,
      columns,
      rows: criteria.map((criterion) => {
        const verdict = found.get(criterion.id);
        const { effective_verdict, review_status } = reviewCriterion(criterion, {
          facts: verdict,
          answers: grouped.get(criterion.id) ?? [],
          language,
        });
        return {
          criterion_id: criterion.id,
          kind: criterion.kind,
          clause: criterion.clause,
          title: wordsOfCriterion(criterion, { readable: standard.readable, language }).title,
          depth: depthOf.get(criterion.id)!,
          verdict: verdict?.verdict ?? null,
          effective_verdict,
          review_status,
          cells: columns.map((column) => cellOf(verdict?.evidence ?? [], column)).join(''),
        };
      }),
    };
  },
});

/** Parents stand before their children. */
function depths(criteria: readonly Criterion[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { id, parentId } of criteria) {
    found.set(id, parentId === undefined ? 0 : (found.get(parentId) ?? -1) + 1);
  }
  return found;
}

function cellOf(evidence: VerdictRow['evidence'], { work_product_id }: ColumnRow): string {
  const roles = new Set(
    evidence.filter((one) => one.work_product_id === work_product_id).map(({ role }) => role),
  );
  if (roles.has('support')) return roles.has('counter') ? 'b' : 's';
  if (roles.has('counter')) return 'c';
  return roles.has('context') ? 'x' : '-';
}

export const trendRoutes: readonly Route[] = [getTrend, getHeatmap];
