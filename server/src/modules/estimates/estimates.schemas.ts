import { TASK_IDS } from '@normtrace/engine';
import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { ChecklistId } from '../checklists/checklists.schemas.js';
import { CompletenessOptions, StartCompleteness } from '../completeness/completeness.schemas.js';
import { AnalysisOptions, StartAnalysis } from '../runs/analyses.schemas.js';
import { TraceOptions } from '../traceability/trace-views.schemas.js';

const tokens = {
  questions: z.int().meta({ description: 'Questions, those that are answered from what is kept included.' }),
  from_store: z
    .int()
    .meta({ description: 'Of them those that are answered from what is kept and cost nothing.' }),
  input_tokens: z.int().meta({ description: 'Of the questions that would be sent.' }),
  output_tokens: z.int().meta({ description: 'Of their answers, as long as these usually are.' }),
};

export const EstimateAnalysis = StartAnalysis.extend({
  standard_id: Id.optional().meta({ description: 'Of a gap analysis.' }),
  checklist_id: ChecklistId.optional().meta({ description: 'Of a checklist.' }),
  type: z.enum(['completeness', 'traceability']).optional().meta({
    description: 'Of an analysis that is about neither a standard nor a checklist.',
  }),
  template_id: StartCompleteness.shape.template_id,
  options: z
    .strictObject({
      ...TraceOptions.partial().shape,
      ...AnalysisOptions.shape,
      ...CompletenessOptions.pick({ today: true }).shape,
      requirement_quality: CompletenessOptions.shape.requirement_quality.optional(),
    })
    .optional()
    .meta({ description: 'As the run would be started with.' }),
})
  .refine(
    ({ standard_id, checklist_id, type }) =>
      [standard_id, checklist_id, type].filter((one) => one !== undefined).length === 1,
    'Name a standard, a checklist or a type, and one of them only.',
  )
  .meta({ id: 'EstimateAnalysis' });

export const AnalysisEstimate = z
  .object({
    workspace_id: Id,
    because: z
      .enum(['not_configured', 'policy', 'licence', 'budget_ended'])
      .nullable()
      .meta({
        description:
          'Why the run would be judged by rules alone; null where the model may be asked. With `policy` and `budget_ended` the ' +
          'numbers say what would be sent otherwise.',
      }),
    model: z.string().nullable().meta({ description: 'Name of the model; null where none is set.' }),
    host: z.string().nullable().meta({ description: 'Where questions would be sent.' }),
    place: z.enum(['inside', 'outside']).nullable().meta({ description: 'Whose server that is.' }),
    ...tokens,
    cost: z.number().meta({ description: 'In the unit of the budget.' }),
    currency: z.string().nullable().meta({ description: 'Null: the cost is in tokens.' }),
    budget_left: z
      .number()
      .nullable()
      .meta({ description: 'Of the month, in the same unit; null: there is no limit.' }),
    tasks: z
      .array(
        z.object({ task: z.enum(TASK_IDS).meta({ description: 'What the model is asked for.' }), ...tokens }),
      )
      .meta({ description: 'The same by what the model is asked for.' }),
    documents: z
      .array(
        z.object({
          work_product_id: Id,
          version: z.int(),
          passages: z.int().meta({ description: 'How many passages of it would be sent.' }),
        }),
      )
      .meta({ description: 'Whose passages would be sent.' }),
    withheld_work_products: z
      .array(Id)
      .meta({ description: 'Documents that are kept out: rules alone judge by them.' }),
    sends_standard: z.boolean().meta({ description: 'Words of an uploaded standard would be sent.' }),
  })
  .meta({
    id: 'AnalysisEstimate',
    description: 'What a run would ask the language model, before it asks. Nothing was sent to find it out.',
  });
export type AnalysisEstimate = z.output<typeof AnalysisEstimate>;
