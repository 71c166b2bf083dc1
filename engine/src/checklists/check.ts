import { z } from 'zod';
import { keySchema, phrasesSchema, severitySchema } from '../data/shared-schemas.js';
import { GAP_KINDS } from '../engines/traceability/rules.js';
import { ARTIFACT_TYPES } from '../facts/artifacts/artifact.js';

const documentTypes = z.array(keySchema).min(1);
const sections = z.array(z.string().regex(/^[a-z0-9_-]+\.[a-z0-9_-]+$/, 'Write <document type>.<section>'));
const columns = z.array(
  z.string().regex(/^[a-z0-9_-]+\.[a-z0-9_-]+\.[a-z0-9_-]+$/, 'Write <document type>.<table>.<column>'),
);
const artifactTypes = z.array(z.enum(ARTIFACT_TYPES)).min(1);
const groups = z.array(phrasesSchema).min(1);
const share = z.number().min(0).max(100);
const expression = z.string().refine((source) => {
  try {
    return Boolean(new RegExp(source, 'iu'));
  } catch {
    return false;
  }
}, 'This is no regular expression');
const rowFilter = z.strictObject({ column: keySchema, matches: expression });

/** What every check may carry. */
const common = {
  /** Of a `fail` that this check finds, where it differs from the item's. */
  severity: severitySchema.optional(),
  /** A person confirms whatever it finds. */
  confirm: z.literal(true).optional(),
};

const check = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ check: z.literal(name), ...shape, ...common });

/**
 * The closed set of checks. Each is one file in `engines/checklist/checks`; what it looks at comes from the data.
 * References (`of`, `in`, …) name document types, sections and columns of `data/document-types`.
 */
const leaves = [
  /** One of the sections is there and has content (states of domain D.3). */
  check('section', { of: sections.min(1) }),
  /**
   * The columns are filled in at least `filled` percent of the rows. Of the columns that are found each must be;
   * `value` says what counts as a value. `where` and `except` choose rows by another column of the table.
   */
  check('column', {
    of: columns.min(1),
    filled: share.default(100),
    value: z.enum(['anything', 'rating', 'asil', 'person', 'date', 'number']).default('anything'),
    /** Least number of words of a value. */
    words: z.int().min(1).optional(),
    where: rowFilter.optional(),
    except: rowFilter.optional(),
    /** Leave rows of QM out: they owe no goal, no safe state. */
    rated: z.literal(true).optional(),
  }),
  /** Artifacts of the types exist with an id of their own, and no id means two things. */
  check('identified', { of: artifactTypes, in: documentTypes.optional() }),
  /** An attribute of every artifact has a value: a field of its record (template column) or of the artifact. */
  check('attribute', {
    of: artifactTypes,
    field: z.string().min(2),
    filled: share.default(100),
    value: z.enum(['anything', 'asil', 'number']).default('anything'),
  }),
  /**
   * Every artifact of the types has a link of the relation, to an artifact of the types `to` where they are given.
   * `columns`: a value in one of these columns of its row counts as well (an allocation that names no id).
   */
  check('coverage', {
    of: artifactTypes,
    relation: z.enum(['parent', 'child', 'allocation', 'verification', 'evidence']),
    to: artifactTypes.optional(),
    columns: columns.min(1).optional(),
    /** Only artifacts of at least this ASIL. */
    least: z.enum(['A', 'B', 'C', 'D']).optional(),
    /** Verification through children counts. */
    indirect: z.literal(true).optional(),
    /** Only artifacts that documents of these types state, where there are such documents. */
    in: documentTypes.optional(),
    /** Without any such artifact it says nothing. */
    where_given: z.literal(true).optional(),
  }),
  /** No gap of these kinds (`AI-02`, `dangling_target`, …) on artifacts of the types. */
  check('trace_rules', { kinds: z.array(z.enum(GAP_KINDS)).min(1), of: artifactTypes }),
  /** What the artifacts decompose, or are decomposed from, follows a permitted scheme (AI-03 to AI-06, AI-11, AI-16). */
  check('decompositions', { of: artifactTypes }),
  /** The documents name each of the things, in whatever words: a plan that lists work products. */
  check('names_each', { terms: groups, in: documentTypes }),
  /** Every safety goal has the highest ASIL of the hazardous events that it answers (AI-14). */
  check('goal_levels', {}),
  /** Every name of `of` (ids of artifacts, or values of columns) is treated in a document of the types. */
  check('lists_all', {
    of: z.union([z.strictObject({ artifacts: artifactTypes }), z.strictObject({ columns: columns.min(1) })]),
    in: documentTypes,
  }),
  /** Every work product that the columns name is among the documents. */
  check('provided', { columns: columns.min(1) }),
  /** Each artifact says each of the parts, in its text or in one of its fields. */
  check('each_says', {
    of: artifactTypes,
    parts: z.array(
      z.strictObject({
        /** For a person: what is not said. */
        name: z.string().min(3),
        terms: phrasesSchema.optional(),
        /** Fields of the record that say it when they are filled. */
        fields: z.array(keySchema).default([]),
        /** Expression that says it: a number with a unit. */
        matches: expression.optional(),
      }),
    ),
    filled: share.default(100),
    /** Only artifacts whose text has one of these. */
    about: phrasesSchema.optional(),
  }),
  /** Metadata fields are there without a problem (domain D.2): `reviewer` other than `author`, real dates, … */
  check('metadata', { fields: z.array(keySchema).min(1), in: documentTypes.optional() }),
  /** The document says that it is at least as mature. */
  check('status', { in: documentTypes.optional(), least: z.enum(['reviewed', 'released']) }),
  /** A document of one of the types is there and filled in. */
  check('document', { of: documentTypes, names: phrasesSchema.optional() }),
  /** Nothing open in the documents, or in the sections or columns given (domain D.5). */
  check('no_placeholder', {
    in: documentTypes.optional(),
    sections: sections.min(1).optional(),
    columns: columns.min(1).optional(),
  }),
  /** Wording rules of domain G: at most `share` percent of the requirements with a hit of at least `least`. */
  check('quality', {
    in: documentTypes,
    /** Also artifacts of these types, wherever they stand. */
    of: artifactTypes.optional(),
    share: share.default(5),
    least: z.enum(['low', 'medium', 'high']).default('medium'),
    rules: z.array(z.string().regex(/^RQQ-\d\d$/)).optional(),
  }),
  /**
   * A record shows that documents of the types `about` were verified: a review record or verification report that
   * names them, or a section of theirs. `needs` says what it has to tell.
   */
  check('record', {
    about: documentTypes.optional(),
    kinds: documentTypes.default(['review_record', 'verification_report']),
    /** Names of the kind of record: "confirmation review". */
    names: phrasesSchema.optional(),
    needs: z.array(z.enum(['verdict', 'date', 'person', 'version'])).default(['verdict']),
    /** Its author or reviewer is somebody else than the author of what was verified. */
    independent: z.literal(true).optional(),
    /** Sections of the documents themselves that tell the same. */
    sections: sections.min(1).optional(),
  }),
  /** The documents say it: each group of phrases is one part; all traps of domain H.4 apply. */
  check('statement', {
    terms: groups,
    in: documentTypes.optional(),
    sections: sections.default([]),
    columns: columns.default([]),
    /** An announcement is what is demanded. */
    plan: z.literal(true).optional(),
    /** The first group is the topic: where nothing treats it, the words of the others say nothing about it. */
    topic_first: z.literal(true).optional(),
  }),
  /** No document says it: a statement of one of the phrases is a `fail`. `in` or `columns` say where it is read. */
  check('not_stated', {
    terms: phrasesSchema,
    in: documentTypes.optional(),
    columns: columns.min(1).optional(),
  }),
  /** No statement of intent where results are demanded (trap T3). */
  check('no_intent', {
    in: documentTypes,
    sections: sections.min(1).optional(),
    /** Sections in which the future has its place. */
    except: sections.default([]),
  }),
  /** Rules of `consistency.yaml` find nothing. Alone it shows nothing: combine it with what shows the content. */
  check('consistency', {
    rules: z.array(keySchema).min(1),
    /** What an inconsistency means: the content is wrong, or something that it needs is not there. */
    as: z.enum(['fail', 'missing']).default('fail'),
  }),
  /** Dates of the same milestone, or values of the same thing, agree between two kinds of documents. */
  check('agreement', {
    what: z.enum(['dates', 'values', 'versions']),
    between: documentTypes,
    and: documentTypes,
  }),
  /** Numbers of one quantity agree between artifacts that are linked. */
  check('linked_values', { of: artifactTypes, to: artifactTypes }),
  /** Detection and reaction together are within the fault tolerant time interval, for every artifact that states them. */
  check('time_budget', { of: artifactTypes }),
  /** The documents refer to a document of the types `to`, with its version where asked; what is provided must agree. */
  check('reference', {
    in: documentTypes,
    to: documentTypes,
    version: z.literal(true).optional(),
    names: phrasesSchema.optional(),
  }),
  /** Every reference in the columns (id or name, and version beside it) resolves to a document that is there. */
  check('evidence_resolves', { columns: columns.min(1) }),
  /** A person is named for the role. */
  check('person_named', { roles: phrasesSchema, in: documentTypes.optional(), columns: columns.default([]) }),
  /** Results of tests: all passed, or each other one explained. */
  check('results', { columns: columns.min(1), allow: z.array(z.enum(['blocked', 'not_run'])).default([]) }),
  /** Values or targets of hardware metrics are as good as the ASIL demands (`hardware-metrics.yaml`). */
  check('hardware_metrics', { in: documentTypes, what: z.enum(['target', 'achieved']) }),
  /** Planned confirmation measures have the independence that the highest ASIL asks for. */
  check('independence', { in: documentTypes }),
  /** Nothing overdue: no open entry whose date is past. */
  check('tracked', { columns: columns.min(1), dates: columns.min(1) }),
  /**
   * Wording of the demands under inspection (those of the lowest level that is given): more than `tolerated` percent with a
   * hit of the rules is a fail. Where nothing is found it passes only if the rules see all of the question (`decides`).
   */
  check('wording', {
    rules: z.array(z.string().regex(/^RQQ-\d\d$/)).min(1),
    /** What the rules find, for a person. */
    about: z.string().min(3).optional(),
    decides: z.literal(true).optional(),
    tolerated: share.default(0),
    /** Only demands of these types, where there are any. */
    types: artifactTypes.optional(),
  }),
  /**
   * Every demand under inspection (or every element of the design) has a link of the kind, also where its other end is not
   * among the documents.
   */
  check('linked', {
    of: z.enum(['requirements', 'design']).default('requirements'),
    to: z.enum(['parent', 'child', 'design', 'test']),
    types: artifactTypes.optional(),
  }),
  /** Every demand under inspection has the attribute, and none has less than what it refines. */
  check('inherited', { attribute: z.enum(['safety', 'security']), types: artifactTypes.optional() }),
  /** Collects what is inspected and what the documents say about the terms; a person answers. */
  check('inspect', { of: z.enum(['requirements', 'design', 'documents']), terms: groups.default([]) }),
  /** Collects what the documents say about it; a person answers. */
  check('ask', { terms: groups.default([]), in: documentTypes.optional(), sections: sections.default([]) }),
] as const;

const leafSchema = z.discriminatedUnion('check', leaves);

/** One check that looks at the documents. */
export type LeafCheck = z.output<typeof leafSchema>;
export type CheckName = LeafCheck['check'];
/** The parameters of one kind of check. */
export type CheckOf<Name extends CheckName> = Extract<LeafCheck, { check: Name }>;

/** Several checks: all of them, or any one, has to pass. */
export interface CheckGroup {
  readonly check: 'all' | 'any';
  readonly of: readonly Check[];
}

export type Check = LeafCheck | CheckGroup;

const groupSchema = z.strictObject({
  check: z.enum(['all', 'any']),
  of: z.array(z.lazy((): z.ZodType<Check> => checkSchema)).min(2),
});

/** One check as the data files write it; defaults are filled in. */
export const checkSchema: z.ZodType<Check> = z.discriminatedUnion('check', [...leaves, groupSchema]);

export function isGroup(one: Check): one is CheckGroup {
  return one.check === 'all' || one.check === 'any';
}

/** All checks of a tree that look at documents, in order. */
export function leavesOf(checks: readonly Check[]): readonly LeafCheck[] {
  return checks.flatMap((one) => (isGroup(one) ? leavesOf(one.of) : [one]));
}
