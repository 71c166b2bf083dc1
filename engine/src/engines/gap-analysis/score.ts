import type { CriterionVerdict, Severity, Verdict } from '../../findings/finding.js';
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
  /** 0 to 100; what a person still has to decide counts as not shown. Null when nothing applies. */
  readonly value: number | null;
  /** The same if everything that a person still has to decide turned out to be met. */
  readonly upTo: number | null;
}

/**
 * Weighted share of the criteria that apply and are met; groups and not applicable ones are left out. Of what a
 * criterion is worth each contradiction about it takes a further share: one leaves a half, two a third, three a
 * quarter (`contradictions` has one entry for each).
 */
export function scoreOf(
  verdicts: readonly CriterionVerdict[],
  criteria: ReadonlyMap<string, Criterion>,
  contradictions: readonly { readonly criterionId: string }[] = [],
): Score {
  const against = new Map<string, number>();
  for (const { criterionId } of contradictions) against.set(criterionId, (against.get(criterionId) ?? 0) + 1);
  let all = 0;
  let met = 0;
  let open = 0;
  for (const { criterionId, verdict, rules } of verdicts) {
    if (verdict === 'not_applicable') continue;
    const weight = SEVERITY_WEIGHT[criteria.get(criterionId)!.severity];
    all += weight;
    // What only contradictions lowered was met before them.
    const value = rules[0] === INCONSISTENT ? VERDICT_VALUE.covered : VERDICT_VALUE[verdict];
    met += (weight * value) / (1 + (against.get(criterionId) ?? 0));
    if (verdict === 'needs_review') open += weight;
  }
  if (all === 0) return { value: null, upTo: null };
  const share = (part: number) => Math.round((part / all) * 1000) / 10;
  return { value: share(met), upTo: share(met + open) };
}
