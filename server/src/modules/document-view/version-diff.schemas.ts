import { z } from 'zod';
import { Id, wholeNumber } from '../../platform/http/schemas.js';
import { DocumentView } from './document-view.schemas.js';

const LAST_VERSION = 2 ** 31 - 1;
const version = (description: string) => wholeNumber({ min: 1, max: LAST_VERSION }).meta({ description });

export const DiffParams = z.strictObject({ id: Id });
export const DiffQuery = z.strictObject({
  base: version('Number of the older version.'),
  head: version('Number of the version that it is compared with.'),
  from: wholeNumber({ min: 0, max: LAST_VERSION })
    .default(0)
    .meta({ description: 'First change of the answer: `next` of the answer before.' }),
  changes: wholeNumber({ min: 1, max: 500 })
    .default(200)
    .meta({ description: 'Changes of an answer at most; a run that is the same counts as one.' }),
  include: z
    .enum(['artifacts'])
    .optional()
    .meta({ description: '`artifacts`: also which artifacts came, went or say something else.' }),
});

const Shown = DocumentView.shape.blocks.element
  .pick({ index: true, kind: true, text: true, start: true, end: true, location: true })
  .nullable();
const count = (description: string) => z.int().meta({ description });

const Told = z
  .object({
    type: z.string().meta({
      description: 'As in the trace, read from this document alone.',
      examples: ['functional_safety_requirement'],
    }),
    name: z.string().nullable().meta({ description: 'Short name, where there is one beside the text.' }),
    text: z.string().meta({ description: 'What it says; its first 1,000 letters.' }),
    asil: z
      .string()
      .nullable()
      .meta({ description: 'Integrity level as written.', examples: ['ASIL D'] }),
    status: z.string().nullable().meta({ description: 'As written.' }),
    start: z.int().meta({ description: 'Where it is stated: first letter in the text of that version.' }),
    end: z.int().meta({ description: 'The letter behind the last one.' }),
  })
  .nullable();
const artifacts = (description: string) =>
  z
    .object({
      total: z.int().meta({ description: 'How many there are.' }),
      items: z
        .array(
          z.object({
            artifact_id: z.string().meta({ description: 'As written.', examples: ['FSR-01'] }),
            base: Told.meta({
              description: 'As the older version says first; null where it does not name it.',
            }),
            head: Told.meta({
              description: 'As the newer version says first; null where it does not name it.',
            }),
          }),
        )
        .meta({ description: 'The first 200 in the order of the document.' }),
    })
    .meta({ description });

export const VersionDiff = z
  .object({
    work_product_id: Id,
    base: z.int().meta({ description: 'Number of the older version.' }),
    head: z.int().meta({ description: 'Number of the version that it is compared with.' }),
    counts: z
      .object({
        same: count('Blocks that are in both.'),
        inserted: count('Blocks that came.'),
        deleted: count('Blocks that went.'),
        changed: count('Blocks whose words are others now.'),
      })
      .meta({ description: 'Of all blocks; spaces do not count.' }),
    total: z.int().meta({ description: 'Number of changes, runs that are the same among them.' }),
    changes: z
      .array(
        z.object({
          op: z
            .enum(['same', 'insert', 'delete', 'change'])
            .meta({ description: 'What happened to the block, or that a run of blocks is the same.' }),
          count: z.int().meta({ description: 'Blocks of a run that is the same; else 1.' }),
          base: Shown.meta({ description: 'The block, or the first of a run, in the older version.' }),
          head: Shown.meta({ description: 'The block, or the first of a run, in the newer version.' }),
          words: z
            .array(
              z.object({
                op: z
                  .enum(['same', 'delete', 'insert'])
                  .meta({ description: 'In both, in the older, or in the newer one alone.' }),
                text: z.string(),
              }),
            )
            .nullable()
            .meta({ description: 'Of a block that changed: its words in their order.' }),
        }),
      )
      .meta({ description: 'In the order of the document.' }),
    next: z
      .int()
      .nullable()
      .meta({ description: 'First change of the next answer; null when this was all.' }),
    artifacts: z
      .object({
        added: artifacts('Those that only the newer version states.'),
        removed: artifacts('Those that only the older version states.'),
        changed: artifacts(
          'Those with another text, name, type, level, rating, result or status. Spaces do not count.',
        ),
      })
      .optional()
      .meta({
        description:
          'Only with `include=artifacts`, in every part of the answer: of the whole versions, each read by itself.',
      }),
  })
  .meta({ id: 'VersionDiff' });
export type VersionDiff = z.output<typeof VersionDiff>;
