import { z } from 'zod';
import { Id, Timestamp } from '../../platform/http/schemas.js';
import { Review } from '../gap-analysis/criterion-answers.schemas.js';
import { AnalysisType, Severity } from '../gaps/gaps.schemas.js';
import { Verdict } from '../runs/analyses.schemas.js';

export const TrendQuery = z.strictObject({
  workspace_id: Id,
  standard_id: Id.optional(),
  analysis_type: AnalysisType.optional(),
});

export const AnalysisTrend = z
  .object({
    points: z
      .array(
        z.object({
          analysis_id: Id,
          analysis_type: AnalysisType,
          standard_id: Id.nullable().meta({ description: 'Null where no standard demands it.' }),
          finished_at: Timestamp,
          score: z.number().nullable().meta({ description: '0 to 100; null where nothing could be judged.' }),
          by_severity: z.partialRecord(Severity, z.int()).meta({
            description: 'Gaps that the run found, by the severity that it found.',
          }),
          by_verdict: z.partialRecord(Verdict, z.int()).meta({
            description: 'Criteria by their verdict; empty where the run gives none.',
          }),
          opened: z.int().meta({ description: 'Gaps that the run before did not have.' }),
          closed: z.int().meta({ description: 'Gaps of the run before that this one no longer found.' }),
        }),
      )
      .meta({ description: 'The last hundred runs with a result, oldest first.' }),
  })
  .meta({ id: 'AnalysisTrend', description: 'How gaps and verdicts went from run to run.' });

export const HeatmapQuery = z.strictObject({
  analysis_id: Id.optional().meta({ description: 'Default: the newest run with a result.' }),
});

export const Heatmap = z
  .object({
    standard_id: Id,
    analysis_id: Id.nullable().meta({ description: 'Null: there is no run with a result.' }),
    columns: z
      .array(z.object({ work_product_id: Id, version: z.int(), name: z.string() }))
      .meta({ description: 'Documents that the run read.' }),
    rows: z
      .array(
        z.object({
          criterion_id: z.string(),
          kind: z.string(),
          clause: z.string(),
          title: z
            .string()
            .nullable()
            .meta({ description: 'Null where the words of the standard may not be read.' }),
          depth: z.int().meta({ description: 'How many criteria it lies below.' }),
          verdict: Verdict.nullable().meta({ description: 'Null for groups.' }),
          effective_verdict: Review.effective_verdict,
          review_status: Review.review_status,
          cells: z.string().meta({
            description:
              'One letter a column: `s` words that support it, `c` words against it, `b` both, `x` words beside it, `-` none.',
          }),
        }),
      )
      .meta({ description: 'The criteria in the order of the standard.' }),
  })
  .meta({ id: 'StandardHeatmap', description: 'Which document speaks about which criterion, and how.' });
export type Heatmap = z.output<typeof Heatmap>;
