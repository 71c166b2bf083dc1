import { SEVERITIES } from '@normtrace/engine';
import { z } from 'zod';
import {
  flag,
  Id,
  listOf,
  PageQuery,
  reorderedBy,
  several,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
} from '../../platform/http/schemas.js';
import { AnalysisType, Evidence, Gap } from '../gaps/gaps.schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';
import { NotDue, ProjectScopeFields } from '../workspaces/project-scope.schemas.js';
import { ANALYSIS_TYPES } from './analysis-type.js';
import type { AnalysisView } from './analysis-view.js';

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
    clauses: z
      .array(text({ min: 1, max: 80 }))
      .max(200)
      .default([])
      .meta({
        description:
          'Assessment scope: only these clauses, processes or criteria of the standard, with everything below them ' +
          '(`SWE.1`, `6.5.1`). Gaps outside of it stay as they are. Default: the whole standard.',
      }),
    ...ProjectScopeFields,
    embeddings: z.boolean().default(true).meta({
      description: 'False: the words alone decide what is near, even where the installation has a model.',
    }),
    written_in: z
      .enum(['en', 'de'])
      .optional()
      .meta({
        description:
          'The language in which the language model writes steps for gaps from medium up, and a few sentences about the result of a ' +
          'built-in standard. Default: it writes nothing. Only where it is asked (`mode`).',
      }),
  })
  .meta({ description: 'What the run should know besides the documents.' });
export type AnalysisOptions = z.output<typeof AnalysisOptions>;

/** What every type of analysis is started with. */
export const StartAnalysis = z.strictObject({
  workspace_id: Id,
  work_product_ids: z.array(Id).min(1).max(1000).optional().meta({
    description: 'Default: all work products of the workspace that have been read.',
  }),
  mode: z
    .enum(['rules', 'ai', 'auto'])
    .default('auto')
    .meta({
      description:
        '`ai`: a language model is asked where rules are not sure (docs/ai.md); refused where there is none that may be ' +
        'asked. `auto`: `ai` where it is possible, otherwise rules.',
    }),
  force: z.boolean().default(false).meta({
    description: 'Runs even if a result of the same inputs, engine and options is there.',
  }),
  fresh_answers: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Runs again and asks the language model anew, also what it has answered before; `force` alone takes the answers that ' +
        'are kept.',
    }),
});

export const StartGapAnalysis = StartAnalysis.extend({
  standard_id: Id,
  options: AnalysisOptions.optional(),
}).meta({ id: 'StartGapAnalysis' });

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
    mode: z
      .enum(['rules', 'ai'])
      .meta({ description: 'Rules alone, or with a language model as a second opinion.' }),
    fresh_answers: z.boolean().meta({ description: 'The language model was asked anew.' }),
    standard_id: Id.nullable(),
    standard_name: z.string(),
    work_products: z.array(
      z.object({
        work_product_id: Id,
        version: z.int(),
        name: z.string(),
        sha256: z.string(),
        score: z.number().nullable().meta({
          description: 'Of this document, where the type of analysis grades documents.',
        }),
      }),
    ),
    options: z.record(z.string(), z.unknown()).meta({
      description: 'As the run was started, defaults included; which there are depends on the type.',
    }),
    engine_version: z.string(),
    attempt: z.int().meta({ description: 'How often a worker took it up.' }),
    progress: Progress,
    score: z.number().nullable().meta({ description: '0 to 100; see the counts of verdicts beside it.' }),
    score_is_partial: z.boolean().meta({
      description:
        'True: work products were left out because they had not been read; see `unread_work_products`.',
    }),
    unread_work_products: z
      .array(
        z.object({
          work_product_id: Id,
          version: z.int(),
          name: z.string(),
          processing_status: z.enum(['queued', 'running', 'failed']),
        }),
      )
      .meta({
        description:
          'Of a run over all work products: those that had not been read when it was started, and why they are in neither ' +
          'score nor gaps (`GET /work-products/{id}` says what went wrong).',
      }),
    summary: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Counts of verdicts, gaps and changes, and how the result was found.',
    }),
    error: z.string().nullable(),
    previous_analysis_id: Id.nullable(),
    created_by: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
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
    severity: z.enum(SEVERITIES),
    standard_ref: z.string(),
    recommendation: z.string(),
    effort_hint: z.enum(['minutes', 'hours', 'days']).nullable(),
  })
  .meta({ id: 'Recommendation' });

/** Gaps in the detail of a run, at most; `GET /analysis/gaps?analysis_id` has all. */
export const MOST_GAPS = 1_000;

const WithGaps = Analysis.extend({
  gaps: z
    .array(Gap)
    .max(MOST_GAPS)
    .meta({
      description: `Most severe first, ${MOST_GAPS} at most; \`GET /analysis/gaps?analysis_id=…\` lists all.`,
    }),
  gaps_total: z.int(),
  not_due: z.array(NotDue).meta({
    description:
      'What is not due in the phase of the project, or not done in it: in no score and in no count.',
  }),
  recommendations: z.array(Recommendation).meta({ description: 'Of the gaps listed, in their order.' }),
  ...refsAnswer,
});

/** A run with its result; the shape follows from `type`. Types whose view is not given have no more than gaps. */
export function analysisDetail(views: readonly AnalysisView[]) {
  const shapes = ANALYSIS_TYPES.map((type) => {
    const view = views.find((one) => one.type === type);
    const name = view?.name ?? `${type.replace(/(?:^|_)(.)/g, (_, first) => first.toUpperCase())}Detail`;
    return WithGaps.extend({ ...view?.fields, type: z.literal(type) }).meta({ id: name });
  });
  return z
    .discriminatedUnion('type', shapes as [(typeof shapes)[number], ...typeof shapes])
    .meta({ id: 'AnalysisDetail', description: 'A run with its result; the shape follows from `type`.' });
}
/** As every type has it. */
export type AnalysisDetail = z.output<typeof WithGaps>;

export const AnalysisList = listOf('AnalysisList', Analysis, refsAnswer);
export const AnalysisParams = z.strictObject({ id: Id });
export const AnalysisDetailQuery = z.strictObject({
  ...refsQuery,
  include: z
    .enum(['all', 'gaps', 'results', 'none'])
    .default('all')
    .meta({
      description:
        '`gaps`: the run with its gaps and recommendations; `results`: with the result of its type; `none`: the run alone. ' +
        'Lists that are left out are empty; `gaps_total` counts. Page by page: `GET /analysis/gaps?analysis_id=…` and ' +
        '`GET /analysis/analyses/{id}/results`.',
    }),
});

/** A page of what a run says of one thing after the other; what an item is follows from `type`. */
export const analysisResults = (views: readonly AnalysisView[]) =>
  listOf('AnalysisResultList', z.union(itemsOf(views) as [z.ZodType, z.ZodType]), {
    type: AnalysisType,
  }).meta({
    description:
      'What a run says of criteria (`gap_analysis`), documents (`completeness`) or items (`checklist`), as the run itself ' +
      'has them in `verdicts`, `documents` and `items`. A `traceability` run has one result, in the run.',
  });
const itemsOf = (views: readonly AnalysisView[]) =>
  views.flatMap(({ results }) => (results ? [results.item] : []));

export const analysisResultsQuery = (views: readonly AnalysisView[]) =>
  PageQuery.extend({
    ...reorderedBy('ordinal'),
    verdict: several(
      z.enum([...new Set(views.flatMap(({ results }) => results?.verdicts ?? []))] as [string]),
    ).meta({
      description:
        'Only these verdicts, of those that the type of the run has: a completeness check has none.',
    }),
  });
export const AnalysisQuery = PageQuery.extend({
  ...refsQuery,
  ...sortedBy('created_at', 'updated_at'),
  updated_since: UpdatedSince,
  workspace_id: Id.optional(),
  standard_id: Id.optional(),
  work_product_id: Id.optional(),
  type: several(AnalysisType),
  status: several(AnalysisStatus),
  active: flag().optional().meta({
    description: 'True: those that are queued or running; false: those that have ended.',
  }),
});
