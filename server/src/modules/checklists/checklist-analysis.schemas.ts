import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { StoredCompletenessOptions } from '../completeness/completeness.schemas.js';
import { Evidence, Severity } from '../gaps/gaps.schemas.js';
import { AnalysisOptions, StartAnalysis } from '../runs/analyses.schemas.js';
import { ChecklistId, ChecklistItem, ChecklistText } from './checklists.schemas.js';

export const ChecklistOptions = AnalysisOptions.pick({
  conditions: true,
  item: true,
  variant: true,
  aliases: true,
  phase: true,
  tailored_out: true,
}).extend({
  today: z.iso.date().optional().meta({
    description: 'What is due before it is overdue. Default: the day of the start.',
  }),
});
export type ChecklistOptions = z.output<typeof ChecklistOptions>;

export const StartChecklist = StartAnalysis.extend({
  checklist_id: ChecklistId.meta({
    description: 'UUID of a checklist of the workspace, or the id of a built-in one: `FS-HARA`.',
  }),
  options: ChecklistOptions.prefault({}),
}).meta({ id: 'StartChecklist' });

/** What a run keeps of its start. */
export const StoredChecklistOptions = ChecklistOptions.extend({
  today: z.iso.date(),
  checklist: z.strictObject({ id: z.string(), revision: z.int() }),
  /** Templates of the workspace that took part, as they were. */
  templates: StoredCompletenessOptions.shape.templates,
});
export type StoredChecklistOptions = z.output<typeof StoredChecklistOptions>;

export const ItemVerdict = z.enum(['pass', 'fail', 'missing', 'NA']).meta({
  id: 'ItemVerdict',
  description:
    '`pass`: the documents show it. `fail`: treated, but wrong, incomplete, contradictory, denied or open. `missing`: no ' +
    'document treats it. `NA`: it does not apply, and a quote, an attribute or a person says so.',
});

export const ChecklistVerdict = z
  .object({
    item_id: z.string(),
    item: ChecklistItem.meta({ description: 'As it was judged.' }),
    verdict: ItemVerdict,
    confidence: z.enum(['high', 'medium', 'low']),
    needs_confirmation: z.boolean().meta({ description: 'A person has to confirm it.' }),
    question: ChecklistText.nullable().meta({ description: 'What the person has to answer.' }),
    rules: z.array(z.string()).meta({ description: 'What decided, most important first.' }),
    reason: z.string(),
    severity: Severity.nullable().meta({ description: 'Of a `fail` or `missing`.' }),
    instances: z
      .object({ met: z.int(), total: z.int() })
      .nullable()
      .meta({ description: 'Of items about "each" and "every".' }),
    affected_items: z.array(z.string()).meta({ description: 'What does not meet it, fifty at most.' }),
    evidence: z.array(Evidence),
    search: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What was searched.' }),
    looked_at: z.array(Id).meta({
      description: 'Work products that it comes from, and those where another version could change it.',
    }),
    fingerprint: z.string(),
    basis: z.string().meta({ description: 'Changes with what the verdict rests on.' }),
  })
  .meta({ id: 'ChecklistVerdict', description: 'What a run says about one item.' });
export type ChecklistVerdict = z.output<typeof ChecklistVerdict>;

export const ChecklistQuestion = z
  .object({
    condition: z.string(),
    question: z.string(),
    reason: z.string(),
    items: z.array(z.string()),
  })
  .meta({ id: 'ChecklistQuestion', description: 'A condition that only a person can answer.' });
