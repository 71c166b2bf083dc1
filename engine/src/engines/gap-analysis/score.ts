import type { Agreement } from '../../contradictions/agreement.js';
import type { CriterionVerdict, Severity, Verdict } from '../../findings/finding.js';
import { isOnlyNear } from '../../judgement/judge-text.js';
import type { Criterion } from '../../standards/criterion.js';
import { INCONSISTENT } from './gap-findings.js';

/** Weights of domain D.3. */
export const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = {
  critical: 8,
  high: 5,
  medium: 3,
  low: 1,
};
/** What a verdict is worth of the weight of its criterion. */
export const VERDICT_VALUE: Readonly<Record<Verdict, number>> = {
  covered: 1,
  partial: 0.5,
  missing: 0,
  needs_review: 0,
  not_applicable: 0,
};

/** How much of the demands is shown; never to be shown without the counts of verdicts. */
export interface Score {
  /** 0 to 100: `shown` times `agreement`; what a person still has to decide counts as not shown. Null when nothing applies. */
  readonly value: number | null;
  /** The same if everything that a person still has to decide turned out to be met. */
  readonly upTo: number | null;
  /** Weighted share of the criteria that apply and are met, 0 to 100. */
  readonly shown: number | null;
  /** How far the documents that show it agree with themselves. */
  readonly agreement: Agreement;
}

/**
 * Weighted share of the criteria that apply and are met, groups and not applicable ones left out, times the agreement of the
 * documents: evidence that contradicts itself shows less (decision 295). What only contradictions lowered counts as met before them.
 * Clauses of which only nearness is known stand outside; where they are more than half of the weight there is no score (decision 300).
 */
export function scoreOf(
  verdicts: readonly Pick<CriterionVerdict, 'criterionId' | 'verdict' | 'rules'>[],
  criteria: ReadonlyMap<string, Criterion>,
  agreement: Agreement,
): Score {
  let all = 0;
  let met = 0;
  let open = 0;
  let outside = 0;
  for (const { criterionId, verdict, rules } of verdicts) {
    if (verdict === 'not_applicable') continue;
    const weight = SEVERITY_WEIGHT[criteria.get(criterionId)!.severity];
    if (isOnlyNear({ verdict, rules })) {
      outside += weight;
      continue;
    }
    all += weight;
    met += weight * (rules[0] === INCONSISTENT ? VERDICT_VALUE.covered : VERDICT_VALUE[verdict]);
    if (verdict === 'needs_review') open += weight;
  }
  if (all === 0 || outside > all) return { value: null, upTo: null, shown: null, agreement };
  const share = (part: number, of = 100) => Math.round((part / all) * of * 10) / 10;
  return {
    value: share(met, agreement.value),
    upTo: share(met + open, agreement.value),
    shown: share(met),
    agreement,
  };
}
