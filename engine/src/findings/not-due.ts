import type { Sentence } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';
import type { Evidence } from './finding.js';
import { reasonOf } from './said.js';

/** Who says that something is not due, or not done in this project: the first rule of the answer. */
export const NOT_DUE_RULES = {
  /** A person said in which phase the project is. */
  phase: 'not-due-in-this-phase',
  /** A person said that it is not done. */
  person: 'tailored-out',
  /** A plan says that it is not done. */
  plan: 'out-of-scope-by-the-plan',
  /** A plan has its activity for later. */
  planned: 'not-due-by-the-plan',
} as const;

export type NotDueBecause = keyof typeof NOT_DUE_RULES;

/** What is not due, or not done in this project, one line for each reason: no finding, in no score and in no count. */
export interface NotDue {
  readonly because: NotDueBecause;
  readonly reason: string;
  /** Ids of criteria, items of checklists, sections (`<type>.<key>`) or artifacts. */
  readonly items: readonly string[];
  /** Where a document says it. */
  readonly evidence: readonly Evidence[];
  readonly said: { readonly reason: Sentence };
}

/** An answer that may be one that is not due. */
export interface AnswerWithReason {
  readonly id: string;
  readonly rules: readonly string[];
  readonly reason: string;
  readonly said?: { readonly reason: Sentence };
  readonly evidence: readonly Evidence[];
}

export const isNotDue = ({ rules }: { readonly rules: readonly string[] }): boolean =>
  becauseOf(rules) !== undefined;

const becauseOf = ([first]: readonly string[]): NotDueBecause | undefined =>
  (Object.keys(NOT_DUE_RULES) as NotDueBecause[]).find((one) => NOT_DUE_RULES[one] === first);

/** What of some answers is not due, by reason, in the order in which the reasons first come. */
export function notDueOf(answers: Iterable<AnswerWithReason>): readonly NotDue[] {
  const lines = new Map<string, NotDue & { readonly items: string[] }>();
  for (const { id, rules, reason, said, evidence } of answers) {
    const because = becauseOf(rules);
    if (because === undefined) continue;
    const known = lines.get(reason);
    if (known) known.items.push(id);
    else {
      const words = worded({ reason: reasonOf({ reason, ...(said ? { said } : {}) }) });
      lines.set(reason, { because, items: [id], evidence, ...words });
    }
  }
  return [...lines.values()];
}
