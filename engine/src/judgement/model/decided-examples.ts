import { type Corpus, usableDocuments } from '../../corpus/corpus.js';
import type { SentPassage } from '../../models/language-model.js';
import type { PromptValues } from '../../models/prompt-template.js';
import type { Criterion } from '../../standards/criterion.js';
import { mayOrderModel } from '../../text/embedded-instruction.js';
import { sentPassageOf } from './pack-passages.js';

/** A difference between rules and model about a criterion that a person has decided. */
export interface DecidedOpinion {
  readonly criterionId: string;
  readonly byRules: string;
  readonly byModel: string;
  readonly isModelRight: boolean;
  /** The sentences that the model named. */
  readonly cited: readonly { readonly documentId: string; readonly quote: string }[];
}

/** A decided difference as a question shows it. */
export interface DecidedExample {
  readonly values: PromptValues;
  readonly sends: readonly SentPassage[];
}

/** As many of each kind, together at most. */
const MOST_EXAMPLES = 4;
/** A verdict that rests on more sentences is too long for an example. */
const MOST_SENTENCES = 3;

/** Verdicts of rules and model in the words of an answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  covered: 'covered',
  partial: 'partial',
  missing: 'missing',
  not_applicable: 'not_applicable',
  needs_review: 'cannot_tell',
};

/**
 * Gives the examples for a question about a criterion: as many where rules were right as where the model was, those of the
 * same criterion first, else in the order given. Only what a question of this run could hold: every sentence stands in a document
 * of the run that may be sent, in a passage that gives no orders.
 */
export function decidedExamples(
  decided: readonly DecidedOpinion[],
  {
    criteria,
    corpus,
    withheld = [],
  }: {
    readonly criteria: ReadonlyMap<string, Criterion>;
    readonly corpus: Corpus;
    readonly withheld?: readonly string[] | undefined;
  },
): (criterion: Criterion) => readonly DecidedExample[] {
  const sendable = new Set(
    usableDocuments(corpus)
      .map(({ id }) => id)
      .filter((id) => !withheld.includes(id)),
  );
  const usable = decided.flatMap((one) => {
    const { criterionId, byRules, byModel, isModelRight } = one;
    const about = criteria.get(criterionId)?.title;
    const answer = ANSWERS[isModelRight ? byModel : byRules];
    const quotes = new Map(one.cited.map((place) => [`${place.documentId} ${place.quote}`, place]));
    if (about === undefined || mayOrderModel(about) || answer === undefined || byRules === byModel) return [];
    if (quotes.size === 0 || quotes.size > MOST_SENTENCES) return [];
    const places = [...quotes.values()].map(({ documentId, quote }) => ({
      quote,
      sent: sendable.has(documentId) ? sentPassageOf(documentId, quote, corpus) : undefined,
    }));
    const sends = places.flatMap(({ sent }) => sent ?? []);
    if (sends.length < places.length) return [];
    const cited = places.map(({ quote }) => ({ read: quote }));
    return [{ criterionId, isModelRight, example: { values: { answer, about, cited }, sends } }];
  });
  return ({ id }) => {
    const nearest = [
      ...usable.filter(({ criterionId }) => criterionId === id),
      ...usable.filter(({ criterionId }) => criterionId !== id),
    ];
    const right = nearest.filter(({ isModelRight }) => isModelRight);
    const wrong = nearest.filter(({ isModelRight }) => !isModelRight);
    const each = Math.min(right.length, wrong.length, MOST_EXAMPLES / 2);
    return Array.from({ length: each }, (_, at) => [right[at]!.example, wrong[at]!.example]).flat();
  };
}
