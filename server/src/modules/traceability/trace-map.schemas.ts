import { ARTIFACT_TYPES, EVIDENCE_RESULTS } from '@normtrace/engine';
import { z } from 'zod';
import { Id, several, wholeNumber } from '../../platform/http/schemas.js';
import { Severity, TextRange } from '../gaps/gaps.schemas.js';
import { ArtifactType, Origin } from './artifacts.schemas.js';
import { LinkType } from './links.schemas.js';
import { Coverage, Extraction, MatrixStatus, TraceDuty, TraceQuery } from './trace-views.schemas.js';

const count = z.int().min(0);

export const TraceObligations = z
  .object({
    types: z
      .array(
        z.object({
          type: ArtifactType,
          count: count.meta({
            description: 'Artifacts that could owe something: none that are inactive or of somebody else.',
          }),
          duties: z
            .array(
              z.object({
                duty: TraceDuty,
                owed: count,
                met: count,
                percentage: z.number().nullable().meta({ description: 'Met of owed; null of nothing.' }),
                by_integrity: z.record(z.string(), z.object({ owed: count, met: count })).meta({
                  description: 'By integrity level as rows of the matrix show it; `none` for those without.',
                }),
              }),
            )
            .meta({ description: 'What some of them owe.' }),
          gaps: z
            .object({ critical: count, high: count, medium: count, low: count })
            .meta({ description: 'Artifacts by the worst gap on each.' }),
        }),
      )
      .meta({ description: 'Types that there are, from goals to results.' }),
    end_to_end: Coverage,
    gaps: count.meta({ description: 'Gaps of the whole trace.' }),
    extraction: Extraction,
  })
  .meta({
    id: 'TraceObligations',
    description:
      'What artifacts of each type owe and have; `GET /traceability/matrix` lists them by `type` and `missing`.',
  });

const index = wholeNumber({ min: 0, max: 10_000_000 });
const WINDOW = 60;
export const GridQuery = TraceQuery.extend({
  rows: z.enum(ARTIFACT_TYPES).meta({ description: 'Type of the rows.' }),
  columns: z.enum(ARTIFACT_TYPES).meta({ description: 'Type of the columns.' }),
  row_offset: index.default(0).meta({ description: 'First row shown, counted from 0.' }),
  row_limit: wholeNumber({ min: 1, max: 200 }).default(WINDOW).meta({ description: 'Rows shown.' }),
  column_offset: index.default(0).meta({ description: 'First column shown, counted from 0.' }),
  column_limit: wholeNumber({ min: 1, max: 200 }).default(WINDOW).meta({ description: 'Columns shown.' }),
  only: z.enum(['linked', 'gaps']).optional().meta({
    description: '`linked`: rows and columns with a cell. `gaps`: those without any.',
  }),
  after_row: index
    .optional()
    .meta({ description: 'With `after_column`: `next` is the first filled cell after this one.' }),
  after_column: index.optional(),
});

const GridAxis = z.object({
  total: count,
  items: z.array(
    z.object({
      id: Id.nullable(),
      artifact_id: z.string(),
      name: z.string().meta({ description: 'Its name, else its text.' }),
      links: count.meta({ description: 'Cells in its whole row or column.' }),
    }),
  ),
});

export const TraceGrid = z
  .object({
    rows: GridAxis,
    columns: GridAxis,
    cells: z
      .array(
        z.object({
          row: count.meta({ description: 'Counted from 0 among all rows.' }),
          column: count.meta({ description: 'Counted from 0 among all columns.' }),
          link_type: LinkType,
          suspect: z.boolean(),
          assumed: z.boolean().meta({ description: 'True: nothing states it, and nobody confirmed it.' }),
        }),
      )
      .meta({ description: 'Those that are filled among the rows and columns shown, row by row.' }),
    next: z
      .object({ row: count, column: count })
      .nullable()
      .meta({ description: 'The first filled cell after the one asked for, row by row.' }),
    extraction: Extraction,
  })
  .meta({
    id: 'TraceGrid',
    description: 'Artifacts of two types and the links between them, a window of it.',
  });

export const NeighbourhoodQuery = z.strictObject({
  up: wholeNumber({ min: 0, max: 6 }).default(2).meta({ description: 'Steps towards the origin.' }),
  down: wholeNumber({ min: 0, max: 6 }).default(3).meta({ description: 'Steps towards evidence.' }),
  limit: wholeNumber({ min: 1, max: 500 })
    .default(150)
    .meta({ description: 'Artifacts shown, the nearest first.' }),
  grown: several(Id).meta({
    description:
      'Artifacts of which everything that is directly linked is shown, too, however far they are: a picture that grows step by step.',
  }),
});

export const TraceNeighbourhood = z
  .object({
    nodes: z.array(
      z.object({
        id: Id.nullable().meta({ description: 'Null for what is defined elsewhere.' }),
        artifact_id: z.string(),
        depth: z.int().meta({
          description: 'Steps from the artifact: below 0 towards its origin, above 0 towards evidence.',
        }),
        type: ArtifactType,
        name: z.string().meta({ description: 'Its name, else the beginning of its text.' }),
        integrity: z.string().nullable(),
        result: z.enum(EVIDENCE_RESULTS).nullable(),
        status: MatrixStatus,
        missing: z.array(TraceDuty).meta({ description: 'What it owes and has not.' }),
        severity: Severity.nullable().meta({ description: 'Of the worst gap on it.' }),
        work_product_id: Id.nullable(),
        version: z.int().nullable(),
        range: TextRange.nullable().meta({ description: 'Where exactly it stands.' }),
        more_up: count.meta({ description: 'Artifacts directly above it that are not shown.' }),
        more_down: count.meta({ description: 'Artifacts directly below it that are not shown.' }),
      }),
    ),
    links: z
      .array(
        z.object({
          id: Id,
          source_id: z.string().meta({ description: 'Artifact id as written.' }),
          target_id: z.string(),
          link_type: LinkType,
          origin: Origin,
          suspect: z.boolean(),
          assumed: z.boolean(),
          confirmed: z.boolean().meta({ description: 'Somebody found it right.' }),
          dangling: z
            .enum(['source', 'target', 'both'])
            .nullable()
            .meta({ description: 'Which end nothing defines.' }),
        }),
      )
      .meta({
        description:
          'Between what is shown, and those of the artifact itself an end of which nothing defines.',
      }),
    truncated: z.boolean().meta({ description: 'There is more within these steps than the limit.' }),
    extraction: Extraction,
  })
  .meta({
    id: 'TraceNeighbourhood',
    description: 'An artifact with what is linked to it, some steps in both directions.',
  });
