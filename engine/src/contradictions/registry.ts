import { asilRecomputed, decompositionWithoutDfa, sameIdOtherAsil } from './asil-rules.js';
import { claimsAgainstCounts, otherBuild } from './claim-rules.js';
import type { ConsistencyRule, Contradiction } from './contradiction.js';
import { goalWithoutRequirement, requirementAsil, requirementBracket, safetyGoalAsil } from './goal-rules.js';
import { feasibilityWithoutParameters, retainedWithoutClaim, riskNotReproducible } from './risk-rules.js';

/**
 * Every rule by the name that data refer to. A new one is a function here, its place in `data/consistency.yaml` and its words
 * in `data/texts/contradictions`; `CONTRIBUTING.md` tells how.
 */
export const RULES = {
  'asil-recomputed': asilRecomputed,
  'safety-goal-asil': safetyGoalAsil,
  'requirement-asil': requirementAsil,
  'requirement-bracket': requirementBracket,
  'goal-without-requirement': goalWithoutRequirement,
  'same-id-other-asil': sameIdOtherAsil,
  'decomposition-without-dfa': decompositionWithoutDfa,
  'claim-against-counts': claimsAgainstCounts,
  'other-build': otherBuild,
  'risk-not-reproducible': riskNotReproducible,
  'retained-without-claim': retainedWithoutClaim,
  'feasibility-without-parameters': feasibilityWithoutParameters,
} as const satisfies Readonly<Record<string, ConsistencyRule>>;

export type ConsistencyRuleName = keyof typeof RULES;
export const CONSISTENCY_RULES = Object.keys(RULES) as ConsistencyRuleName[];

/** A contradiction with the rule that found it. */
export interface Inconsistency extends Contradiction {
  readonly rule: ConsistencyRuleName;
}
