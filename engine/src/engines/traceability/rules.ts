import { z } from 'zod';
import { ASIL_LEVELS } from '../../asil/asil.js';
import type { DataProblem } from '../../data/data-error.js';
import { listDocumentTypeIds } from '../../data/list-document-types.js';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../../data/load-data.js';
import { ARTIFACT_TYPES } from '../../facts/artifacts/artifact.js';
import { LINK_TYPES, type LinkType } from '../../facts/artifacts/trace-link.js';
import { CONSISTENCY_KINDS, consistencySeverities } from '../../findings/severity.js';
import { severitySchema } from '../../findings/severity-schema.js';

/** What the specification calls a gap; every kind belongs to one. */
export const GAP_TYPES = [
  'orphan_upstream',
  'orphan_downstream',
  'missing_verification',
  'missing_evidence',
  'broken_chain',
  'asil_inconsistency',
] as const;
export type GapType = (typeof GAP_TYPES)[number];

/** Kinds of gap that only specification items of OpenFastTrace have. */
export const ITEM_KINDS = [
  ...(['needed_item', 'needed_verification', 'outdated_link', 'predated_link', 'unwanted_link'] as const),
  ...(['ambiguous_link', 'duplicate_item', 'coverage_loop'] as const),
] as const;

/** Kinds of gaps about integrity levels. */
const LEVEL_KINDS = [
  ...(['AI-01', 'AI-02', 'AI-03', 'AI-04', 'AI-05', 'AI-06', 'AI-07', 'AI-08', 'AI-09'] as const),
  ...(['AI-10', 'AI-11', 'AI-12', 'AI-13', 'AI-13-conservative', 'AI-14', 'AI-15', 'AI-16'] as const),
] as const;
const ABOUT_LEVELS: ReadonlySet<string> = new Set(LEVEL_KINDS);
/** Whether a kind of gap is about integrity levels. */
export const isAboutLevels = (kind: string): kind is (typeof LEVEL_KINDS)[number] => ABOUT_LEVELS.has(kind);

/** Every kind of gap that the rules can find: the keys of `kinds` in the data. */
export const GAP_KINDS = [
  ...(['no_parent', 'no_requirement', 'test_without_requirement', 'evidence_without_source'] as const),
  ...(['no_fsr', 'not_refined_nor_allocated', 'none', 'indirect_only', 'no_validation'] as const),
  ...(['no_evidence', 'inconclusive', 'stale', 'negative_result'] as const),
  ...(['dangling_target', 'self_link', 'obsolete_target', 'illegal_pair', 'level_skip'] as const),
  ...(['cycle', 'chain_gap'] as const),
  ...ITEM_KINDS,
  ...LEVEL_KINDS,
] as const;
export type GapKind = (typeof GAP_KINDS)[number];

/** Worth knowing, never counted: the keys of `remarks` in the data. */
export const REMARK_KINDS = [
  ...(['direction_corrected', 'asymmetric_link', 'external_reference', 'external_element'] as const),
  ...([
    'duplicate_id',
    'duplicate_id_other_asil',
    'id_normalised',
    'broad_test',
    'allocated_not_refined',
    'passed_with_remarks',
  ] as const),
  ...(['no_dynamic_test', 'untyped_artifact', 'untyped_link', 'unresolved_link'] as const),
  ...(['hazard_without_goal', 'asil_assumed', 'AI-09', 'shared_elements_not_examined'] as const),
] as const;
export type RemarkKind = (typeof REMARK_KINDS)[number];

/** R, A, V, E of domain E.2. */
export const RELATIONS = ['refines', 'realised_by', 'verified_by', 'evidenced_by'] as const;
export type Relation = (typeof RELATIONS)[number];

const ROLES = ['hazard', 'goal', 'requirement', 'design', 'test', 'evidence', 'unknown'] as const;
export type Role = (typeof ROLES)[number];

/** What an artifact can owe. */
export const OBLIGATIONS = [
  ...(['upstream', 'hazard', 'downstream', 'verification', 'validation', 'evidence'] as const),
] as const;
export type Obligation = (typeof OBLIGATIONS)[number];

const wordsSchema = z.array(z.string().min(2));
const rankSchema = z.int().min(-1).max(9);

const typeSchema = z.strictObject({
  role: z.enum(ROLES),
  rank: z.tuple([rankSchema, rankSchema]),
  integrity: z.enum(['safety', 'cybersecurity']).default('safety'),
  obligations: z.array(z.enum(OBLIGATIONS)),
  owners: z.array(z.string().min(2)),
});

const linkSchema = z.strictObject({
  relation: z.enum(RELATIONS),
  from: z.enum(['source', 'target']),
  by_source_role: z
    .strictObject({ design: z.enum(RELATIONS), test: z.enum(RELATIONS), evidence: z.enum(RELATIONS) })
    .optional(),
  decomposition: z.boolean().default(false),
  wordings: wordsSchema,
  inverse: wordsSchema,
});

const gradeSchema = z.union([severitySchema, z.enum(['info', 'none'])]);
/** By level, or the kind of contradiction of `severity.yaml` that has the severities. */
const gradesSchema = z.union([
  z.enum(CONSISTENCY_KINDS).transform(consistencySeverities),
  z.strictObject({ QM: gradeSchema, A: gradeSchema, B: gradeSchema, C: gradeSchema, D: gradeSchema }),
]);

const kindSchema = z.strictObject({
  gap: z.enum(GAP_TYPES),
  name: z.string().min(3).optional(),
  severity: gradesSchema,
});

const remarkSchema = z.strictObject({ grade: z.enum(['info', 'medium', 'high']) });

const levelSchema = z.enum(ASIL_LEVELS);

const schema = z.strictObject({
  types: z.strictObject(forEach(ARTIFACT_TYPES, typeSchema)),
  links: z.strictObject(forEach(LINK_TYPES, linkSchema)),
  statuses: z.strictObject({ inactive: wordsSchema, draft: wordsSchema }),
  verifying_evidence: wordsSchema,
  verifying_items: wordsSchema,
  independence_evidence: wordsSchema,
  integrity: z.strictObject({
    cal: z.strictObject({ '1': levelSchema, '2': levelSchema, '3': levelSchema, '4': levelSchema }),
    risk: z.strictObject({
      '1': levelSchema,
      '2': levelSchema,
      '3': levelSchema,
      '4': levelSchema,
      '5': levelSchema,
    }),
  }),
  broad_test: z.int().min(1),
  kinds: z.strictObject(forEach(GAP_KINDS, kindSchema)),
  remarks: z.strictObject(forEach(REMARK_KINDS, remarkSchema)),
});

/** Types, obligations, link meanings, severities of the traceability engine, as `data/traceability.yaml` has them. */
export type TraceabilityRules = Readonly<z.output<typeof schema>>;

/**
 * Throws `DataError` with file and line for an unknown key, a missing kind, an unknown document type, or a
 * doubled wording.
 */
export function loadTraceabilityRules(data: DataFolder = BUILT_IN_DATA): Promise<TraceabilityRules> {
  return once(data, 'traceability rules', async () => {
    const file = await readDataFile(data, 'traceability.yaml', schema);
    await file.refuse([
      ...problemsOf(file.value),
      ...unknownOwners(file.value, await listDocumentTypeIds(data)),
    ]);
    return file.value;
  });
}

/** The link type that a wording stands for, and whether the ends have to be exchanged; case does not matter. */
export function linkOfWording(
  wording: string,
  rules: TraceabilityRules,
): { readonly type: LinkType; readonly inverse: boolean } | undefined {
  const plain = wording
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  const isIt = (word: string) => word.toLowerCase() === plain;
  for (const type of LINK_TYPES) {
    if (type.replaceAll('_', ' ') === plain || rules.links[type].wordings.some(isIt)) {
      return { type, inverse: false };
    }
    if (rules.links[type].inverse.some(isIt)) return { type, inverse: true };
  }
  return undefined;
}

function unknownOwners({ types }: TraceabilityRules, known: ReadonlySet<string>): DataProblem[] {
  return ARTIFACT_TYPES.flatMap((type) =>
    types[type].owners.flatMap((owner, at) => {
      if (known.has(owner)) return [];
      const problem = `There is no document type "${owner}"`;
      const remedy = 'Use the name of a file in document-types, without ".yaml".';
      return [{ path: ['types', type, 'owners', at], problem, remedy }];
    }),
  );
}

function problemsOf(rules: TraceabilityRules): DataProblem[] {
  const problems: DataProblem[] = [];
  for (const type of ARTIFACT_TYPES) {
    const [low, high] = rules.types[type].rank;
    if (low > high) {
      const problem = `The rank of "${type}" ends before it begins`;
      problems.push({ path: ['types', type, 'rank'], problem, remedy: 'Write the lower number first.' });
    }
  }
  const wordings = new Map<string, LinkType>();
  for (const type of LINK_TYPES) {
    for (const key of ['wordings', 'inverse'] as const) {
      for (const [index, word] of rules.links[type][key].entries()) {
        if (wordings.has(word.toLowerCase())) {
          const problem = `The wording "${word}" is there twice`;
          problems.push({ path: ['links', type, key, index], problem, remedy: 'Keep one of them.' });
        }
        wordings.set(word.toLowerCase(), type);
      }
    }
  }
  for (const kind of GAP_KINDS) {
    if (kind === 'AI-09' || !Object.values(rules.kinds[kind].severity).includes('info')) continue;
    const remedy = 'Write low, or none where there is no gap.';
    problems.push({
      path: ['kinds', kind, 'severity'],
      problem: `"${kind}" cannot be a mere remark`,
      remedy,
    });
  }
  return problems;
}

function forEach<Key extends string, Schema extends z.ZodType>(
  keys: readonly Key[],
  one: Schema,
): Record<Key, Schema> {
  return Object.fromEntries(keys.map((key) => [key, one])) as Record<Key, Schema>;
}
