import type { Confidence, Verdict } from '../../findings/finding.js';

/** What rules said, as far as it decides who wins. */
export type RulesSay =
  /** Covered, partial or missing with high confidence, not applicable, or waiting for something that no sentence answers. */
  'certain' | 'covered' | 'partial' | 'needs_review' | 'missing';
export const RULES_SAY = [
  'certain',
  'covered',
  'partial',
  'needs_review',
  'missing',
] as const satisfies readonly RulesSay[];

/** What a model said after all checks; `none` where it could not tell, could not be read or was not asked. */
export const MODEL_SAYS = ['covered', 'partial', 'missing', 'none'] as const;
export type ModelSays = (typeof MODEL_SAYS)[number];

export interface Opinions {
  readonly rules: RulesSay;
  readonly model: ModelSays;
  /** The critic, who saw the cited sentences only, came to the same. */
  readonly criticAgrees: boolean;
  /** Each part of the demand has a citation that passed the checks. */
  readonly everyPartCited: boolean;
  /** The model saw a sentence that gave orders. */
  readonly orders: boolean;
  /** ASIL C or D, risk 4 or 5: no model closes anything here. */
  readonly grave: boolean;
  /** The criterion's absence is high or critical. */
  readonly severe: boolean;
  /** What rules could not see or read may hold it: nothing may be called missing. */
  readonly partlySeen: boolean;
}

/** Who wins. `rules`: verdict and confidence stay as they are. */
export type Settlement =
  | { readonly by: 'rules' }
  | {
      readonly by: 'model' | 'both' | 'person';
      readonly verdict: Exclude<Verdict, 'not_applicable'>;
      readonly confidence: Confidence | 'rules';
      /** A person has to confirm it before it counts. */
      readonly confirm?: true;
    };

const RULES: Settlement = { by: 'rules' };
const PERSON: Settlement = { by: 'person', verdict: 'needs_review', confidence: 'low' };

/**
 * Who wins where rules and a model differ: a table, one row for what rules say. Raising needs more than lowering: the
 * critic, every part cited, no orders; what rules call a gap is closed only until a person has seen it.
 */
export function settle(opinions: Opinions): Settlement {
  const { rules, model, criticAgrees, everyPartCited, orders, grave, severe, partlySeen } = opinions;
  if (rules === 'certain' || model === 'none') return RULES;
  const mayRaise = criticAgrees && !orders;
  const mayCover = mayRaise && everyPartCited;
  if (rules === 'covered') {
    if (model === 'covered') return { by: 'both', verdict: 'covered', confidence: 'rules' };
    if (!criticAgrees) return RULES;
    return model === 'partial' ? { by: 'model', verdict: 'partial', confidence: 'low' } : PERSON;
  }
  if (rules === 'partial') {
    if (model === 'missing') return PERSON;
    if (model === 'covered' && mayCover)
      return { by: 'model', verdict: 'covered', confidence: 'low', confirm: true };
    return { by: 'both', verdict: 'partial', confidence: 'rules' };
  }
  if (rules === 'needs_review') {
    if (model === 'missing')
      return partlySeen ? RULES : { by: 'model', verdict: 'missing', confidence: 'low' };
    if (model === 'covered' && mayCover)
      return grave && severe ? RULES : { by: 'model', verdict: 'covered', confidence: 'low' };
    if (model === 'partial' && mayRaise) return { by: 'model', verdict: 'partial', confidence: 'low' };
    return RULES;
  }
  if (model === 'missing') return { by: 'both', verdict: 'missing', confidence: 'medium' };
  if (model === 'covered' && mayCover)
    return grave ? PERSON : { by: 'model', verdict: 'covered', confidence: 'low', confirm: true };
  if (model === 'partial' && mayRaise)
    return { by: 'model', verdict: 'partial', confidence: 'low', confirm: true };
  return RULES;
}
