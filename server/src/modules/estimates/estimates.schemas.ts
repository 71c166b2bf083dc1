import { TASK_IDS } from '@normtrace/engine';
import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { ChecklistOptions } from '../checklists/checklist-analysis.schemas.js';
import { ChecklistId } from '../checklists/checklists.schemas.js';
import { AnalysisOptions, StartAnalysis } from '../runs/analyses.schemas.js';

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
  options: AnalysisOptions.extend(ChecklistOptions.pick({ today: true }).shape).optional(),
})
  .refine(
    ({ standard_id, checklist_id }) => (standard_id === undefined) !== (checklist_id === undefined),
    'Name a standard or a checklist, and not both.',
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
