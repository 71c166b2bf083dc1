import { z } from 'zod';
import { Id, Timestamp } from '../../platform/http/schemas.js';
import { Review } from '../gap-analysis/criterion-answers.schemas.js';
import { AnalysisType, GapStatus, Severity } from '../gaps/gaps.schemas.js';
import { Verdict } from '../runs/analyses.schemas.js';
import { ClauseNode } from './overview.schemas.js';

const By = z.enum(['severity', 'status', 'verdict']);
export type TrendBy = z.output<typeof By>;
const Bucket = z.enum(['run', 'day', 'week']);
export type TrendBucket = z.output<typeof Bucket>;

export const TrendQuery = z.strictObject({
  workspace_id: Id,
  standard_id: Id.optional(),
  analysis_type: AnalysisType.optional(),
  by: By.optional().meta({ description: 'What `buckets` count; `severity` where only `bucket` is told.' }),
  bucket: Bucket.optional().meta({
    description: 'What `buckets` are: runs (where only `by` is told), days, or weeks from Monday on, of UTC.',
  }),
  from: z.iso.datetime({ offset: true }).optional().meta({
    description:
      'Runs that ended, and buckets that begin, at this moment or later. Without it all that there is room for.',
  }),
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
    buckets: z
      .array(
        z.object({
          begins_at: Timestamp.meta({ description: 'When the day or week begins; of a run, when it ended.' }),
          analysis_id: Id.nullable().meta({ description: 'The run; null of days and weeks.' }),
          values: z
            .partialRecord(z.enum([...Severity.options, ...GapStatus.options, ...Verdict.options]), z.int())
            .meta({
              description:
                'Gaps by the severity that was found, gaps by the status that they had when the run ended, or criteria by their verdict; ' +
                'what there is none of is absent. Of a day or week: of the newest run of each series until its end, together.',
            }),
          opened: z.int().meta({ description: 'Gaps that a run had and the one before it did not.' }),
          closed: z.int().meta({ description: 'Gaps that a run no longer found and the one before it had.' }),
        }),
      )
      .optional()
      .meta({
        description:
          'Only where `by` or `bucket` is told: the last hundred runs, days or weeks with a run that has a result, oldest first.',
      }),
  })
  .meta({ id: 'AnalysisTrend', description: 'How gaps and verdicts went from run to run.' });
export type AnalysisTrend = z.output<typeof AnalysisTrend>;

export const HeatmapQuery = z.strictObject({
  analysis_id: Id.optional().meta({ description: 'Default: the newest run with a result.' }),
  rows: z
    .enum(['clause', 'process'])
    .default('clause')
    .meta({
      description:
        '`clause`: every criterion. `process`: the groups that hold criteria, such as the processes of a process model or the clauses of a ' +
        'part, each with everything below it; of a standard without groups what stands on top.',
    }),
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
          verdicts: ClauseNode.shape.verdicts,
          score: ClauseNode.shape.score,
          effective_score: ClauseNode.shape.effective_score,
          cells: z.string().meta({
            description:
              'Of `rows=process` from everything below. One letter a column: `s` words that support it, `c` words against it, `b` both, `x` words beside it, `-` none.',
          }),
        }),
      )
      .meta({ description: 'The criteria in the order of the standard.' }),
  })
  .meta({ id: 'StandardHeatmap', description: 'Which document speaks about which criterion, and how.' });
export type Heatmap = z.output<typeof Heatmap>;
