import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { ChecklistId } from '../checklists/checklists.schemas.js';
import { StandardCondition } from '../gap-analysis/conditions.schemas.js';
import { AnalysisOptions, StartAnalysis, StartedAnalysis } from '../runs/analyses.schemas.js';
import { ANALYSIS_TYPES } from '../runs/analysis-type.js';
import { ProjectScopeFields } from '../workspaces/project-scope.schemas.js';

const MOST_PARTS = 50;

export const BatchPart = z
  .strictObject({
    type: z.enum(ANALYSIS_TYPES),
    standard_id: Id.optional().meta({ description: 'Of a gap analysis.' }),
    checklist_id: ChecklistId.optional().meta({ description: 'Of a checklist.' }),
  })
  .refine(
    ({ type, standard_id }) => (type === 'gap_analysis') === (standard_id !== undefined),
    'A gap analysis names a standard, and nothing else does.',
  )
  .refine(
    ({ type, checklist_id }) => (type === 'checklist') === (checklist_id !== undefined),
    'A checklist names which, and nothing else does.',
  )
  .meta({ id: 'BatchPart', description: 'One analysis among those that are started together.' });
export type BatchPart = z.output<typeof BatchPart>;

export const Batch = StartAnalysis.extend({
  parts: z.array(BatchPart).min(1).max(MOST_PARTS).meta({ description: 'What is analysed, each once.' }),
  conditions: AnalysisOptions.shape.conditions,
  ...ProjectScopeFields,
})
  .refine(
    ({ parts }) => new Set(parts.map((part) => JSON.stringify(part))).size === parts.length,
    'A part appears twice.',
  )
  .meta({ id: 'Batch', description: 'Analyses that are started together.' });
export type Batch = z.output<typeof Batch>;

export const StartedBatch = z
  .object({
    analyses: z.array(StartedAnalysis).meta({ description: 'In the order of the parts.' }),
    started: z.int().meta({ description: 'Those that were started.' }),
    from_store: z.int().meta({ description: 'Those that are there already: nothing was started for them.' }),
  })
  .meta({ id: 'StartedBatch' });
export type StartedBatch = z.output<typeof StartedBatch>;

const MissingType = z.object({
  id: z.string().meta({ description: 'Document type.' }),
  name: z.object({ en: z.string(), de: z.string() }),
  criteria: z
    .int()
    .meta({ description: 'How many criteria look for it and find no document of any of their types.' }),
});

export const PlannedPart = z
  .object({
    type: z.enum(ANALYSIS_TYPES),
    standard_id: Id.nullable(),
    checklist_id: z.string().nullable(),
    from_store: z.boolean().meta({ description: 'The same run is there already: nothing would be started.' }),
    analysis_id: Id.nullable().meta({ description: 'That run.' }),
    refused: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it cannot be started; the rest is empty then.' }),
    work_products: z
      .array(z.object({ work_product_id: Id, version: z.int(), name: z.string() }))
      .meta({ description: 'What it would read.' }),
    unread_work_products: z
      .array(z.object({ work_product_id: Id, version: z.int(), name: z.string() }))
      .meta({ description: 'What it would leave out because it has not been read.' }),
    missing_types: z.array(MissingType).meta({
      description:
        'Document types that a gap analysis looks for and that nobody has given, most asked for first.',
    }),
    estimated_seconds: z
      .int()
      .nullable()
      .meta({
        description:
          'As long as the newest runs of the same kind in this workspace took for each document; 0 where it is there already, null ' +
          'before there was one.',
      }),
  })
  .meta({ id: 'PlannedPart', description: 'What would become of one analysis.' });

export const BatchPlan = z
  .object({
    parts: z.array(PlannedPart).meta({ description: 'In the order of the request.' }),
    conditions: z.array(StandardCondition).meta({
      description:
        'Questions that a person may answer in `conditions` because nothing else did: those that the newest run left open, and before ' +
        'there was one those that have no safe default.',
    }),
    estimated_seconds: z.int().nullable().meta({
      description: 'Of all parts one after the other; null where it is not known of one.',
    }),
  })
  .meta({ id: 'BatchPlan', description: 'What starting analyses would come to. Nothing was started.' });
export type BatchPlan = z.output<typeof BatchPlan>;

export const SuggestionQuery = z.strictObject({ workspace_id: Id });

export const AnalysisSuggestion = z
  .object({
    standards: z
      .array(
        z.object({
          catalog_id: z.string().meta({ description: 'Its id in the catalog.' }),
          short_name: z.string(),
          standard_id: Id.nullable().meta({
            description: 'In this workspace; null where nobody has adopted it.',
          }),
        }),
      )
      .meta({ description: 'Built-in standards that such documents are usually held against.' }),
    checklists: z
      .array(z.object({ checklist_id: z.string(), title: z.object({ en: z.string(), de: z.string() }) }))
      .meta({ description: 'Checklists that are about such documents.' }),
  })
  .meta({
    id: 'AnalysisSuggestion',
    description:
      'What the documents of a workspace are usually held against, by their types. Nothing is adopted or started.',
  });
export type AnalysisSuggestion = z.output<typeof AnalysisSuggestion>;
