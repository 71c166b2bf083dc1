import { z } from 'zod';
import {
  fromOffset,
  Id,
  PageQuery,
  several,
  sortedBySeveral,
  Timestamp,
  UpdatedSince,
  wholeNumber,
} from '../../platform/http/schemas.js';
import { Refs } from '../names/names.js';
import {
  AnalysisType,
  Change,
  Evidence,
  Gap,
  GapStatus,
  gapFilters,
  Severity,
  TextRange,
} from './gaps.schemas.js';

/** Named as the filters whose values they count. */
export const FACETS = [
  'severity',
  'status',
  'analysis_type',
  'standard_id',
  'work_product_id',
  'type',
  'clause',
  'assignee',
  'change',
  'asil',
  'overdue',
] as const;
export type Facet = (typeof FACETS)[number];

export const FacetQuery = z.strictObject({
  workspace_id: Id,
  ...gapFilters,
  facets: several(z.enum(FACETS)).meta({ description: 'Filters whose values are counted; all unless told.' }),
});

const FacetValues = z.object({
  values: z
    .array(
      z.object({
        value: z.string().meta({ description: 'As the filter of the list takes it.' }),
        label: z
          .string()
          .nullable()
          .meta({ description: 'Name of what an id means; null where the value says it.' }),
        count: z.int(),
      }),
    )
    .meta({ description: 'The most frequent first, fifty at most.' }),
  more: z.int().meta({ description: 'How many further values there are.' }),
});
export const GapFacets = z
  .object({
    total: z.int().meta({ description: 'Gaps under all filters.' }),
    facets: z.partialRecord(z.enum(FACETS), FacetValues).meta({
      description: 'Each counted under all other filters: the list with the value instead has that many.',
    }),
  })
  .meta({ id: 'GapFacets', description: 'How many gaps have which value of a filter.' });

export const SummaryQuery = PageQuery.extend({
  ...sortedBySeveral(
    'created_at',
    'updated_at',
    'severity',
    'due_date',
    'clause',
    'title',
    'assignee',
    'work_product_id',
  ),
  updated_since: UpdatedSince,
  limit: wholeNumber({ min: 1, max: 500 }).default(100).meta({ description: 'Items on a page.' }),
  ...fromOffset,
  workspace_id: Id,
  ...gapFilters,
});

/** A list as a file: from the beginning to the end. */
export const GapFileQuery = SummaryQuery.omit({ cursor: true, limit: true, offset: true });

export const GapSummary = z
  .object({
    id: Id,
    analysis_type: AnalysisType,
    standard_id: Id.nullable().meta({ description: 'Null where no standard demands it.' }),
    work_product_id: Gap.shape.work_product_id,
    criterion_id: z.string(),
    clause: z.string(),
    type: z.string(),
    title: z.string(),
    status: GapStatus,
    change: Change.meta({ description: 'Against the run before.' }),
    severity: Severity.meta({ description: 'The one that counts: of a manager where there is one.' }),
    severity_original: Severity.meta({ description: 'The one that was found.' }),
    confidence: Gap.shape.confidence,
    asil: z.string().nullable(),
    assignee: Id.nullable(),
    due_date: Gap.shape.due_date,
    overdue: Gap.shape.overdue,
    acceptance_pending: Gap.shape.acceptance_pending,
    evidence_count: z.int().meta({ description: 'Quotes that it has.' }),
    comment_count: z.int().meta({ description: 'Comments of people about it.' }),
    first_place: z
      .object({
        work_product_id: Id,
        version: z.int(),
        location: Evidence.shape.location,
        range: TextRange.meta({ description: 'Where exactly the quote stands.' }),
      })
      .nullable()
      .meta({ description: 'Of its first quote; null where it has none.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'GapSummary', description: 'What a row of a list shows of a gap.' });
export type GapSummary = z.output<typeof GapSummary>;

export const GapSummaryList = z
  .object({
    items: z.array(GapSummary),
    total: z.int().min(0).meta({ description: 'Exact number of items under the same filters.' }),
    page: z.int().min(1).meta({ description: 'Ordinal of this page.' }),
    limit: z.int().min(1).max(500),
    next_cursor: z.string().nullable().meta({ description: 'Null when there are no further results.' }),
    refs: Refs.meta({ description: 'What the ids of the page mean.' }),
  })
  .meta({ id: 'GapSummaryList' });
