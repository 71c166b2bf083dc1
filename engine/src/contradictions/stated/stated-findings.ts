import { z } from 'zod';
import type { Corpus } from '../../corpus/corpus.js';
import { statedFacts } from '../../facts/stated/stated-facts.js';
import type { Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradeConsistency } from '../../findings/severity.js';
import { deniedOf, REUSED_IDS, rationalesOf, traceOf, VERSIONS } from '../../findings/subject.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion, Standard } from '../../standards/criterion.js';
import { listSchema, readTable } from '../../words/read-words.js';
import { AFTER_OTHERS, STATED_RULES } from './registry.js';
import type { StatedContradiction } from './stated-rule.js';

const schema = z.strictObject({
  /** Of types that no work product of a standard is, the one whose place they take. */
  standIns: z.record(z.string(), z.string()),
  rules: z.record(
    z.string(),
    z.strictObject({
      /** Where the finding belongs: the work product of the first of these types that the document is, else of the first. */
      documentTypes: listSchema.min(1),
      kind: z.enum(['contradiction', 'content', 'version_mismatch', 'independence', 'asil_too_low', 'note']),
      traceRule: z.string().optional(),
      /** What its findings are told with, as one thing to decide. */
      cause: z.enum(['rationales', 'versions', 'reused_ids', 'denied']).optional(),
    }),
  ),
});
/** Rules by name: where their findings belong and how they are graded. */
export const statedRulePlaces = () => readTable('contradictions', schema).rules;

const known = new WeakMap<Corpus, readonly StatedContradiction[]>();

/** What the stated facts contradict, whatever standard asks for it; worked out once for a corpus. */
export function statedContradictions(corpus: Corpus): readonly StatedContradiction[] {
  const before = known.get(corpus);
  if (before) return before;
  const facts = statedFacts(corpus);
  const found: StatedContradiction[] = [];
  for (const rule of STATED_RULES) {
    const told = rule({ corpus, facts });
    found.push(...(AFTER_OTHERS.has(rule) ? told.filter((one) => !isToldBy(one, found)) : told));
  }
  known.set(corpus, found);
  return found;
}

/** Two of its places are places of one that is told already. */
function isToldBy({ evidence }: StatedContradiction, told: readonly StatedContradiction[]): boolean {
  return told.some((one) => {
    const places = evidence.filter(({ documentId, start, end }) =>
      one.evidence.some((place) => place.documentId === documentId && place.start < end && start < place.end),
    );
    return places.length > 1;
  });
}

/** The same as findings, as far as the standard has the work product that they belong to. */
export function statedFindings(corpus: Corpus, standard: Standard): readonly Finding[] {
  return statedContradictions(corpus).flatMap((found) => findingOf(found, corpus, standard) ?? []);
}

function findingOf(found: StatedContradiction, corpus: Corpus, standard: Standard): Finding | undefined {
  const place = statedRulePlaces()[found.rule];
  if (!place) throw new Error(`data/contradictions.yaml has no rule "${found.rule}".`);
  const criterion = criterionOf(found, place.documentTypes, { corpus, standard });
  if (!criterion) return undefined;
  const { severity, reasons } = gradeConsistency(place.kind, found.asil);
  const said = (part: string): Sentence => ({ key: `stated.${found.rule}.${part}`, values: found.words });
  return {
    fingerprint: fingerprint(found.rule, criterion.id, found.item),
    kind: found.rule.replaceAll('-', '_'),
    criterionId: criterion.id,
    standardRef: `${standard.designation}, ${criterion.clause}`,
    severity,
    confidence: found.confidence,
    ...(found.asil === undefined ? {} : { asil: found.asil }),
    effortHint: 'hours',
    affectedItems: found.affected,
    evidence: found.evidence,
    ...subjectOf(place, found),
    ...worded({
      title: said('title'),
      severityReasons: reasons,
      expected: said('expected'),
      observed: said('observed'),
      whyItMatters: said('why'),
      recommendation: say('findings.recommendation', {
        action: said('action'),
        owner: ownerOf(place.documentTypes),
        done: said('done'),
      }),
    }),
  };
}

function subjectOf(
  { traceRule, cause }: ReturnType<typeof statedRulePlaces>[string],
  { evidence }: StatedContradiction,
): Pick<Finding, 'subject'> {
  if (traceRule !== undefined) return { subject: traceOf('asil_inconsistency', traceRule) };
  if (cause === 'versions') return { subject: VERSIONS };
  if (cause === 'reused_ids') return { subject: REUSED_IDS };
  if (cause === 'denied') return evidence[0] ? { subject: deniedOf(evidence[0]) } : {};
  return cause && evidence[0] ? { subject: rationalesOf(evidence[0].documentId) } : {};
}

/**
 * Of several documents that are wrong the first place tells where it belongs, so that one standard in a series tells it: a type that no
 * work product of this standard is has one that stands for it.
 */
function criterionOf(
  { evidence }: StatedContradiction,
  types: readonly string[],
  { corpus, standard }: { readonly corpus: Corpus; readonly standard: Standard },
): Criterion | undefined {
  const document = corpus.documents.find(({ id }) => id === evidence[0]?.documentId);
  const is = new Set(document?.parts.map(({ typeId }) => typeId));
  const home = types.find((type) => is.has(type)) ?? types[0]!;
  const standIn = readTable('contradictions', schema).standIns[home];
  return [home, ...(standIn === undefined ? [] : [standIn])]
    .map((type) =>
      standard.criteria.find(
        (criterion) => criterion.kind === 'work_product' && criterion.documentTypes?.[0] === type,
      ),
    )
    .find((criterion) => criterion !== undefined);
}
