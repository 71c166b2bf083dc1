import { subjectOfRule } from '../../contradictions/consistency-finding.js';
import { CONSISTENCY_RULES, type ConsistencyRuleName } from '../../contradictions/registry.js';
import { partsOfTypes } from '../../corpus/corpus.js';
import type { Finding } from '../../findings/finding.js';
import { contentOf, NOT_GIVEN, rationalesOf, rowsOf, traceOf } from '../../findings/subject.js';
import { type LeafCheck, leavesOf } from './check.js';
import type { ChecklistItem } from './checklist.js';
import type { ItemResult } from './checklist-analysis.js';
import type { ItemContext } from './context.js';

/** Rules of answers about a document, or a record about one, that is not there. */
export const NOT_THERE: ReadonlySet<string> = new Set([
  'no-document-of-the-type',
  'no-record',
  'nothing-to-compare',
]);
/** Checks that compare statements: what they find is a fact of its own, however many items it concerns. */
const OF_FACTS: ReadonlySet<LeafCheck['check']> = new Set([
  'agreement',
  'consistency',
  'decompositions',
  'evidence_resolves',
  'goal_levels',
  'independence',
  'linked_values',
  'person_named',
  'results',
]);
/** Rules of such checks that say what the document does not show. */
const OF_SILENCE: ReadonlySet<string> = new Set([
  'role-without-person',
  'role-not-named',
  'independence-not-stated',
  'section-missing',
]);
const isConsistencyRule = (rule: string): rule is ConsistencyRuleName =>
  (CONSISTENCY_RULES as readonly string[]).includes(rule);
type CoverageCheck = Extract<LeafCheck, { check: 'coverage' }>;
/** Kinds of gap of the trace by the relation that a check of coverage demands. */
const OF_RELATION = {
  parent: ['orphan_upstream', 'no_parent'],
  child: ['orphan_downstream', 'not_refined_nor_allocated'],
  verification: ['missing_verification', 'none'],
} as const;

/** What a bad answer is about, where the other analyses tell it, too. */
export function subjectOf(
  item: ChecklistItem,
  { verdict, rules, affectedItems, evidence }: ItemResult,
  { checklist, corpus, trace }: ItemContext,
): Pick<Finding, 'subject'> {
  const checks = leavesOf(item.checks);
  const types = item.documentTypes.length > 0 ? item.documentTypes : checklist.about.documentTypes;
  const [home] = partsOfTypes(corpus, types);
  if (verdict === 'missing' && (!home || rules.some((rule) => NOT_THERE.has(rule))))
    return { subject: NOT_GIVEN };
  const rule = rules.find((one) => /^AI-\d+/.test(one));
  if (rule !== undefined) return { subject: traceOf('asil_inconsistency', rule) };
  const consistency = rules.find(isConsistencyRule);
  if (consistency !== undefined) {
    const told = subjectOfRule(consistency);
    if (told.subject !== undefined) return told;
  }
  for (const check of checks) {
    if (check.check !== 'coverage') continue;
    if (verdict === 'missing' && trace.ofTypes(check.of).length === 0) return { subject: NOT_GIVEN };
    return isNotGiven(check, affectedItems, trace) ? { subject: NOT_GIVEN } : coverageSubject(check);
  }
  const isSilent = rules.some((rule) => OF_SILENCE.has(rule));
  if (!isSilent && checks.some(({ check }) => OF_FACTS.has(check))) return {};
  if (!home) {
    // Its statements stand in a document of another kind.
    const stands = new Set(evidence.map(({ documentId }) => documentId));
    return checks.some(({ check }) => check === 'each_says') && stands.size === 1
      ? { subject: contentOf([...stands][0]!) }
      : {};
  }
  if (rules.includes('column-too-short') && checks.some((check) => check.check === 'column' && check.reasons))
    return { subject: rationalesOf(home.documentId) };
  const isAboutRows = verdict === 'fail' && checks.some(({ check }) => check === 'column');
  return {
    subject: isAboutRows && affectedItems.length > 0 ? rowsOf(home.documentId) : contentOf(home.documentId),
  };
}

/** Nothing that could be linked is among the documents, or nothing is missing that the trace counts as a defect of its own. */
function isNotGiven(
  { relation, to }: CoverageCheck,
  affected: readonly string[],
  { gaps, ofTypes }: ItemContext['trace'],
): boolean {
  if (to && ofTypes(to).length === 0) return true;
  const kind = OF_RELATION[relation as keyof typeof OF_RELATION]?.[1];
  return (
    affected.length > 0 &&
    affected.every((id) =>
      gaps
        .get(id)
        ?.some((gap) => gap.kind === kind && gap.because !== undefined && gap.because !== 'no_link_read'),
    )
  );
}

function coverageSubject({ of, relation }: CoverageCheck): Pick<Finding, 'subject'> {
  // Goals without requirements and requirements without goals are one cause of the trace.
  if (relation === 'child' && of.includes('safety_goal'))
    return { subject: traceOf('orphan_downstream', 'no_fsr') };
  if (relation === 'parent' && of.includes('functional_safety_requirement'))
    return { subject: traceOf('orphan_downstream', 'no_fsr') };
  const kind = OF_RELATION[relation as keyof typeof OF_RELATION];
  return kind ? { subject: traceOf(kind[0], kind[1]) } : {};
}
