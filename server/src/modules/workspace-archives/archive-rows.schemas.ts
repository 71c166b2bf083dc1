import { STANDARD_CATEGORIES } from '@normtrace/engine';
import { z } from 'zod';
import { Id, text } from '../../platform/http/schemas.js';
import { ChecklistOptions, ItemVerdict } from '../checklists/checklist-analysis.schemas.js';
import { NewAnswer } from '../checklists/checklist-answers.schemas.js';
import { ChecklistChange, ChecklistId } from '../checklists/checklists.schemas.js';
import { CompletenessOptions } from '../completeness/completeness.schemas.js';
import { GapStatus, Proposal, Resolution, Severity } from '../gaps/gaps.schemas.js';
import { AnalysisOptions } from '../runs/analyses.schemas.js';
import { ANALYSIS_TYPES } from '../runs/analysis-type.js';
import { NewStandard } from '../standards/standards.schemas.js';
import { TemplateChange, TemplateId } from '../templates/templates.schemas.js';
import { ArtifactType, NewArtifact, WrittenId } from '../traceability/artifacts.schemas.js';
import { LinkType } from '../traceability/links.schemas.js';
import { TraceOptions } from '../traceability/trace-views.schemas.js';
import { acceptedMediaType } from '../uploads/content-type.js';
import { cleanFileName } from '../uploads/file-name.js';
import { WorkProductChange } from '../work-products/work-products.schemas.js';

// Every table that an import takes, with every column and the schema by which the API takes the same thing from a person.
// What is not here is not taken. Nothing here was computed by a machine: files as they were sent, and what people said.

/** A moment that has been: not before computers, not after tomorrow. */
export const Moment = z.iso
  .datetime({ offset: true })
  .refine((value) => {
    const at = Date.parse(value);
    return at >= 0 && at <= Date.now() + 86_400_000;
  }, 'A moment between 1970 and today.')
  .transform((value) => new Date(value).toISOString());
/** One that may lie ahead. */
const AnyMoment = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0, 'A moment after 1970.')
  .transform((value) => new Date(value).toISOString());
const DueDate = z.iso.date().refine((value) => value >= '1970-01-01', 'A day after 1970.');
/** Of the manifest. */
const Person = Id;
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'SHA-256 in lower-case hexadecimal digits.');
const Revision = z.int().min(1).max(1_000_000);
const Reason = text({ min: 1, max: 4000 });
const FileName = z
  .string()
  .max(400)
  .refine((name) => cleanFileName(name) === name, 'The name of a file, without a path.');

const file = {
  file_name: FileName,
  file_size: z.int().min(0).max(5_000_000_000),
  file_type: z
    .string()
    .max(200)
    .refine((type) => acceptedMediaType(type) !== undefined, 'A media type that is accepted.'),
  /** The object of the archive with these bytes. */
  sha256: Sha256,
};

const Standard = z
  .strictObject({
    id: Id,
    catalog_id: NewStandard.shape.catalog_id.unwrap().nullable(),
    name: NewStandard.shape.name.unwrap(),
    version: text({ max: 100 }),
    category: z.enum(STANDARD_CATEGORIES),
    description: text({ max: 2000 }),
    requires_attestation: z.boolean(),
    file: z.strictObject({ ...file, created_by: Person, created_at: Moment }).nullable(),
    created_by: Person,
    created_at: Moment,
  })
  .refine(({ catalog_id, file }) => catalog_id === null || file === null, 'An adopted standard has no file.');

const change = WorkProductChange.shape;
const WorkProduct = z.strictObject({
  id: Id,
  name: change.name.unwrap(),
  original_filename: FileName,
  /** Only where a person chose it. */
  category: change.category.unwrap(),
  tags: change.tags.unwrap(),
  /** Archives of before models were there do not say it. */
  ai_excluded: z.boolean().default(false),
  source: z
    .strictObject({
      work_product_id: Id.nullable(),
      path: text({ min: 1, max: 1000 }),
      version: Revision.nullable(),
    })
    .nullable(),
  created_by: Person,
  created_at: Moment,
  versions: z
    .array(
      z.strictObject({
        version: Revision,
        ...file,
        uploaded_by: Person,
        uploaded_at: Moment,
        /** A ZIP file whose documents are work products of their own: it is not taken apart once more. */
        unpacked: z.boolean(),
      }),
    )
    .min(1)
    .max(1000)
    .refine(isRising, 'Versions rise from row to row.'),
});

function isRising(versions: readonly { readonly version: number }[]): boolean {
  return versions.every(({ version }, at) => at === 0 || version > (versions[at - 1]?.version ?? 0));
}

const own = { id: Id, revision: Revision, created_by: Person, created_at: Moment, updated_at: Moment };

const Template = z.strictObject({ ...own, yaml: TemplateChange.shape.yaml });

const Checklist = z.strictObject({
  ...own,
  yaml: ChecklistChange.shape.yaml,
  /** Of the items that are asked: which question an answer was given to. */
  revisions: z.record(z.string().max(200), Revision),
  /** Items that are asked no more: their ids are not used for another question. */
  withdrawn: z
    .array(
      z.strictObject({
        id: text({ min: 1, max: 200 }),
        text: text({ min: 1, max: 4000 }),
        revision: Revision,
      }),
    )
    .max(10_000),
});

const Artifact = NewArtifact.omit({ workspace_id: true }).extend({ created_by: Person });

const Link = z
  .strictObject({
    source_id: WrittenId,
    target_id: WrittenId,
    link_type: LinkType,
    created_by: Person,
    created_at: Moment,
  })
  .refine(({ source_id, target_id }) => source_id !== target_id, 'A link goes to another artifact.');

const TypeOfArtifact = z.strictObject({
  artifact_id: WrittenId,
  type: ArtifactType,
  said_by: Person,
  said_at: Moment,
});

const ContentHash = z.string().regex(/^[0-9a-f]{8,64}$/, 'A hash in hexadecimal digits.');
const LinkReview = z.strictObject({
  source_id: WrittenId,
  link_type: LinkType,
  target_id: WrittenId,
  verdict: z.enum(['confirmed', 'rejected']),
  source_hash: ContentHash.nullable(),
  target_hash: ContentHash.nullable(),
  /** Whether it holds only as long as both ends say what they said then. */
  bound: z.boolean().nullable(),
  reviewed_by: Person,
  reviewed_at: Moment,
});

/** The newest run of a series: not its result, but what was asked, to be asked again. */
const ids = z.array(Id).min(1).max(1000).nullable();
const Run = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('gap_analysis'),
    standard_id: Id,
    work_product_ids: ids,
    options: AnalysisOptions,
  }),
  z.strictObject({
    type: z.literal('completeness'),
    template_id: TemplateId.nullable(),
    work_product_ids: ids,
    options: CompletenessOptions,
  }),
  z.strictObject({
    type: z.literal('checklist'),
    checklist_id: ChecklistId,
    work_product_ids: ids,
    options: ChecklistOptions,
  }),
  z.strictObject({ type: z.literal('traceability'), options: TraceOptions }),
]);

const GapComment = z
  .strictObject({
    author: Person,
    text: text({ min: 1, max: 4000 }).nullable(),
    created_at: Moment,
    deleted_at: Moment.nullable(),
  })
  .refine(
    (one) => (one.text === null) === (one.deleted_at !== null),
    'A comment has a text, or was taken back.',
  );

const GapProposal = z.strictObject({
  kind: Proposal.shape.kind,
  severity: Severity.nullable(),
  accepted_until: AnyMoment.nullable(),
  waiver_owner: Person.nullable(),
  reason: Reason,
  proposed_by: Person,
  created_at: Moment,
});

const isAll = (...values: readonly unknown[]): boolean => values.every((value) => value !== null);
const isNone = (...values: readonly unknown[]): boolean => values.every((value) => value === null);

const Hashes = z.array(z.string().regex(/^[0-9a-f]{16}$/, 'A hash.')).max(20_000);
const Basis = z.strictObject({
  kind: z.string().regex(/^[a-z_]{1,80}$/),
  severity: Severity,
  asil: text({ max: 40 }).nullable(),
  items: Hashes,
  defects: Hashes.nullable(),
  against: Hashes,
  support: Hashes,
  values: Hashes,
});
const Bases = z.strictObject({
  status: Basis.optional(),
  severity: Basis.optional(),
  acceptance: Basis.optional(),
  false_positive: Basis.optional(),
  severity_proposal: Basis.optional(),
});

/** What people decided about a gap. It waits until a run here finds the gap of this fingerprint. */
const GapDecision = z
  .strictObject({
    gap_id: Id,
    type: z.enum(ANALYSIS_TYPES),
    /** Of a gap analysis: the standard; of a checklist: the checklist. */
    about: z.string().max(80).nullable(),
    fingerprint: z.string().regex(/^[A-Za-z0-9:._-]{8,200}$/, 'A fingerprint.'),
    status: GapStatus,
    resolution: Resolution.nullable(),
    assignee: Person.nullable(),
    due_date: DueDate.nullable(),
    reason: Reason.nullable(),
    accepted_until: AnyMoment.nullable(),
    waiver_owner: Person.nullable(),
    accepted_by: z.array(Person).min(1).max(10).nullable(),
    accepted_at: Moment.nullable(),
    severity_override: Severity.nullable(),
    severity_reason: Reason.nullable(),
    severity_by: Person.nullable(),
    severity_at: Moment.nullable(),
    /** What each decision covers, as hashes: here it holds as long as nothing else is found. */
    bases: Bases.nullable(),
    comments: z.array(GapComment).max(10_000),
    proposals: z.array(GapProposal).max(3),
  })
  .refine(
    ({ status, accepted_by, accepted_at, waiver_owner, accepted_until, reason }) =>
      status === 'accepted'
        ? isAll(accepted_by, accepted_at, waiver_owner, reason)
        : isNone(accepted_by, accepted_at, waiver_owner, accepted_until),
    'An accepted gap has a reason, an owner, and who accepted it when; another one has none of them.',
  )
  .refine(
    ({ status, resolution }) => resolution === null || status === 'resolved',
    'Only a resolved gap has a resolution.',
  )
  .refine((gap) => {
    const said = [gap.severity_override, gap.severity_reason, gap.severity_by, gap.severity_at];
    return isAll(...said) || isNone(...said);
  }, 'Another severity has a reason, a person and a moment.')
  .refine(
    ({ proposals }) => new Set(proposals.map(({ kind }) => kind)).size === proposals.length,
    'One proposal of a kind waits at a time.',
  );

const Answer = z.strictObject({
  id: Id,
  checklist_id: ChecklistId,
  item_id: text({ min: 1, max: 200 }),
  item_revision: Revision,
  /** Null: the answer before was taken back. */
  verdict: ItemVerdict.nullable(),
  reason: text({ max: 4000 }),
  evidence: z
    .array(
      z.strictObject({
        work_product_id: Id,
        quote: NewAnswer.shape.evidence.unwrap().element.shape.quote,
        note: text({ max: 1000 }).nullable(),
      }),
    )
    .max(20),
  /** What the verdict rested on that the person saw: the answer counts as long as it is the same here. */
  basis: z.string().regex(/^[A-Za-z0-9:._-]{1,100}$/, 'A hash.'),
  documents: z.array(z.strictObject({ work_product_id: Id, version: Revision, sha256: Sha256 })).max(1000),
  answered_by: Person,
  answered_at: Moment,
});

const Release = z.strictObject({
  id: Id,
  checklist_id: ChecklistId,
  content_hash: Sha256,
  counts: z.strictObject({
    pass: z.int().min(0).max(100_000),
    fail: z.int().min(0).max(100_000),
    missing: z.int().min(0).max(100_000),
    NA: z.int().min(0).max(100_000),
    to_be_reviewed: z.int().min(0).max(100_000),
  }),
  comment: text({ max: 4000 }),
  released_by: Person,
  released_at: Moment,
});

/** In this order: what is referred to comes first. */
export const ROWS = {
  standards: Standard,
  work_products: WorkProduct,
  templates: Template,
  checklists: Checklist,
  artifacts: Artifact,
  trace_links: Link,
  artifact_types: TypeOfArtifact,
  trace_link_reviews: LinkReview,
  runs: Run,
  gap_decisions: GapDecision,
  checklist_answers: Answer,
  checklist_releases: Release,
} as const;
export type TableName = keyof typeof ROWS;
export const TABLES = Object.keys(ROWS) as readonly TableName[];
export type RowOf<Table extends TableName> = z.output<(typeof ROWS)[Table]>;

const PERSONS = new Set([
  'created_by',
  'uploaded_by',
  'said_by',
  'reviewed_by',
  'answered_by',
  'released_by',
  'proposed_by',
  'accepted_by',
  'severity_by',
  'assignee',
  'waiver_owner',
  'author',
]);

/** The same value with every person in it replaced. */
export function withPersons<Value>(value: Value, replace: (id: string) => string): Value {
  if (Array.isArray(value)) return value.map((one) => withPersons(one, replace)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => {
    if (!PERSONS.has(key) || one === null) return [key, withPersons(one, replace)];
    return [key, Array.isArray(one) ? one.map((id) => replace(String(id))) : replace(String(one))];
  });
  return Object.fromEntries(entries) as Value;
}
