import { z } from 'zod';
import { Id, Timestamp, text, wholeNumber } from '../../platform/http/schemas.js';
import { Evidence, TextRange } from '../gaps/gaps.schemas.js';
import { ChecklistVerdict, ItemVerdict } from './checklist-analysis.schemas.js';
import { ChecklistGroup, ChecklistId, ChecklistItem, ChecklistText } from './checklists.schemas.js';

export const REVIEW_STATUSES = ['not_needed', 'to_be_reviewed', 'confirmed', 'overridden'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

export const NewAnswer = z
  .strictObject({
    workspace_id: Id,
    verdict: ItemVerdict,
    reason: text({ min: 1, max: 4000 }).meta({ description: 'Why; it stays beside the answer.' }),
    evidence: z
      .array(
        z.strictObject({
          work_product_id: Id,
          quote: text({ min: 1, max: 1000 }).meta({
            description: 'Exact words of one paragraph or one cell, in the version that the run read.',
          }),
          note: text({ min: 1, max: 1000 }).optional(),
        }),
      )
      .max(20)
      .default([]),
    basis: z.string().max(100).optional().meta({
      description: '`basis` of the verdict that the person saw: refused when a newer run has another one.',
    }),
  })
  .meta({ id: 'NewAnswer' });

export const NewAnswers = z
  .strictObject({
    workspace_id: Id,
    answers: z
      .array(
        NewAnswer.omit({ workspace_id: true }).extend({
          item_id: z.string().min(1).max(200).meta({ description: 'An item of the checklist.' }),
        }),
      )
      .min(1)
      .max(200)
      .refine(
        (answers) => new Set(answers.map(({ item_id }) => item_id)).size === answers.length,
        'An item appears twice.',
      )
      .meta({ description: 'One for each item; all are kept or none.' }),
  })
  .meta({ id: 'NewAnswers' });

export const Answer = z
  .object({
    id: Id,
    verdict: ItemVerdict.nullable().meta({ description: 'Null: the answer before was taken back.' }),
    reason: z.string(),
    evidence: z.array(Evidence),
    analysis_id: Id.meta({ description: 'The run beside whose verdict it was given.' }),
    machine_verdict: ItemVerdict.meta({ description: 'That verdict.' }),
    documents: z
      .array(z.object({ work_product_id: Id, name: z.string(), version: z.int() }))
      .meta({ description: 'What was reviewed.' }),
    answered_by: Id,
    answered_by_name: z.string(),
    answered_at: Timestamp,
  })
  .meta({ id: 'ChecklistAnswer', description: 'What a person answered.' });
export type Answer = z.output<typeof Answer>;

const EffectiveVerdict = z.enum(['pass', 'fail', 'missing', 'NA', 'to_be_reviewed']).meta({
  id: 'EffectiveVerdict',
});

export const ReviewedItem = z
  .object({
    item_id: z.string(),
    item: ChecklistItem.meta({ description: 'As it is asked now.' }),
    machine: ChecklistVerdict.nullable().meta({
      description: 'Of the newest run; null: it has not judged the item.',
    }),
    answer: Answer.nullable().meta({
      description: 'The newest answer of a person, also where it does not count any more.',
    }),
    effective_verdict: EffectiveVerdict.meta({
      description: 'The answer of a person where one counts; that of the run where nobody has to confirm it.',
    }),
    review_status: z.enum(REVIEW_STATUSES),
    review_reason: z.string().nullable().meta({ description: 'Why it has to be reviewed.' }),
    history: z.array(Answer).meta({ description: 'All answers, newest first, those taken back too.' }),
  })
  .meta({ id: 'ReviewedItem', description: 'An item with what the newest run and people say.' });
export type ReviewedItem = z.output<typeof ReviewedItem>;

export const Release = z
  .object({
    id: Id,
    analysis_id: Id.meta({ description: 'The run whose verdicts were approved.' }),
    comment: z.string(),
    released_by: Id,
    released_by_name: z.string(),
    released_at: Timestamp,
    current: z.boolean().meta({ description: 'False: something else stands there now.' }),
  })
  .meta({ id: 'ChecklistRelease', description: 'The approval of a manager who wrote none of the answers.' });

export const NewRelease = z
  .strictObject({ workspace_id: Id, comment: text({ max: 4000 }).default('') })
  .meta({ id: 'NewChecklistRelease' });

export const ChecklistState = z
  .object({
    workspace_id: Id,
    checklist_id: z.string(),
    key: z.string(),
    title: ChecklistText,
    group: ChecklistGroup,
    analysis: z
      .object({
        id: Id,
        engine_version: z.string(),
        finished_at: Timestamp,
        documents: z
          .array(
            z.object({
              work_product_id: Id,
              name: z.string(),
              version: z.int(),
              newest_version: z.int().nullable().meta({ description: 'Null: it was deleted.' }),
            }),
          )
          .meta({ description: 'What the run read, and what is there now.' }),
      })
      .nullable()
      .meta({
        description:
          'The newest run with a result, but none over a part of what another one read in the same or newer versions; ' +
          'null: there is none.',
      }),
    items: z.array(ReviewedItem),
    counts: z.object({
      machine: z.record(ItemVerdict, z.int()),
      effective: z.record(EffectiveVerdict, z.int()),
    }),
    review: z
      .object({
        statuses: z.record(z.enum(REVIEW_STATUSES), z.int()),
        needed: z.int().meta({ description: 'Items that a person has to look at, or has.' }),
        done: z.int(),
        percent: z.number().nullable().meta({ description: '0 to 100; null: nothing has to be reviewed.' }),
      })
      .meta({ description: 'How far the review is.' }),
    releases: z.array(Release).meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'ChecklistState' });
export type ChecklistState = z.output<typeof ChecklistState>;

export const AnswerParams = z.strictObject({ id: ChecklistId, item_id: z.string().min(1).max(200) });
export const OfWorkspace = z.strictObject({ workspace_id: Id });

export const PassageQuery = OfWorkspace.extend({
  limit: wholeNumber({ min: 1, max: 20 }).default(5).meta({ description: 'Passages in the answer.' }),
});

export const ItemPassages = z
  .object({
    passages: z
      .array(
        z.object({
          work_product_id: Id,
          name: z.string(),
          version: z.int(),
          location: Evidence.shape.location,
          range: TextRange.meta({ description: 'Where exactly the quote stands.' }),
          quote: z.string().meta({ description: 'A paragraph or cell, as an answer can quote it.' }),
          highlights: z.array(TextRange).meta({ description: 'Where it has words of the item.' }),
        }),
      )
      .meta({ description: 'The nearest first.' }),
  })
  .meta({ id: 'ItemPassages', description: 'What documents say that may be about an item.' });
