import { inLanguage } from '@normtrace/engine';
import { notFound } from '../../platform/http/api-error.js';
import { computedPart } from '../../platform/http/pagination.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { timestampOrNull } from '../../platform/http/schemas.js';
import { type CriterionAnswerRow, selectAnswers } from '../gap-analysis/criterion-answers.repository.js';
import {
  type DrilldownGapRow,
  type RunRow,
  selectDrilldownGaps,
  selectRunOf,
} from '../gap-analysis/standard-runs.repository.js';
import { selectVerdicts, type VerdictRow } from '../runs/analyses.repository.js';
import {
  analysisId,
  drilldownExample,
  evidenceExample,
  overviewExample,
  standardId,
  workspaceId,
} from '../runs/examples.js';
import { StandardParams } from '../standards/standards.schemas.js';
import { criteriaOf } from '../standards/standards.service.js';
import { type ReadableStandardRow, selectStandardFor } from '../standards/words.repository.js';
import * as repository from './overview.repository.js';
import {
  Drilldown,
  DrilldownQuery,
  EvidenceMap,
  EvidenceQuery,
  Overview,
  OverviewQuery,
} from './overview.schemas.js';
import { partOfTree, toClauseTree, toEvidenceMap, toOverview } from './overview.service.js';

const tag = 'Analysis';

const getOverview = readRoute({
  operation: 'getAnalysisOverview',
  method: 'GET',
  path: '/analysis/overview',
  tag,
  summary: 'Read the overview of a workspace',
  description:
    'Totals by standard, type, severity and status, and how scores and gaps went over the last runs.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: OverviewQuery,
  answer: Overview,
  examples: { query: { workspace_id: workspaceId }, answer: overviewExample },
  handle: async ({ query, read, now }) => {
    const [row] = await read<repository.OverviewRow>(repository.selectOverview(query.workspace_id, now));
    if (!row) throw notFound('workspace');
    return toOverview(query.workspace_id, row);
  },
});

const getDrilldown = readRoute({
  operation: 'getStandardDrilldown',
  method: 'GET',
  path: '/analysis/standards/:id/drilldown',
  tag,
  summary: 'Drill down into a standard',
  description:
    'The clauses of a standard as a tree with verdict, score, gaps and evidence of one run, and with what people said of ' +
    'each criterion beside it.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  resource: 'standard',
  params: StandardParams,
  query: DrilldownQuery,
  answer: Drilldown,
  examples: { params: { id: standardId }, answer: drilldownExample },
  handle: async ({ params, query, read, caller, now, language }) => {
    const [standard] = await read<ReadableStandardRow>(selectStandardFor(params.id, caller.userId));
    if (!standard) throw notFound('standard');
    const [run] = await read<RunRow>(selectRunOf(params.id, query.analysis_id));
    if (query.analysis_id !== undefined && !run) throw notFound('analysis');
    const [criteria, verdicts, gaps, answers] = await Promise.all([
      criteriaOf(standard, read),
      run ? read<VerdictRow>(selectVerdicts(run.id, caller.userId)) : [],
      run ? read<DrilldownGapRow>(selectDrilldownGaps(run.id, { userId: caller.userId, now })) : [],
      read<CriterionAnswerRow>(selectAnswers({ standardId: standard.id, analysisId: run?.id ?? null })),
    ]);
    const tree = toClauseTree(criteria, { verdicts, gaps, answers, readable: standard.readable, language });
    const clauses = partOfTree(tree, query);
    if (!clauses) throw notFound('criterion');
    return {
      standard_id: standard.id,
      name: standard.name,
      analysis: run
        ? {
            id: run.id,
            status: run.status,
            score: run.score === null ? null : Number(run.score),
            finished_at: timestampOrNull(run.finished_at),
          }
        : null,
      clauses,
    };
  },
});

const getEvidence = readRoute({
  operation: 'getEvidenceMap',
  method: 'GET',
  path: '/analysis/evidence',
  tag,
  summary: 'Map evidence to criteria',
  description:
    'Which passages speak about which criterion, and which criteria a passage speaks about: of the named run, else of ' +
    'the newest run of each standard, checklist and type.',
  worded: true,
  permission: 'analyses.read',
  within: 'visible',
  query: EvidenceQuery,
  answer: EvidenceMap,
  examples: {
    query: { analysis_id: analysisId },
    answer: {
      analysis_ids: [analysisId],
      criteria: [
        {
          analysis_id: analysisId,
          analysis_type: 'gap_analysis',
          standard_id: standardId,
          criterion_id: '26262-3:7.5.1-6',
          verdict: 'partial',
          passages: [evidenceExample],
        },
      ],
      passages: [],
      page: 1,
      next_cursor: null,
    },
  },
  handle: async (context) => {
    const { query, read, caller } = context;
    const { offset, page, next } = await computedPart(context, query);
    const { limit } = query;
    const found = await read<repository.EvidenceMapRow>(
      repository.selectEvidenceMap({ ...query, offset, limit: limit + 1 }, caller.userId),
    );
    const next_cursor = await next({ state: found[0]?.state ?? '', isLast: found.length <= limit });
    return toEvidenceMap(inLanguage(found.slice(0, limit), context.language), { page, next_cursor });
  },
});

export const overviewRoutes: readonly Route[] = [getOverview, getDrilldown, getEvidence];
