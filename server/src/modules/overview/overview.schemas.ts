import { z } from 'zod';
import { Id, PageQuery, Timestamp, wholeNumber } from '../../platform/http/schemas.js';
import { Review } from '../gap-analysis/criterion-answers.schemas.js';
import { AnalysisType, Evidence, GapStatus, Severity } from '../gaps/gaps.schemas.js';
import { AnalysisStatus, Verdict } from '../runs/analyses.schemas.js';

const Counts = z.record(z.string(), z.int());

const Score = z.object({
  score: z.number().meta({ description: '0 to 100; 0 as well where there is none, see `assessed`.' }),
  assessed: z.boolean().meta({ description: 'There is a run with a result, and it could judge something.' }),
});

export const OverviewQuery = z.strictObject({ workspace_id: Id });
export const Overview = z
  .object({
    workspace_id: Id,
    work_products: z.object({ total: z.int(), by_status: Counts }),
    analyses: z.object({ total: z.int(), by_status: Counts }),
    gaps: z
      .object({
        total: z.int(),
        by_severity: Counts,
        by_status: Counts,
        by_change: Counts,
        by_analysis_type: Counts,
        overdue: z.int(),
        proposed: z.int().meta({ description: 'Of which a change waits for a manager.' }),
      })
      .meta({
        description:
          'Gaps that are there by the newest runs, by the severity that counts; `by_change` counts absent ones too.',
      }),
    standards: z.array(
      z.object({
        standard_id: Id,
        name: z.string(),
        category: z.string(),
        analysis_id: Id.nullable().meta({ description: 'The newest run that has a result.' }),
        ...Score.shape,
        finished_at: Timestamp.nullable(),
        gaps: z.int(),
        by_severity: Counts,
        by_status: Counts,
      }),
    ),
    others: z
      .array(
        z.object({
          analysis_type: AnalysisType,
          series: z.string().meta({ description: 'What runs are compared with each other.' }),
          analysis_id: Id.meta({ description: 'The newest run that has a result.' }),
          ...Score.shape,
          finished_at: Timestamp,
          gaps: z.int(),
          by_severity: Counts,
          by_status: Counts,
        }),
      )
      .meta({ description: 'Analyses without a standard: completeness, traceability, checklists.' }),
    trend: z
      .array(
        z.object({
          analysis_id: Id,
          analysis_type: AnalysisType,
          standard_id: Id.nullable(),
          finished_at: Timestamp,
          ...Score.shape,
          gaps: z.int(),
        }),
      )
      .meta({ description: 'The last hundred runs with a result, oldest first.' }),
  })
  .meta({ id: 'AnalysisOverview' });
export type Overview = z.output<typeof Overview>;

export const DrilldownQuery = z.strictObject({
  analysis_id: Id.optional().meta({ description: 'Default: the newest run with a result.' }),
  parent: z.string().max(200).optional().meta({
    description: 'What lies below this criterion, instead of the whole standard.',
  }),
  depth: wholeNumber({ min: 1, max: 20 }).optional().meta({
    description: 'Steps down; `child_count` tells what lies below the last of them. All of them unless told.',
  }),
  at: z.string().max(200).optional().meta({
    description:
      'What lies on the way to this criterion is there with what is directly below it, whatever `depth` says.',
  }),
  only: z.enum(['open']).optional().meta({
    description: '`open`: only criteria with a gap or a review to be done, and what they lie below.',
  }),
  include: z.enum(['evidence', 'none']).default('evidence').meta({
    description: '`none`: without the quotes, of which most of an answer is made.',
  }),
});
export const ClauseNode = z
  .object({
    criterion_id: z.string(),
    kind: z.string(),
    clause: z.string(),
    title: z.string().nullable(),
    verdict: Verdict.nullable().meta({ description: 'Null for groups: see the counts below them.' }),
    confidence: z.enum(['high', 'medium', 'low']).nullable(),
    score: z.number().nullable().meta({ description: 'Of it and everything below, 0 to 100.' }),
    verdicts: Counts.meta({ description: 'Of it and everything below.' }),
    effective_verdicts: Counts.meta({ description: 'Of it and everything below, with what people said.' }),
    effective_verdict: Review.effective_verdict,
    review_status: Review.review_status,
    review_reason: Review.review_reason,
    answer: Review.answer,
    effective_score: z.number().nullable().meta({
      description: 'Of it and everything below with what people said, 0 to 100.',
    }),
    reason: z.string().nullable(),
    gaps: z.array(z.object({ id: Id, title: z.string(), severity: Severity, status: GapStatus })),
    evidence: z.array(Evidence),
    child_count: z
      .int()
      .min(0)
      .meta({ description: 'Criteria directly below it, also where `depth` leaves them out.' }),
    // Always sent. Tools take what is required of itself for endless, in a list as well.
    get children() {
      return z.array(ClauseNode).optional();
    },
  })
  .meta({ id: 'ClauseNode', description: 'A criterion with what lies below it.' });
export type ClauseNode = z.output<typeof ClauseNode>;

export const Drilldown = z
  .object({
    standard_id: Id,
    name: z.string(),
    analysis: z
      .object({
        id: Id,
        status: AnalysisStatus,
        score: z.number().nullable(),
        finished_at: Timestamp.nullable(),
      })
      .nullable(),
    clauses: z.array(ClauseNode),
  })
  .meta({ id: 'Drilldown' });
export type Drilldown = z.output<typeof Drilldown>;

export const EvidenceQuery = z.strictObject({
  workspace_id: Id.optional(),
  standard_id: Id.optional(),
  analysis_type: AnalysisType.optional(),
  analysis_id: Id.optional(),
  work_product_id: Id.optional(),
  criterion_id: z.string().max(200).optional(),
  clause: z.string().max(80).optional(),
  cursor: PageQuery.shape.cursor,
  limit: wholeNumber({ min: 1, max: 20_000 }).default(20_000).meta({
    description: 'Evidence on a page; the default is more than any analysis has shown so far.',
  }),
});
const Answer = z.string().meta({
  description:
    'What was decided: the verdict of a gap analysis, the state of a section, table or field, the answer of a checklist, ' +
    'the type of a gap in the trace.',
});
const Passage = Evidence.omit({ role: true, note: true });
export const EvidenceMap = z
  .object({
    analysis_ids: z.array(Id).meta({
      description:
        'The runs that the map is about: the named one, else the newest of each standard, checklist and type.',
    }),
    criteria: z.array(
      z.object({
        analysis_id: Id,
        analysis_type: AnalysisType,
        standard_id: Id.nullable(),
        criterion_id: z.string(),
        verdict: Answer,
        passages: z.array(Evidence),
      }),
    ),
    passages: z.array(
      Passage.extend({
        criteria: z.array(
          z.object({
            analysis_type: AnalysisType,
            standard_id: Id.nullable(),
            criterion_id: z.string(),
            verdict: Answer,
            role: z.string(),
          }),
        ),
      }),
    ),
    page: z.int().min(1),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'EvidenceMap', description: 'Which passage speaks about which criterion, both ways.' });
export type EvidenceMap = z.output<typeof EvidenceMap>;
