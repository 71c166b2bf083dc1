import type { Confidence, CriterionVerdict, Verdict } from '../../findings/finding.js';
import { bySeverity } from '../../findings/severities.js';
import type { Criterion } from '../../standards/criterion.js';
import type { RulesSay } from './settle.js';

/** What rules say of a criterion, as far as it decides who wins. */
export function rulesSayOf({ verdict, confidence }: CriterionVerdict): RulesSay {
  if (verdict === 'not_applicable') return 'certain';
  if (verdict === 'needs_review') return 'needs_review';
  return confidence === 'high' ? 'certain' : verdict;
}

const UNCERTAIN: Readonly<Record<Verdict, number>> = {
  needs_review: 0,
  missing: 1,
  partial: 2,
  covered: 3,
  not_applicable: 4,
};
const UNSURE: Readonly<Record<Confidence, number>> = { low: 0, medium: 1, high: 2 };

/** The order in which criteria are asked: severe and unsure first, so that a budget that ends leaves the harmless ones. */
export const inOrderOfAsking = (
  criteria: readonly Criterion[],
  verdictOf: (criterion: Criterion) => CriterionVerdict,
): readonly Criterion[] =>
  [...criteria].sort((a, b) => {
    const [first, second] = [verdictOf(a), verdictOf(b)];
    return (
      bySeverity(a, b) ||
      UNCERTAIN[first.verdict] - UNCERTAIN[second.verdict] ||
      UNSURE[first.confidence] - UNSURE[second.confidence]
    );
  });
