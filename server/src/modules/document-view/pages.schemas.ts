import { z } from 'zod';
import { Id, wholeNumber } from '../../platform/http/schemas.js';
import { VersionParams } from './document-view.schemas.js';

/** As many as a document may have (`ReadingLimits.maxPages`). */
const MOST_PAGES = 5000;
export const PageParams = VersionParams.extend({
  page: wholeNumber({ min: 1, max: MOST_PAGES }).meta({ description: 'Number of the page, from 1.' }),
});

export const PICTURE_WIDTHS = ['400', '800', '1200', '1600', '3200'] as const;
export const PictureQuery = z.strictObject({
  width: z.enum(PICTURE_WIDTHS).default('800').meta({
    description:
      'Width of the picture in pixels. A page that is so high that its picture would have more than 12 million pixels is drawn smaller.',
  }),
});

export const DocumentPages = z
  .object({
    work_product_id: Id,
    version: z.int(),
    sha256: z.string().meta({ description: 'Of the file.' }),
    total: z.int().meta({ description: 'Number of pages; 0 for a format that has no pages of its own.' }),
    places: z.enum(['exact', 'unknown', 'none']).meta({
      description:
        '`exact`: lines stand where the file draws them. `unknown`: the version was read by a reader that found another text in ' +
        'the file; no line has a place until it is processed again. `none`: the format has no pages of its own, such as Word, ' +
        'workbooks and Markdown.',
    }),
    pages: z
      .array(
        z.object({
          page: z.int().meta({ description: 'Number of the page, from 1.' }),
          width: z.number().meta({ description: 'Points of 1/72 inch, as its picture shows it.' }),
          height: z.number().meta({ description: 'Points of 1/72 inch, as its picture shows it.' }),
        }),
      )
      .meta({ description: 'In their order.' }),
  })
  .meta({ id: 'DocumentPages' });
export type DocumentPages = z.output<typeof DocumentPages>;

const share = (description: string) => z.number().meta({ description });
export const PageLines = z
  .object({
    page: z.int().meta({ description: 'Number of the page, from 1.' }),
    total: z.int().meta({ description: 'Number of pieces of lines.' }),
    lines: z
      .array(
        z.object({
          block: z.int().meta({ description: 'Which block of the document, from 0.' }),
          start: z
            .int()
            .meta({ description: 'Where the text of the piece begins in the text of the document.' }),
          end: z.int().meta({ description: 'Where it ends: the first position behind it.' }),
          x: share('Left edge, as a share of the width of the page.'),
          y: share('Upper edge, as a share of the height of the page.'),
          width: share('Share of the width of the page.'),
          height: share('Share of the height of the page.'),
          turn: z
            .union([z.literal(1), z.literal(2), z.literal(3)])
            .optional()
            .meta({
              description:
                'Quarter turns against the clock of the direction in which it is read; absent: from left to right.',
            }),
          lefts: z.array(z.int()).optional().meta({
            description:
              'Where each letter (UTF-16 unit) begins along the line, in thousandths of its length; absent where that is not known.',
          }),
        }),
      )
      .meta({ description: 'In the order of the document.' }),
  })
  .meta({ id: 'PageLines' });
export type PageLines = z.output<typeof PageLines>;
