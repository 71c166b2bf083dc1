import { z } from 'zod';
import type { AsilLevel } from '../asil/asil.js';
import type { Corpus } from '../corpus/corpus.js';
import type { PhraseIndex } from '../corpus/mentions.js';
import type { ItemRecord } from '../facts/artifacts/records.js';
import type { Evidence, Finding } from '../findings/finding.js';
import { fingerprint } from '../findings/fingerprint.js';
import { ownerOf } from '../findings/recommendations.js';
import { type ConsistencyKind, gradeConsistency } from '../findings/severity.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';
import type { Criterion, Standard } from '../standards/criterion.js';
import { listSchema, readTable } from '../words/read-words.js';

const placeSchema = z.strictObject({
  columns: listSchema,
  documentTypes: listSchema,
  traceRule: z.string().optional(),
});
const schema = z.strictObject({
  rules: z.strictObject({
    'asil-recomputed': placeSchema,
    'safety-goal-asil': placeSchema,
    'requirement-asil': placeSchema,
    'goal-without-requirement': placeSchema,
    'same-id-other-asil': placeSchema,
    'decomposition-without-dfa': placeSchema,
    'claim-against-counts': placeSchema,
    'other-build': placeSchema,
    'risk-not-reproducible': placeSchema,
    'retained-without-claim': placeSchema,
    'feasibility-without-parameters': placeSchema,
  }),
});

export type ConsistencyRuleName = keyof z.output<typeof schema>['rules'];

/** Every rule, by the name that data refer to. */
export const consistencyRuleNames = () => Object.keys(schema.shape.rules.shape) as ConsistencyRuleName[];

/** The fact that a contradiction is about, named as the trace names it where it has the same rule. */
export function factOf({ rule, item }: Pick<Inconsistency, 'rule' | 'item'>): string {
  return `${readTable('consistency', schema).rules[rule].traceRule ?? rule} ${item}`;
}

/** What consistency rules look at. */
export interface ConsistencyContext {
  readonly corpus: Corpus;
  readonly records: readonly ItemRecord[];
  readonly index: PhraseIndex;
}

/** Two places of the documents that do not fit together, or one that lacks what it needs. */
export interface Inconsistency {
  readonly rule: ConsistencyRuleName;
  readonly kind: ConsistencyKind;
  /** The item that is wrong: the identity of the finding. */
  readonly item: string;
  readonly asil?: AsilLevel;
  /** Risk value of the threat, 1 to 5, where the documents state one: the higher one of two. */
  readonly risk?: number;
  readonly confidence: Finding['confidence'];
  /** At most twelve words. */
  readonly title: Sentence;
  readonly expected: Sentence;
  readonly observed: Sentence;
  readonly whyItMatters: Sentence;
  /** Verb, object, content, place; owner and acceptance are added. */
  readonly recommendation: Sentence;
  readonly doneWhen: Sentence;
  readonly affectedItems: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** The criterion of a standard that a rule belongs to; undefined when the standard does not ask for it. */
export function criterionOfRule(rule: ConsistencyRuleName, standard: Standard): Criterion | undefined {
  const place = readTable('consistency', schema).rules[rule];
  const byColumn = place.columns
    .map((column) => standard.criteria.find((criterion) => criterion.lookFor?.columns?.includes(column)))
    .find((criterion) => criterion !== undefined);
  if (byColumn) return byColumn;
  return place.documentTypes
    .map((type) =>
      standard.criteria.find(
        (criterion) => criterion.kind === 'work_product' && criterion.documentTypes?.includes(type),
      ),
    )
    .find((criterion) => criterion !== undefined);
}

/** A finding for an inconsistency, or undefined when the standard does not ask for it. */
export function consistencyFinding(found: Inconsistency, standard: Standard): Finding | undefined {
  const criterion = criterionOfRule(found.rule, standard);
  if (!criterion) return undefined;
  const { severity, reasons } = gradeConsistency(found.kind, found.asil);
  const types = readTable('consistency', schema).rules[found.rule].documentTypes;
  return {
    fingerprint: fingerprint(found.rule, criterion.id, found.item),
    kind: found.rule.replaceAll('-', '_'),
    criterionId: criterion.id,
    standardRef: `${standard.designation}, ${criterion.clause}`,
    severity,
    confidence: found.confidence,
    ...integrityOf(found),
    effortHint: 'hours',
    affectedItems: found.affectedItems,
    evidence: found.evidence,
    ...worded({
      title: found.title,
      severityReasons: reasons,
      expected: found.expected,
      observed: found.observed,
      whyItMatters: found.whyItMatters,
      recommendation: say('findings.recommendation', {
        action: found.recommendation,
        owner: ownerOf(types),
        done: found.doneWhen,
      }),
    }),
  };
}

/** As gaps of the trace state it: an ASIL, else a risk value. */
function integrityOf({ asil, risk }: Inconsistency): Pick<Finding, 'asil'> {
  if (asil !== undefined) return { asil };
  return risk === undefined ? {} : { asil: `risk ${risk}` };
}
