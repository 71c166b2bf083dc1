import { z } from 'zod';
import { Id, several, text, wholeNumber } from '../../platform/http/schemas.js';
import { Evidence, Gap, TextRange } from '../gaps/gaps.schemas.js';

/** In the order of the answer: what has ids, what has names, what documents say. */
export const SEARCHED = [
  'artifact',
  'gap',
  'work_product',
  'standard',
  'criterion',
  'checklist',
  'report',
  'passage',
] as const;
export type Searched = (typeof SEARCHED)[number];

export const SearchQuery = z.strictObject({
  workspace_id: Id,
  q: text({ min: 2, max: 200 }).meta({
    description: 'Beginnings of words; whatever has all of them is found. Everything is literal.',
  }),
  type: several(z.enum(SEARCHED)).meta({ description: 'What is searched; everything unless told.' }),
  limit: wholeNumber({ min: 1, max: 20 }).default(5).meta({ description: 'Of each type.' }),
});

const Highlights = z.array(TextRange);
export const Found = z
  .object({
    id: z.string().meta({
      description:
        'Of what was found; of a criterion its id in the standard, of a passage one that the next reading changes.',
    }),
    label: z.string().meta({ description: 'Its id or name; of a passage the name of the document.' }),
    text: z
      .string()
      .nullable()
      .meta({ description: 'What it says, shortened; null where the label says all.' }),
    label_highlights: Highlights.meta({ description: 'Where the label has the words.' }),
    text_highlights: Highlights.meta({ description: 'Where the text has the words.' }),
    work_product_id: Id.nullable().meta({ description: 'The document that it stands in.' }),
    version: z.int().nullable().meta({ description: 'The version of that document.' }),
    location: Evidence.shape.location.nullable().meta({ description: 'Where it stands there, for people.' }),
    range: TextRange.nullable().meta({ description: 'Where exactly it stands there.' }),
    standard_id: Id.nullable().meta({ description: 'The standard that it belongs to.' }),
    severity: Gap.shape.severity.nullable().meta({ description: 'Of a gap.' }),
    status: Gap.shape.status.nullable().meta({ description: 'Of a gap.' }),
  })
  .meta({ id: 'Found', description: 'One thing that was found.' });
export type Found = z.output<typeof Found>;

export const SearchResult = z
  .object({
    groups: z
      .array(
        z.object({
          type: z.enum(SEARCHED).meta({ description: 'What was found.' }),
          total: z.int().meta({ description: 'How many were found; counted to 1,000.' }),
          items: z.array(Found),
        }),
      )
      .meta({ description: 'Types of which something was found.' }),
    documents_not_searched: z.int().meta({
      description:
        'Documents whose text is not searched. Those that were read just now are searched some seconds after their trace is stored; those that were read before passages were kept, once they are processed again.',
    }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.output<typeof SearchResult>;
