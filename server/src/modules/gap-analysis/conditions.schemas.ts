import { z } from 'zod';

const BothLanguages = z.object({ en: z.string(), de: z.string() });

export const StandardCondition = z
  .object({
    id: z.string().meta({ description: 'As `conditions` of a run names it.' }),
    label: BothLanguages.meta({ description: 'When what depends on it applies.' }),
    question: BothLanguages.meta({ description: 'For a person; yes means that it holds.' }),
    default: z.enum(['assume_true', 'assume_false', 'ask']).meta({
      description: 'What is taken where neither documents nor a person answer; `ask` leaves it open.',
    }),
    default_reason: BothLanguages.meta({ description: 'Why this default is the safe one.' }),
    asked_by: z.array(z.string()).meta({ description: 'Ids of the criteria that depend on it.' }),
    open: z.boolean().nullable().meta({
      description: 'The newest run could not tell it and left it to a person; null before there was one.',
    }),
    answer: z.boolean().nullable().meta({ description: 'What a person told the newest run.' }),
  })
  .meta({ id: 'StandardCondition', description: 'When some criteria of a standard apply.' });
export type StandardCondition = z.output<typeof StandardCondition>;

export const StandardConditions = z
  .object({ conditions: z.array(StandardCondition).meta({ description: 'Most asked for first.' }) })
  .meta({ id: 'StandardConditions' });
