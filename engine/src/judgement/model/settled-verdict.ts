import type { Confidence, CriterionVerdict, Evidence, Verdict } from '../../findings/finding.js';
import type { PartState } from '../../models/answer-schemas.js';
import { MODEL_FAILURES } from '../../models/language-model.js';
import type { Sentence } from '../../sentences/sentence.js';
import type { ModelSays } from './settle.js';

/** Why rules decided alone. */
export const RULES_ALONE = [
  /** Rules are certain: the model is not asked. */
  'certain',
  /** Statements contradict each other: a person has to decide which holds. */
  'contradiction',
  /** The words of the standard may not be sent. */
  'licence',
  /** No passage may be sent. */
  'nothing_to_send',
  /** The model could not tell. */
  'cannot_tell',
  /** The same sentences in another order gave another verdict. */
  'unstable',
  /** The documents do not say whether the demand's condition holds. */
  'condition_open',
  /** No answer could be read, nor when asked again. */
  'unreadable',
  ...MODEL_FAILURES,
] as const;
export type RulesAlone = (typeof RULES_ALONE)[number];

/** What a model said of one part of a demand, after the checks. */
export interface PartOpinion {
  readonly part: string;
  readonly state: PartState;
  /** The model's own words, cut and without markup; no words of a document. */
  readonly because: string;
  readonly evidence: readonly Evidence[];
}

/** What a model said of a criterion, after the checks. */
export interface ModelOpinion {
  readonly verdict: ModelSays;
  readonly parts: readonly PartOpinion[];
  /** The model's own words about what is missing. */
  readonly missing: string;
  /** Rules of checks that changed what it said: `unknown-id`, `T3-intent`, `verdict-differs`, `orders`, … */
  readonly rules: readonly string[];
}

/** How the verdict on one criterion came about where a model was there. */
export interface SettledVerdict {
  readonly criterionId: string;
  readonly verdict: Verdict;
  readonly confidence: Confidence;
  readonly byRules: CriterionVerdict;
  readonly byModel?: ModelOpinion;
  /** Whether the critic, who saw the cited sentences only, came to the same; absent where it was not asked. */
  readonly criticAgrees?: boolean;
  readonly settledBy: 'rules' | 'model' | 'both' | 'person';
  /** Where rules decided alone: why. */
  readonly because?: RulesAlone;
  /** What became of the verdict of the rules. */
  readonly outcome: 'same' | 'raised' | 'lowered' | 'listed' | 'abstained';
  /** A person has to confirm it before it counts. */
  readonly confirm?: true;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly said?: { readonly reason: Sentence };
}
