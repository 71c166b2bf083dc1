import { z } from 'zod';
import { Id, listOf, PageQuery, Timestamp, text } from '../../platform/http/schemas.js';
import { Evidence, Gap } from './gaps.schemas.js';

export const AnalysisType = z.enum(['gap_analysis', 'completeness', 'checklist', 'traceability']);
export const AnalysisStatus = z
  .enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'timed_out'])
  .meta({ id: 'AnalysisStatus' });
export const Verdict = z.enum(['covered', 'partial', 'missing', 'not_applicable', 'needs_review']);

export const AnalysisOptions = z
  .strictObject({
    conditions: z.record(z.string().max(80), z.boolean()).default({}).meta({
      description: 'Answers to the questions of conditional criteria, by condition id.',
    }),
    item: text({ min: 1, max: 200 }).optional().meta({
      description: 'Item under analysis; text about another item is then no evidence.',
    }),
    variant: text({ min: 1, max: 200 }).optional(),
    aliases: z
      .array(text({ min: 1, max: 200 }))
      .max(20)
      .default([]),
    embeddings: z.boolean().default(true).meta({
      description: 'False: the words alone decide what is near, even where the installation has a model.',
    }),
  })
  .meta({ description: 'What the run should know besides the documents.' });
export type AnalysisOptions = z.output<typeof AnalysisOptions>;

export const StartGapAnalysis = z
  .strictObject({
    workspace_id: Id,
    standard_id: Id,
    work_product_ids: z.array(Id).min(1).max(1000).optional().meta({
      description: 'Default: all work products of the workspace that have been read.',
    }),
    mode: z.enum(['rules', 'ai', 'auto']).default('auto').meta({
      description: '`auto`: a model where one is configured, otherwise rules.',
    }),
    options: AnalysisOptions.optional(),
    force: z.boolean().default(false).meta({
      description: 'Runs even if a result of the same inputs, standard, engine and options is there.',
    }),
  })
  .meta({ id: 'StartGapAnalysis' });

export const Progress = z
  .object({
    stage: z.string(),
    percent: z.int().min(0).max(100),
    done: z.int(),
    total: z.int(),
    message: z.string(),
    eta_seconds: z.int().nullable(),
  })
  .meta({ id: 'AnalysisProgress' });

export const Analysis = z
  .object({
    id: Id,
    workspace_id: Id,
    type: AnalysisType,
    status: AnalysisStatus,
    mode: z.enum(['rules', 'ai']),
    standard_id: Id.nullable(),
    standard_name: z.string(),
    work_products: z.array(
      z.object({
        work_product_id: Id,
        version: z.int(),
        name: z.string(),
        sha256: z.string(),
      }),
    ),
    options: AnalysisOptions,
    engine_version: z.string(),
    attempt: z.int().meta({ description: 'How often a worker took it up.' }),
    progress: Progress,
    score: z.number().nullable().meta({ description: '0 to 100; see the counts of verdicts beside it.' }),
    summary: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Counts of verdicts, gaps and changes, and how the result was found.',
    }),
    error: z.string().nullable(),
    previous_analysis_id: Id.nullable(),
    created_by: Id,
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Analysis', description: 'One run over document versions.' });
export type Analysis = z.output<typeof Analysis>;

export const StartedAnalysis = Analysis.extend({
  from_store: z.boolean().meta({
    description: 'True: the same run is there already (finished or under way); nothing was started.',
  }),
}).meta({ id: 'StartedAnalysis' });
export type StartedAnalysis = z.output<typeof StartedAnalysis>;

export const CriterionVerdict = z
  .object({
    criterion_id: z.string(),
    verdict: Verdict,
    confidence: z.enum(['high', 'medium', 'low']),
    rules: z.array(z.string()),
    reason: z.string(),
    evidence: z.array(Evidence),
    search: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What was searched.' }),
  })
  .meta({ id: 'CriterionVerdict' });

export const Recommendation = z
  .object({
    gap_id: Id,
    severity: z.enum(['critical', 'high', 'medium', 'low']),
    standard_ref: z.string(),
    recommendation: z.string(),
    effort_hint: z.enum(['minutes', 'hours', 'days']).nullable(),
  })
  .meta({ id: 'Recommendation' });

export const AnalysisDetail = Analysis.extend({
  verdicts: z.array(CriterionVerdict),
  gaps: z.array(Gap),
  recommendations: z.array(Recommendation).meta({ description: 'Of the gaps, most severe first.' }),
}).meta({ id: 'AnalysisDetail' });
export type AnalysisDetail = z.output<typeof AnalysisDetail>;

export const AnalysisList = listOf('AnalysisList', Analysis);
export const AnalysisParams = z.strictObject({ id: Id });
export const AnalysisQuery = PageQuery.extend({
  workspace_id: Id.optional(),
  standard_id: Id.optional(),
  work_product_id: Id.optional(),
  type: AnalysisType.optional(),
  status: AnalysisStatus.optional(),
});
