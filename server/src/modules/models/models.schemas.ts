import { PROBE_POINTS, PROVIDERS, STRUCTURED } from '@normtrace/engine';
import { z } from 'zod';
import { Id, Timestamp, text } from '../../platform/http/schemas.js';

const Place = z.enum(['inside', 'outside']).meta({
  description: 'Where the server stands: `inside` is the operator’s own, everything else is `outside`.',
});

export const ModelProbe = z
  .object({
    model: z.string().meta({ description: '`provider:host:model`.' }),
    host: z.string().meta({ description: 'Where questions are sent.' }),
    usable: z.boolean().meta({ description: 'No point failed. Runs with a model judge by rules otherwise.' }),
    structured: z.enum(STRUCTURED).meta({ description: 'How answers are held to their form.' }),
    points: z
      .array(
        z.object({
          id: z.enum(PROBE_POINTS),
          state: z.enum(['passed', 'warning', 'failed', 'skipped']),
          says: z
            .string()
            .meta({ description: 'What was found and, unless it passed, what to change where.' }),
        }),
      )
      .meta({ description: 'What was looked at, in this order.' }),
    milliseconds: z.int().meta({ description: 'Of the longest answer.' }),
    probed_at: Timestamp.meta({ description: 'When it was tried.' }),
  })
  .meta({ id: 'ModelProbe', description: 'What the server of the language model can do, as it was found.' });
export type ModelProbe = z.output<typeof ModelProbe>;

export const ModelStatus = z
  .object({
    configured: z
      .boolean()
      .meta({ description: 'False: the operator has set no model, and nothing is sent.' }),
    provider: z.enum(PROVIDERS).nullable().meta({ description: 'Which protocol its server speaks.' }),
    model: z.string().nullable().meta({ description: 'Name of the model, as its server lists it.' }),
    critic: z.string().nullable().meta({ description: 'Name of the model that criticises.' }),
    host: z.string().nullable().meta({ description: 'Where questions are sent.' }),
    place: Place.nullable(),
    context_tokens: z.int().nullable().meta({ description: 'Tokens of a question and its answer together.' }),
    currency: z.string().nullable().meta({ description: 'Of costs and budgets; null: they are in tokens.' }),
    probe: ModelProbe.nullable().meta({ description: 'The last look with the present settings.' }),
    embeddings: z
      .object({
        kind: z.enum(['builtin', 'off', 'openai-compatible']),
        host: z.string().nullable().meta({ description: 'Where passages are sent; null: nowhere.' }),
        place: Place.nullable(),
      })
      .meta({ description: 'Which model compares meanings.' }),
  })
  .meta({ id: 'ModelStatus', description: 'Which language model the installation has.' });
export type ModelStatus = z.output<typeof ModelStatus>;

export const PolicyParams = z.strictObject({ id: Id });

const policyFields = {
  policy: z.enum(['off', 'inside', 'allowed']).meta({
    description:
      'What may be sent: `off` nothing, `inside` to a server of the operator’s own, `allowed` to whichever server the ' +
      'operator has set.',
  }),
  redact_addresses: z
    .boolean()
    .meta({ description: 'Addresses of mails are replaced before anything is sent.' }),
  redacted_words: z
    .array(text({ min: 2, max: 100 }))
    .max(200)
    .meta({
      description:
        'Names of projects, customers and people that are replaced by placeholders before anything is sent, whatever ' +
        'their case.',
    }),
  month_budget: z
    .number()
    .min(0)
    .max(1e12)
    .nullable()
    .meta({
      description:
        'What the workspace may spend in a calendar month (UTC), in the currency of the prices, without prices in ' +
        'tokens; null: as much as the installation may.',
    }),
};

export const ModelPolicyChange = z
  .strictObject({
    policy: policyFields.policy,
    redact_addresses: policyFields.redact_addresses.default(true),
    redacted_words: policyFields.redacted_words.default([]),
    month_budget: policyFields.month_budget.default(null),
  })
  .meta({ id: 'ModelPolicyChange' });

export const ModelPolicy = z
  .object({
    workspace_id: Id,
    ...policyFields,
    says: z.array(z.string()).meta({ description: 'What leaves the house under this policy, and whereto.' }),
    spent: z
      .object({
        calls: z.int().meta({ description: 'Questions that a model was asked.' }),
        input_tokens: z.int(),
        output_tokens: z.int(),
        cost: z.number().meta({ description: 'In the unit of the budget.' }),
        currency: z.string().nullable().meta({ description: 'Null: the cost is in tokens.' }),
      })
      .meta({ description: 'In the present calendar month (UTC).' }),
    changed_by: Id.nullable().meta({ description: 'Who decided it; null while nobody has.' }),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'ModelPolicy', description: 'What a workspace lets be sent to a language model.' });
export type ModelPolicy = z.output<typeof ModelPolicy>;
