import type { Asking, NoAnswer } from '../models/asking.js';
import { modelWords } from '../models/read-answer.js';
import { mayOrderModel } from '../text/embedded-instruction.js';

/** What is asked of a requirement, one question each. */
export const REQUIREMENT_AXES = {
  unambiguous: 'Can every word and reference be understood in one way only?',
  verifiable: 'Can it be decided by a test, an analysis or an inspection whether it is met?',
  single: 'Does it demand one thing only?',
  conditions: 'Is it said under which conditions, in which mode or state it holds, where that matters?',
} as const;
export type RequirementAxis = keyof typeof REQUIREMENT_AXES;

/** A requirement as a document states it. */
export interface RatedText {
  readonly id: string;
  readonly text: string;
  readonly documentId: string;
  /** Of the passage that it stands in. */
  readonly passageId?: string;
}

/** What a model said of one requirement along one axis; advice that changes no verdict. */
export interface RequirementRating<Rated extends RatedText = RatedText> {
  readonly id: string;
  readonly of: Rated;
  readonly axis: RequirementAxis;
  /** 0 (cannot be understood) to 3 (nothing to say against it); absent where the model could not tell. */
  readonly score?: 0 | 1 | 2 | 3;
  /** The words that are to blame, as the requirement has them: half-open ranges in its text. */
  readonly words: readonly { readonly start: number; readonly end: number }[];
  readonly reason?: string;
  readonly because?: NoAnswer;
}

/** Asks how requirements are written. A score below 3 without a word that is to blame counts as not told. */
export async function rateRequirements<Rated extends RatedText>(
  requirements: readonly Rated[],
  { asking }: { readonly asking: Asking },
): Promise<readonly RequirementRating<Rated>[]> {
  const { use: model } = asking;
  const asked = requirements
    .filter(({ documentId, text }) => !model.withheld?.includes(documentId) && !mayOrderModel(text))
    .flatMap((one) =>
      (Object.keys(REQUIREMENT_AXES) as RequirementAxis[]).map((axis) => ({
        of: one,
        axis,
        places: [...one.text.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
          start: index,
          end: index + word.length,
        })),
      })),
    );
  const answers = await asking.ask(
    asked.map(({ of: { id, text, documentId, passageId }, axis, places }) => ({
      task: 'requirement' as const,
      values: {
        question: REQUIREMENT_AXES[axis],
        words: places.map(({ start, end }, at) => ({ id: `w${at + 1}`, word: text.slice(start, end) })),
      },
      sends: [{ documentId, passageId: passageId ?? id }],
    })),
  );
  return asked.map(({ of, axis, places }, at): RequirementRating<Rated> => {
    const { id } = of;
    const given = answers[at]!;
    if ('failed' in given) return { id, of, axis, words: [], because: given.failed };
    const { score, words, because } = given.answer;
    const named = [...new Set(words)].flatMap(
      (word) => places[Number(/^w(\d+)$/.exec(word)?.[1] ?? 0) - 1] ?? [],
    );
    const isTold = score !== 'cannot_tell' && (score === '3' || named.length > 0);
    if (!isTold) return { id, of, axis, words: [] };
    return {
      id,
      of,
      axis,
      score: Number(score) as 0 | 1 | 2 | 3,
      words: score === '3' ? [] : named,
      reason: modelWords(because),
    };
  });
}
