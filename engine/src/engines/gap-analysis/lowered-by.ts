import type { CriterionVerdict, Finding } from '../../findings/finding.js';
import { observedOf, reasonOf } from '../../findings/said.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { INCONSISTENT } from './gap-findings.js';

const MOST_EVIDENCE = 8;

/** What does not fit together takes the best verdict from the content that it is about (traps T5 and T13). */
export function loweredBy(verdict: CriterionVerdict, contradictions: readonly Finding[]): CriterionVerdict {
  const own = contradictions.filter((finding) => finding.criterionId === verdict.criterionId);
  if (own.length === 0 || verdict.verdict !== 'covered') return verdict;
  return {
    ...verdict,
    verdict: 'partial',
    rules: [INCONSISTENT, ...own.map((finding) => finding.kind), ...verdict.rules],
    ...worded({
      reason: say('verdicts.but', { reason: reasonOf(verdict), observed: own.map(observedOf) }),
    }),
    evidence: [...own.flatMap((finding) => finding.evidence), ...verdict.evidence].slice(0, MOST_EVIDENCE),
  };
}
