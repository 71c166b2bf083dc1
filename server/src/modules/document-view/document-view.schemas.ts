import type { Block } from '@normtrace/engine';
import { z } from 'zod';
import { Id, several, wholeNumber } from '../../platform/http/schemas.js';
import { Change, Evidence, GapStatus, Severity, TextRange } from '../gaps/gaps.schemas.js';

/** As large as a version can be in the database. */
const LAST_VERSION = 2 ** 31 - 1;
export const VersionParams = z.strictObject({
  id: Id,
  version: wholeNumber({ min: 1, max: LAST_VERSION }).meta({ description: 'Number of the version.' }),
});

const BLOCK_KINDS = [
  'heading',
  'paragraph',
  'list_item',
  'table_row',
  'caption',
  'page_header',
  'page_footer',
  'toc_entry',
  'code',
  'figure',
  'comment',
] as const satisfies readonly Block['kind'][];

const Location = Evidence.shape.location;
const LAST_PLACE = 2 ** 31 - 1;

export const DocumentQuery = z.strictObject({
  from_block: wholeNumber({ min: 0, max: LAST_PLACE }).optional().meta({
    description: 'First block of the answer; the first of the document unless told.',
  }),
  around: wholeNumber({ min: 0, max: LAST_PLACE }).optional().meta({
    description: 'Instead of `from_block`: a position in the text; its block is in the middle of the answer.',
  }),
  blocks: wholeNumber({ min: 1, max: 2000 })
    .default(500)
    .meta({ description: 'Blocks of an answer at most.' }),
});

const DocumentBlock = z
  .object({
    index: z.int().meta({ description: 'Position among the blocks of the document, from 0.' }),
    kind: z.enum(BLOCK_KINDS).meta({
      description:
        'Only `paragraph`, `list_item` and rows of tables say something; the others name, repeat or list it.',
    }),
    text: z.string().meta({ description: 'Never markup; the cells of a row are joined by a tab.' }),
    start: z.int().meta({ description: 'Where the text begins in the text of the document.' }),
    end: z.int().meta({ description: 'Where it ends: the first position behind it.' }),
    location: Location,
    level: z.int().optional().meta({ description: 'Of a heading or an item of a list, from 1.' }),
    table: z
      .object({
        id: z.int().meta({ description: 'Which table of the document, from 0.' }),
        row: z.int().meta({ description: 'Which row of it, from 0.' }),
        header: z.boolean().meta({ description: 'The row names the columns.' }),
      })
      .optional()
      .meta({ description: 'Of a row.' }),
    cells: z
      .array(
        z.object({
          text: z.string(),
          start: z.int().meta({ description: 'Where the cell begins in the text of the document.' }),
          end: z.int().meta({ description: 'Where it ends: the first position behind it.' }),
          column: z.int().meta({ description: 'Column of the grid, from 0.' }),
          span: z.int().optional().meta({ description: 'Columns that it covers; 1 where left out.' }),
          rows: z.int().optional().meta({ description: 'Rows that it covers; 1 where left out.' }),
          location: Location,
        }),
      )
      .optional()
      .meta({ description: 'Of a row.' }),
    record: z
      .object({
        id: z.string().meta({ description: 'By which people and links name the record.' }),
        type: z.string().optional().meta({ description: 'In the words of the tool.' }),
      })
      .optional()
      .meta({ description: 'Of a row that is a record of a requirements or test tool.' }),
    hidden: z
      .array(TextRange)
      .optional()
      .meta({ description: 'What of it a reader of the file does not see.' }),
  })
  .meta({ id: 'DocumentBlock', description: 'A heading, paragraph, row … of a document as it was read.' });

export const DocumentView = z
  .object({
    work_product_id: Id,
    version: z.int(),
    sha256: z.string(),
    format: z.string(),
    language: z.string(),
    page_count: z.int().nullable(),
    block_count: z.int().meta({ description: 'Blocks of the whole document.' }),
    text_length: z.int().meta({ description: 'Of the whole text: blocks joined by a line feed.' }),
    notes: z
      .array(z.object({ code: z.string(), message: z.string(), location: Location.optional() }))
      .meta({ description: 'What whoever relies on the reading has to know.' }),
    blocks: z.array(DocumentBlock).meta({ description: 'In the order of the document.' }),
    next_block: z.int().nullable().meta({ description: '`from_block` of what follows; null at the end.' }),
  })
  .meta({ id: 'DocumentView', description: 'A document as it was read, in blocks with their places.' });
export type DocumentView = z.output<typeof DocumentView>;

export const DocumentOutline = z
  .object({
    headings: z
      .array(
        z.object({
          block: z.int().meta({ description: 'Where it begins: index of the block.' }),
          level: z.int().meta({ description: '1 is outermost.' }),
          title: z.string(),
          start: z.int().meta({ description: 'Position in the text.' }),
          page: z.int().optional(),
          sheet: z.string().optional(),
        }),
      )
      .meta({ description: 'In the order of the document.' }),
    total: z
      .int()
      .meta({ description: 'How many there are; no more than the first 5000 are in `headings`.' }),
  })
  .meta({ id: 'DocumentOutline', description: 'Headings of a document, and the sheets of a workbook.' });
export type DocumentOutline = z.output<typeof DocumentOutline>;

export const MARKED = ['gap', 'placeholder', 'criterion', 'section', 'item', 'artifact', 'link'] as const;
const Marked = z.enum(MARKED).meta({
  id: 'Marked',
  description:
    'What a place is evidence of: a gap; one that is an open point (`TBD`), as `placeholder`; the answer of the newest run for a criterion of a standard, a section, table or field of a ' +
    'template, an item of a checklist; or where an artifact or a trace link is stated.',
});

export const MarkQuery = z.strictObject({
  about: several(Marked).meta({ description: 'Only marks about these.' }),
  status: several(GapStatus).meta({ description: 'Of gaps.' }),
  analysis_id: Id.optional().meta({
    description:
      'Gaps and answers as this run saw them, instead of what counts now. What the trace says stays.',
  }),
});

const Reference = z
  .object({
    id: z
      .string()
      .meta({ description: 'Of the gap, artifact or link; of a criterion or item its id in its list.' }),
    label: z.string().meta({ description: 'What people call it: `FSR-012`, `7.4.2.1`.' }),
  })
  .meta({ description: 'What the place is about.' });

export const DocumentMarks = z
  .object({
    work_product_id: Id,
    version: z.int(),
    newest_marked_version: z.int().nullable().meta({
      description:
        'The newest version that a run read; null: none did. An older one than this: its marks are there.',
    }),
    carried_from: z
      .int()
      .nullable()
      .meta({
        description:
          'Where no run has read this version: the version that a run read and whose gaps and answers are shown where their words ' +
          'stand in this one. Null where the marks are its own.',
      }),
    lost: z.int().meta({
      description:
        'Of what was carried over: places whose words are gone, or could be meant at several places now.',
    }),
    total: z
      .int()
      .meta({ description: 'Marks under the filters; no more than the first 5000 are in `marks`.' }),
    by_about: z.partialRecord(Marked, z.int()).meta({ description: 'How many about each.' }),
    marks: z
      .array(
        z.object({
          about: Marked.meta({ description: 'What the place is evidence of.' }),
          start: z.int().meta({ description: 'Where the quote begins in the text of the document.' }),
          end: z.int().meta({ description: 'Where it ends: the first position behind it.' }),
          location: Location,
          role: z.enum(['support', 'counter', 'context', 'defines', 'states']).meta({
            description: 'Speaks for it, against it or beside it; defines an artifact; states a link.',
          }),
          ref: Reference,
          severity: Severity.nullable().meta({ description: 'Of a gap.' }),
          status: GapStatus.nullable().meta({ description: 'Of a gap.' }),
          change: Change.nullable().meta({ description: 'Of a gap, against the run before.' }),
          verdict: z
            .string()
            .nullable()
            .meta({ description: 'Answer of a run; type of an artifact or link.' }),
          title: z.string().nullable().meta({ description: 'At most 200 characters.' }),
        }),
      )
      .meta({ description: 'In the order of the document.' }),
    without_place: z
      .array(
        z.object({
          ref: Reference,
          severity: Severity,
          status: GapStatus,
          title: z.string(),
          searched: z
            .object({
              passages: z.int(),
              terms: z.array(z.string()).meta({ description: 'Words that were looked for.' }),
            })
            .nullable()
            .meta({ description: 'What was searched for it and not found.' }),
        }),
      )
      .meta({
        description: 'Gaps about the document that no words of it show; the first 500, the worst first.',
      }),
  })
  .meta({
    id: 'DocumentMarks',
    description: 'What is said about places of a document version, in their order.',
  });
export type DocumentMarks = z.output<typeof DocumentMarks>;
