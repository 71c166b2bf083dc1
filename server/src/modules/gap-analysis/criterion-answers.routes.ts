import { type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import {
  analysisExample,
  analysisId,
  evidenceExample,
  gapId,
  standardId,
  workProductId,
} from '../runs/examples.js';
import { workspaceOf } from '../standards/standards.repository.js';
import { StandardParams } from '../standards/standards.schemas.js';
import {
  CriterionParams,
  NewCriterionAnswer,
  NewStandardRelease,
  ReviewedCriterion,
  ReviewQuery,
  StandardReview,
  StandardReviewQuery,
} from './criterion-answers.schemas.js';
import {
  answerCriterion,
  readCriterion,
  readReview,
  releaseStandard,
  takeBackAnswer,
} from './criterion-answers.service.js';

const common = {
  tag: 'Analysis',
  within: ({ params }: { readonly params: { readonly id: string } }) => workspaceOf(params.id),
} as const;

const params = { id: standardId, criterion_id: '26262-3:6.5.1' };
const answerExample = {
  id: '0b7e5c1e-6e55-4a53-8f4e-2f4e2a6d9c10',
  verdict: 'covered',
  rating: null,
  reason: 'The interval stands in the table of the safety goals.',
  evidence: [evidenceExample],
  analysis_id: analysisId,
  machine_verdict: 'partial',
  documents: [{ work_product_id: workProductId, name: 'Functional safety concept', version: 2 }],
  answered_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  answered_by_name: 'Jo Doe',
  answered_at: '2026-01-31T09:30:00.000Z',
};
const reviewExample = {
  effective_verdict: 'covered',
  review_status: 'overridden',
  review_reason: null,
  answer: answerExample,
};
const criterionExample = {
  criterion_id: params.criterion_id,
  kind: 'work_product',
  clause: '6',
  title: 'Hazard analysis and risk assessment report',
};
const reviewedExample = {
  ...criterionExample,
  text: 'The hazardous events of the item are rated and lead to safety goals.',
  analysis_id: analysisId,
  machine: {
    criterion_id: params.criterion_id,
    verdict: 'partial',
    confidence: 'medium',
    rules: ['section-present'],
    reason: 'The fault tolerant time interval is announced, not stated.',
    evidence: [evidenceExample],
    search: null,
  },
  basis: 'c0ffee',
  ...reviewExample,
  gaps: [
    { id: gapId, title: 'Fault tolerant time interval is missing', severity: 'high', status: 'resolved' },
  ],
  history: [answerExample],
};
const standardReviewExample = {
  standard_id: standardId,
  name: 'ISO 26262-3:2018',
  analysis: { id: analysisId, status: 'completed', finished_at: analysisExample.finished_at },
  score: { machine: 62.5, effective: 71 },
  counts: { machine: { partial: 1 }, effective: { covered: 1 } },
  review: {
    statuses: { not_needed: 0, to_be_reviewed: 0, confirmed: 0, overridden: 1 },
    needed: 1,
    done: 1,
    percent: 100,
  },
  criteria: [
    {
      ...criterionExample,
      machine_verdict: 'partial',
      confidence: 'medium',
      basis: 'c0ffee',
      ...reviewExample,
    },
  ],
  releases: [
    {
      id: '8f0d5c3e-5e0a-4b39-9a57-2a0c6b1f7d44',
      analysis_id: analysisId,
      comment: 'Approved for the assessment.',
      released_by: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c12',
      released_by_name: 'Kim Roe',
      released_at: '2026-01-31T10:00:00.000Z',
      current: true,
    },
  ],
};

const getReview = readRoute({
  ...common,
  worded: true,
  operation: 'getStandardReview',
  method: 'GET',
  path: '/analysis/standards/:id/review',
  summary: 'Read where a standard stands',
  description:
    'What a run judged, what people said of it, and what counts: the verdict of a person as long as what was quoted and what ' +
    'the run found are the same, else that of the run. Indicative analysis – not a confirmation measure, audit, assessment or ' +
    'certification.',
  permission: 'analyses.read',
  resource: 'standard',
  params: StandardParams,
  query: StandardReviewQuery,
  answer: StandardReview,
  examples: { params: { id: standardId }, answer: standardReviewExample },
  handle: async ({ params, query, read, caller, language }) => {
    const review = await readReview(
      read,
      { standardId: params.id, analysisId: query.analysis_id },
      { userId: caller.userId, language },
    );
    return query.include === 'none' ? { ...review, criteria: [] } : review;
  },
});

const getCriterion = readRoute({
  ...common,
  worded: true,
  operation: 'getReviewedCriterion',
  method: 'GET',
  path: '/analysis/standards/:id/criteria/:criterion_id',
  summary: 'Read what is said of a criterion',
  description:
    'The verdict of a run with its quotes, the verdict of a person beside it, what counts, the gaps that speak of it, and ' +
    'every answer that was given.',
  permission: 'analyses.read',
  resource: 'criterion',
  params: CriterionParams,
  query: ReviewQuery,
  answer: ReviewedCriterion,
  examples: { params, answer: reviewedExample },
  handle: ({ params, query, read, caller, now, language }) =>
    readCriterion(
      read,
      { standardId: params.id, criterionId: params.criterion_id, analysisId: query.analysis_id },
      { userId: caller.userId, now, language },
    ),
});

const putAnswer = writeRoute({
  ...common,
  worded: true,
  operation: 'answerCriterion',
  method: 'PUT',
  path: '/analysis/standards/:id/criteria/:criterion_id/answer',
  summary: 'Judge a criterion',
  description:
    'Confirms the verdict of a run or overrides it; it stays beside the answer, and every answer stays in the history. The ' +
    'answer counts in later runs, too, until a quoted document gets a new version or a run over the same documents finds ' +
    'something else: then a person has to look again. `covered` and `not_applicable` resolve the gaps of the criterion as long as ' +
    'they count; contradictions stay.',
  permission: 'checklists.answer',
  resource: 'criterion',
  params: CriterionParams,
  body: NewCriterionAnswer,
  answer: ReviewedCriterion,
  errors: ['CONFLICT'],
  examples: {
    params,
    body: {
      verdict: 'covered',
      reason: 'The interval stands in the table of the safety goals.',
      evidence: [{ work_product_id: workProductId, quote: 'FTTI 200 ms' }],
    },
    answer: reviewedExample,
  },
  handle: (context) =>
    answerCriterion(
      context,
      { standardId: context.params.id, criterionId: context.params.criterion_id },
      context.body,
    ),
});

const deleteAnswer = writeRoute({
  ...common,
  operation: 'takeBackCriterionAnswer',
  method: 'DELETE',
  path: '/analysis/standards/:id/criteria/:criterion_id/answer',
  summary: 'Take back what one said of a criterion',
  description:
    'The verdict of the run counts again; gaps that the answer had settled are opened. The history keeps it.',
  permission: 'checklists.answer',
  resource: 'criterion',
  params: CriterionParams,
  status: 204,
  examples: { params },
  handle: (context) =>
    takeBackAnswer(context, {
      standardId: context.params.id,
      criterionId: context.params.criterion_id,
    }),
});

const postRelease = writeRoute({
  ...common,
  worded: true,
  operation: 'releaseStandard',
  method: 'POST',
  path: '/analysis/standards/:id/releases',
  summary: 'Approve where a standard stands',
  description:
    'A manager approves what counts by the newest run: nothing is left to review, and none of the answers that count is their ' +
    'own. When something else stands there later, the approval is not current any more; it stays visible.',
  permission: 'reports.release',
  enforces: ['not_the_author'],
  resource: 'standard',
  idempotent: true,
  params: StandardParams,
  body: NewStandardRelease,
  status: 201,
  answer: StandardReview,
  errors: ['CONFLICT'],
  examples: {
    params: { id: standardId },
    body: { comment: 'Approved for the assessment.' },
    answer: standardReviewExample,
  },
  handle: (context) => {
    const { id } = context.params;
    context.reply.header('location', `/api/v1/analysis/standards/${id}/review`);
    return releaseStandard(context, id, context.body.comment);
  },
});

export const criterionAnswerRoutes: readonly Route[] = [
  getReview,
  getCriterion,
  putAnswer,
  deleteAnswer,
  postRelease,
];
