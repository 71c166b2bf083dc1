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
});

const Shown = DocumentView.shape.blocks.element
  .pick({ index: true, kind: true, text: true, start: true, end: true, location: true })
  .nullable();
const count = (description: string) => z.int().meta({ description });

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
  })
  .meta({ id: 'VersionDiff' });
export type VersionDiff = z.output<typeof VersionDiff>;
