import { EVIDENCE_RESULTS, GAP_TYPES, MATRIX_STATES, SEVERITIES, TRACE_DUTIES } from '@normtrace/engine';
import { z } from 'zod';
import {
  flag,
  fromOffset,
  Id,
  PageQuery,
  SearchQuery,
  several,
  Timestamp,
  text,
  wholeNumber,
} from '../../platform/http/schemas.js';
import { Severity, TextRange } from '../gaps/gaps.schemas.js';
import { Refs } from '../names/names.js';
import { StartAnalysis } from '../runs/analyses.schemas.js';
import { ProjectScopeFields } from '../workspaces/project-scope.schemas.js';
import { ArtifactNames, ArtifactType, PlaceLocation, WrittenId } from './artifacts.schemas.js';
import { LinkType } from './links.schemas.js';
import { MATRIX_FORMATS } from './matrix-files.js';

/** Gaps in one answer, at most. */
export const MOST_LISTED = 10_000;

export const GapType = z.enum(GAP_TYPES).meta({ id: 'TraceGapType' });

const IndirectVerification = z.enum(['downgrade', 'accept', 'ignore']).meta({
  description:
    'Verification only through what is below: one step less severe (default), no gap, or as no verification.',
});

/** As an analysis is started with them. */
export const TraceOptions = z
  .strictObject({
    indirect_verification: IndirectVerification.default('downgrade'),
    require_design_test: z
      .boolean()
      .default(false)
      .meta({ description: 'Every design element needs a test of its own.' }),
    configuration: text({ min: 1, max: 200 }).optional().meta({
      description: 'Variant or baseline in question: results of another one do not count.',
    }),
    external_prefixes: z
      .array(text({ min: 1, max: 40 }))
      .max(100)
      .default([])
      .meta({ description: 'Beginnings of ids that customers or suppliers define.' }),
    ...ProjectScopeFields,
  })
  .meta({ id: 'TraceOptions', description: 'What the examination of a trace should know.' });
export type TraceOptions = z.output<typeof TraceOptions>;

/** The same in a query. */
const options = {
  indirect_verification: IndirectVerification.optional(),
  require_design_test: flag().optional(),
  configuration: text({ min: 1, max: 200 }).optional(),
  external_prefixes: text({ min: 1, max: 4000 }).optional().meta({ description: 'Separated by commas.' }),
};

export const ExtractionQuery = z.strictObject({ workspace_id: Id });
export const TraceQuery = z.strictObject({ workspace_id: Id, ...options });
export const TraceGapQuery = TraceQuery.extend({
  cursor: PageQuery.shape.cursor,
  limit: wholeNumber({ min: 1, max: MOST_LISTED }).default(MOST_LISTED).meta({
    description: 'Gaps on a page, most severe first; counts are whole.',
  }),
});
/** Gaps of a page with the names of what takes part in them, at most. */
export const MOST_NAMED = 500;
export const ListedGapType = z.enum([...GAP_TYPES, 'missing_downstream']);
export const TraceGapListQuery = TraceGapQuery.extend({
  gap_type: several(ListedGapType).meta({ description: 'Gaps of these types; `total_gaps` counts them.' }),
  severity: several(Severity),
  artifact_id: WrittenId.optional().meta({
    description:
      'Gaps of this artifact, and those in which it takes part: as an end of a link, or as what is not defined.',
  }),
  refs: flag()
    .optional()
    .meta({
      description:
        `True: \`refs\` has names of the artifacts that take part in the gaps, and of the documents; \`limit\` is ${MOST_NAMED} ` +
        'at most then.',
    }),
});
export const MatrixStatus = z.enum(MATRIX_STATES);
export const TraceDuty = z.enum(TRACE_DUTIES).meta({
  description:
    'What an artifact can owe: something above it (`upstream`), something below it (`downstream`), a `verification`, a result (`evidence`).',
});
const Counts = z.record(z.string(), z.int());

/** What rows of the matrix are ordered by. */
export const MATRIX_SORTS = ['id', 'type', 'integrity', 'status', 'severity', 'links'] as const;

export const MatrixQuery = TraceQuery.extend({
  standard_id: Id.optional().meta({
    description:
      'A cybersecurity standard narrows the rows to cybersecurity artifacts, a functional-safety standard to the others; any other standard changes nothing. Counts are those of the whole trace.',
  }),
  format: z.enum(MATRIX_FORMATS).default('json'),
  limit: wholeNumber({ min: 1, max: 1000 }).optional().meta({
    description: 'Rows on a page; without it the answer has all.',
  }),
  cursor: PageQuery.shape.cursor,
  ...fromOffset,
  sort: z
    .enum(MATRIX_SORTS.flatMap((field) => [field, `-${field}`] as const))
    .optional()
    .meta({
      description:
        'Order of the rows, descending with `-` before it; rows that are equal in it keep the reading order. `id`: numbers in ids count as numbers. ' +
        '`integrity`: from no level to the highest. `status`: complete, partial, missing, orphan. `severity`: of the worst gap on the row. `links`: how many there are.',
    }),
  status: several(MatrixStatus),
  type: several(ArtifactType).meta({
    description:
      'Rows of these types instead of goals and requirements: design, tests and evidence have rows, too.',
  }),
  integrity: several(text({ min: 1, max: 40 })).meta({
    description: 'Levels as rows show them, such as `ASIL B(D)`; `none` for those without.',
  }),
  missing: several(TraceDuty).meta({ description: 'Rows that owe one of these and have it not.' }),
  work_product_id: Id.optional().meta({ description: 'Rows that stand in this document.' }),
  search: SearchQuery,
  below: WrittenId.optional().meta({
    description: 'Rows of any type that are linked directly below this artifact, nearer to evidence.',
  }),
  above: WrittenId.optional().meta({
    description: 'Rows of any type that are linked directly above this artifact, nearer to its origin.',
  }),
  links: wholeNumber({ min: 1, max: 1000 }).optional().meta({
    description:
      'Links shown of a row in each direction, of a JSON answer; all unless told. `more_upstream` and `more_downstream` count the rest.',
  }),
  links_per_type: wholeNumber({ min: 1, max: 1000 }).optional().meta({
    description:
      'Links shown of a row in each direction to artifacts of one type, with `limit`. `linked` counts all.',
  }),
});

export const Extraction = z
  .object({
    status: z.enum(['none', 'queued', 'running', 'completed', 'failed']).meta({
      description: '`none`: nothing was ever read. `queued`, `running`: documents changed since.',
    }),
    under_way: z.boolean().meta({ description: 'True: a newer state of the documents is being read.' }),
    extracted_at: Timestamp.nullable(),
    documents: z.array(z.object({ work_product_id: Id, version: z.int() })).meta({
      description: 'The versions that the answer is about.',
    }),
    error: z.string().nullable(),
  })
  .meta({ id: 'TraceState', description: 'From which documents the trace was taken, and when.' });
export type Extraction = z.output<typeof Extraction>;

export const ExtractionDetail = Extraction.extend({
  workspace_id: Id,
  artifacts: z.int(),
  links: z.int(),
  engine_version: z.string().nullable(),
  note_counts: z.record(z.string(), z.int()),
  notes: z
    .array(
      z.object({
        code: z.string(),
        message: z.string(),
        work_product_id: Id,
        location: PlaceLocation,
      }),
    )
    .meta({ description: 'What the extraction had to decide or left out; a hundred of each kind at most.' }),
}).meta({ id: 'TraceExtraction' });

const count = z.int().min(0);
const share = z.number().min(0).max(100);
const counted = z.boolean().meta({ description: 'False: nothing is owed, and the share is 0.' });
const countsOf = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>);

const Place = z
  .object({
    work_product_id: Id,
    version: z.int(),
    location: PlaceLocation,
    quote: z.string(),
    range: TextRange.meta({ description: 'Where the quote stands in the text of this version.' }),
  })
  .nullable()
  .meta({ description: 'Where it stands; null for what a person added.' });

const gapFields = {
  severity: Severity,
  description: z.string(),
  kind: z.string().meta({ description: '`no_parent`, `dangling_target`, `AI-02`, …' }),
  integrity: z.string().nullable().meta({ description: 'Integrity level, stated or inherited.' }),
  severity_if_released: Severity.nullable().meta({ description: 'Of a draft: what it will be.' }),
  related: z.array(z.string()).meta({ description: 'Other artifacts that take part, a hundred at most.' }),
  missing: z.string().nullable().meta({ description: 'The id that is not defined.' }),
  suggested_action: z.string(),
  place: Place,
};

/** Of a page of gaps. */
const page = {
  listed_gaps: count.meta({ description: 'Gaps on this page.' }),
  page: z.int().min(1),
  next_cursor: z.string().nullable(),
};

/** A gap of an analysis. */
export const AnalysedGap = z.object({ artifact_id: z.string(), gap_type: GapType, ...gapFields });
/** A gap of the list. */
export const ListedGap = z.object({
  requirement_id: z.string(),
  gap_type: ListedGapType,
  ...gapFields,
});

export const Coverage = z
  .object({ numerator: count, denominator: count, percentage: share.nullable() })
  .meta({ id: 'TraceCoverage', description: 'A share with what it was counted from; null of nothing.' });
const METRICS = [
  ...(['upstream', 'downstream', 'verification', 'verification_incl_indirect', 'evidence'] as const),
  ...(['overall', 'end_to_end'] as const),
] as const;
export const CoverageMetrics = z
  .object(
    Object.fromEntries(METRICS.map((name) => [name, Coverage])) as Record<
      (typeof METRICS)[number],
      typeof Coverage
    >,
  )
  .meta({ id: 'TraceCoverageMetrics' });

/** What a run keeps beside its gaps. */
export const TraceResult = z
  .object({
    summary: countsOf(GAP_TYPES),
    severity_counts: countsOf(SEVERITIES),
    total_gaps: count,
    total_artifacts: count,
    total_links: count,
    coverage: CoverageMetrics,
    coverage_by_integrity: z.record(z.string(), CoverageMetrics),
    unlisted: countsOf(GAP_TYPES).meta({
      description: `Gaps that were counted only: of each type the ${MOST_LISTED} most severe are kept.`,
    }),
    remarks: z.array(z.object({ kind: z.string(), grade: z.enum(['info', 'medium', 'high']), count })),
    extraction: Extraction,
  })
  .meta({ id: 'TraceResult' });

export const StartTraceAnalysis = StartAnalysis.omit({ work_product_ids: true })
  .extend({ options: TraceOptions.optional() })
  .meta({ id: 'StartTraceAnalysis' });

export const TraceAnalysis = z
  .object({
    workspace_id: Id,
    analyzed_at: Timestamp,
    gaps: z.array(AnalysedGap).meta({ description: 'Most severe first; a page of them.' }),
    summary: countsOf(GAP_TYPES),
    severity_counts: countsOf(SEVERITIES),
    total_gaps: count,
    total_artifacts: count,
    total_links: count,
    completeness_percentage: share.meta({ description: 'Overall coverage.' }),
    assessed: counted,
    coverage: CoverageMetrics,
    ...page,
    remarks: z
      .array(
        z.object({
          kind: z.string(),
          grade: z.enum(['info', 'medium', 'high']),
          count,
          listed: z.array(
            z.object({ artifact_id: z.string(), related: z.array(z.string()), text: z.string() }),
          ),
        }),
      )
      .meta({ description: 'Worth knowing, never counted as gaps; a hundred of each kind.' }),
    extraction: Extraction,
  })
  .meta({ id: 'TraceAnalysis' });
export type TraceAnalysis = z.output<typeof TraceAnalysis>;

export const TraceGaps = z
  .object({
    gaps: z.array(ListedGap),
    total_gaps: count,
    ...page,
    extraction: Extraction,
    refs: Refs.extend({
      artifacts: ArtifactNames.meta({
        description: 'What takes part in the gaps, by ids as written; what nothing defines is not there.',
      }),
    })
      .optional()
      .meta({ description: 'With `refs=true`.' }),
  })
  .meta({ id: 'TraceGaps' });
export type TraceGaps = z.output<typeof TraceGaps>;

export const TraceCompleteness = z
  .object({
    workspace_id: Id,
    total_artifacts: count,
    total_links: count,
    upstream_completeness: share,
    downstream_completeness: share,
    verification_completeness: share,
    evidence_completeness: share,
    overall_completeness: share,
    assessed: counted,
    gaps: z.array(ListedGap),
    total_gaps: count,
    ...page,
    coverage: CoverageMetrics,
    coverage_by_integrity: z.record(z.string(), CoverageMetrics),
    extraction: Extraction,
  })
  .meta({
    id: 'TraceCompleteness',
    description: 'Shares in percent; 0 where nothing is owed: see `coverage` for what each was counted from.',
  });
export type TraceCompleteness = z.output<typeof TraceCompleteness>;

const MatrixLink = z.object({
  id: Id.nullable().meta({
    description: 'Of the artifact. Null without `limit`, and for what is defined elsewhere.',
  }),
  artifact_id: z.string(),
  artifact_name: z.string(),
  artifact_type: ArtifactType,
  link_type: LinkType,
});

export const TraceMatrix = z
  .object({
    matrix: z.array(
      z.object({
        id: Id.nullable().meta({ description: 'Of the artifact. Null without `limit`.' }),
        requirement_id: z.string(),
        requirement_name: z.string().nullable().meta({ description: 'Null without `limit`, too.' }),
        requirement_text: z.string(),
        type: ArtifactType,
        integrity: z.string().nullable(),
        upstream_links: z.array(MatrixLink),
        downstream_links: z.array(MatrixLink),
        more_upstream: count.meta({ description: 'Links upwards that `links` left out.' }),
        more_downstream: count.meta({ description: 'Links downwards that `links` left out.' }),
        linked: z
          .object({ up: Counts, down: Counts })
          .nullable()
          .meta({ description: 'Artifacts directly above and below it, by type. Null without `limit`.' }),
        status: MatrixStatus,
        missing: z.array(TraceDuty).nullable().meta({
          description: 'What it owes and has not. Null without `limit`.',
        }),
        severity: Severity.nullable().meta({
          description: 'Of the worst gap on it; null: none, or no `limit` was given.',
        }),
        result: z.enum(EVIDENCE_RESULTS).nullable().meta({
          description: 'Of a result; null where it has none, and without `limit`.',
        }),
      }),
    ),
    facets: z.object({ status: Counts, type: Counts, integrity: Counts, missing: Counts }).nullable().meta({
      description:
        'How many rows each value has, under all filters but those by the same name; `none`: no integrity level. Null without `limit`.',
    }),
    gaps: count.meta({ description: 'Gaps of the whole trace.' }),
    coverage: share.meta({ description: 'Overall coverage in percent.' }),
    assessed: counted,
    total: count.meta({ description: 'Rows in all.' }),
    page: z.int().min(1),
    limit: z.int().nullable(),
    next_cursor: z.string().nullable(),
    extraction: Extraction,
  })
  .meta({ id: 'TraceMatrix' });
