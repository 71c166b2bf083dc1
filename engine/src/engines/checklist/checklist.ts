import type { Check } from './check.js';
import type { ChecklistHead, ChecklistQuestion } from './question.js';

/** One item of a checklist: a question and what answers it. */
export interface ChecklistItem extends ChecklistQuestion {
  /** All of them have to pass. Without any the text itself is looked for, and a person confirms. */
  readonly checks: readonly Check[];
}

export interface Checklist extends ChecklistHead {
  readonly items: readonly ChecklistItem[];
}
