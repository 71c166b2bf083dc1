import { z } from 'zod';
import {
  flag,
  Id,
  listOf,
  PageQuery,
  reorderedBy,
  several,
  Timestamp,
  text,
} from '../../platform/http/schemas.js';
import { Verdict } from '../runs/analyses.schemas.js';

const Outcome = z.enum(['same', 'raised', 'lowered', 'listed', 'abstained']).meta({
  description:
    'What became of the verdict of the rules. `listed`: the model said otherwise and the rules stand. `abstained`: there is ' +
    'no opinion that could be used; `because` says why.',
});

const RATINGS = ['good', 'fair', 'weak', 'unusable'] as const;

/** Of a criterion, the answer to an item of a checklist, how a requirement is written, or whether a proposed link is one. */
const EitherVerdict = z.enum([
  ...Verdict.options,
  'pass',
  'fail',
  'NA',
  'unrated',
  'proposed',
  'yes',
  'no',
  ...RATINGS,
]);

const Decision = z
  .object({
    decision: z.enum(['rules', 'model', 'neither']).meta({ description: 'Who was right.' }),
    reason: z.string(),
    decided_by: Id.meta({ description: 'Who decided it.' }),
    decided_at: Timestamp.meta({ description: 'When it was decided.' }),
    analysis_id: Id.meta({
      description: 'The run that it was decided on: this one, or an earlier one of the same kind.',
    }),
  })
  .meta({ id: 'DisagreementDecision' });

export const Disagreement = z
  .object({
    criterion_id: z.string().meta({
      description:
        'Criterion, item of a checklist, requirement with what was asked of it, or proposed link (`A derives_from B`).',
    }),
    clause: z.string(),
    outcome: Outcome,
    by_rules: EitherVerdict.meta({
      description: 'Verdict of the rules; of a checklist its answer to the item.',
    }),
    by_model: EitherVerdict.nullable().meta({
      description: 'Verdict of the model after all checks; null where there is none.',
    }),
    critic_agrees: z.boolean().nullable().meta({
      description:
        'Whether the critic, who saw the cited sentences only, came to the same; null where it was not asked.',
    }),
    settled: EitherVerdict.meta({ description: 'What counts.' }),
    settled_by: z
      .enum(['rules', 'model', 'both', 'person'])
      .meta({ description: 'Who won; `person`: one has to decide.' }),
    because: z.string().nullable().meta({ description: 'Why rules decided alone; null where they did not.' }),
    confirm: z.boolean().meta({ description: 'A person has to confirm it before it counts.' }),
    parts: z
      .array(
        z.object({
          part: z.string().meta({ description: 'Part of the demand.' }),
          state: z
            .enum([
              ...(['shown', 'weak', 'contradicted', 'absent', 'cannot_tell'] as const),
              ...(['pass', 'fail', 'missing', 'not_applicable'] as const),
              ...(['yes', 'no'] as const),
              ...RATINGS,
            ])
            .meta({ description: 'What the model said of the part; of a checklist its answer to the item.' }),
          because: z.string().meta({ description: 'The model’s own words.' }),
          evidence: z
            .array(
              z.object({
                work_product_id: Id,
                quote: z.string().meta({ description: 'Cut out of the document by code.' }),
                location: z.record(z.string(), z.unknown()),
              }),
            )
            .meta({ description: 'Sentences that the model named and that passed the checks.' }),
        }),
      )
      .meta({ description: 'What the model said of each part of the demand.' }),
    missing: z.string().meta({ description: 'What is missing, in the model’s own words.' }),
    checks: z
      .array(z.string())
      .meta({ description: 'Rules of the checks that changed what the model said.' }),
    decision: Decision.nullable().meta({
      description: 'Of a person, as long as rules, model and documents say what they said when it was made.',
    }),
  })
  .meta({
    id: 'Disagreement',
    description: 'What rules and a language model said of one criterion or item, and who won.',
  });
export type Disagreement = z.output<typeof Disagreement>;

export const DisagreementList = listOf('DisagreementList', Disagreement);
export const OpinionParams = z.strictObject({ id: Id });
export const DisagreementParams = z.strictObject({ id: Id, criterion_id: z.string().min(1).max(300) });
const filters = {
  outcome: several(Outcome).meta({
    description: 'Only with one of these outcomes; all but `same` unless told.',
  }),
  confirm: flag().optional().meta({ description: 'Only what a person has to confirm, or only what not.' }),
};
export const DisagreementQuery = PageQuery.extend({ ...reorderedBy('criterion_id', 'outcome'), ...filters });
export const DisagreementFileQuery = z.strictObject(filters);

export const DecideDisagreement = z
  .strictObject({
    decision: z.enum(['rules', 'model', 'neither']).meta({ description: 'Who is right.' }),
    reason: text({ min: 3, max: 2000 }),
  })
  .meta({ id: 'DecideDisagreement' });

export const ModelCall = z
  .object({
    request_sha256: z.string().meta({ description: 'Of everything that the answer depends on.' }),
    task: z.string().meta({ description: 'What the model was asked for, such as `judge` or `criticise`.' }),
    template: z.string().meta({ description: 'The prompt: id, version and hash.' }),
    outcome: z.string().meta({
      description:
        '`model`: it was sent and answered; `store`: answered from what is kept; else why there is no answer.',
    }),
    input_tokens: z.int(),
    output_tokens: z.int(),
    milliseconds: z
      .int()
      .nullable()
      .meta({ description: 'How long the answer took; null where nothing was sent.' }),
    documents: z
      .array(
        z.object({
          work_product_id: Id,
          version: z.int(),
          passages: z.int().meta({ description: 'How many passages of it were in the question.' }),
        }),
      )
      .meta({ description: 'Whose passages the question holds.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'ModelCall', description: 'One question of a run to the language model, without its words.' });
export type ModelCall = z.output<typeof ModelCall>;

export const ModelCallList = listOf('ModelCallList', ModelCall);
export const ModelCallQuery = PageQuery.extend({
  ...reorderedBy('created_at', 'task', 'outcome'),
  outcome: several(z.string().max(40)).meta({ description: 'Only questions that ended so.' }),
});
