import type { JudgedItem } from './checklists.js';
import type { JudgedVerdict } from './verdicts.js';

/** From the surest down. */
const CLASSES = ['high', 'medium', 'low'] as const;

/** Answers of one kind that were given with one confidence, and how many of them are right. */
export interface ConfidenceClass {
  readonly source: string;
  readonly confidence: (typeof CLASSES)[number];
  readonly answers: number;
  readonly right: number;
}

/** An answer that a person has judged as well. */
export interface JudgedAnswer {
  readonly confidence: (typeof CLASSES)[number];
  readonly isRight: boolean;
}

/** The classes of one kind of answers, the surest first; those that have no answer are left out. */
export function confidenceClasses(
  source: string,
  answers: readonly JudgedAnswer[],
): readonly ConfidenceClass[] {
  return CLASSES.flatMap((confidence) => {
    const own = answers.filter((answer) => answer.confidence === confidence);
    const right = own.filter(({ isRight }) => isRight).length;
    return own.length === 0 ? [] : [{ source, confidence, answers: own.length, right }];
  });
}

/** Fewer answers say nothing about a class. */
const FEWEST = 5;

/** Pairs of one kind, each of so many answers, where the surer class is less often right: confidence that says nothing, or the opposite. */
export function misleadingClasses(
  classes: readonly ConfidenceClass[],
  fewest: number = FEWEST,
): readonly { readonly surer: ConfidenceClass; readonly lower: ConfidenceClass }[] {
  const share = ({ right, answers }: ConfidenceClass) => right / answers;
  const telling = classes.filter(({ answers }) => answers >= fewest);
  return telling.flatMap((surer, at) =>
    telling
      .slice(at + 1)
      .filter((lower) => lower.source === surer.source && share(surer) < share(lower))
      .map((lower) => ({ surer, lower })),
  );
}

/** Verdicts that say something, on clauses of uploaded standards: in part is right where a person found evidence. */
export function verdictAnswers(judged: readonly JudgedVerdict[]): readonly JudgedAnswer[] {
  return judged
    .filter(({ verdict }) => verdict !== 'needs_review' && verdict !== 'not_applicable')
    .map(({ verdict, confidence, covered }) => ({
      confidence,
      isRight: (verdict === 'missing') !== covered,
    }));
}

/** Answers to items that an inspector has answered; what is left undecided is no answer. */
export function checklistAnswers(judged: readonly JudgedItem[]): readonly JudgedAnswer[] {
  return judged
    .filter(({ truth, verdict }) => truth !== undefined && verdict !== 'undecided')
    .map(({ truth, verdict, confidence }) => ({
      confidence,
      isRight: (verdict === 'missing' ? 'fail' : verdict) === truth,
    }));
}
