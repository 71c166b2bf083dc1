import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { figuresOf, type JudgedItem } from './checklists.js';
import type { ChecklistCase } from './gold-checklists.js';

interface Question {
  readonly id: string;
  /** What the question in the words of its list holds, where an id asks several things. */
  readonly contains?: string;
  readonly text: string;
}

const FILE = new URL('../reworded-questions.yaml', import.meta.url);

/** The same cases with every question in other words and without guidance; items that nobody reworded are left out. */
export function reworded(cases: readonly ChecklistCase[]): readonly ChecklistCase[] {
  const { questions } = parse(readFileSync(FILE, 'utf8')) as { readonly questions: readonly Question[] };
  return cases.map(({ items, ...one }) => ({
    ...one,
    items: items.flatMap(({ id, text, truth }) => {
      const found = questions.find(
        (question) =>
          question.id === id && (question.contains === undefined || text.includes(question.contains)),
      );
      return found ? [{ id, text: found.text, truth }] : [];
    }),
  }));
}

/** What becomes of decisions when questions are said in other words. */
export interface RewordedFigures {
  /** Decisions of rules that were right in the words of the lists, and how many of them are right in other words. */
  readonly right: number;
  readonly kept: number;
  /** Wrong ones that no person has to confirm and that were not given before. */
  readonly wrongCertain: readonly string[];
}

/** Items that got an answer which needs no person are decisions. */
export function rewordedFigures(
  before: readonly JudgedItem[],
  after: readonly JudgedItem[],
): RewordedFigures {
  const isDecided = ({ truth, needsConfirmation, verdict }: JudgedItem) =>
    truth !== undefined && !needsConfirmation && verdict !== 'undecided';
  const isRight = (item: JudgedItem) => isDecided(item) && figuresOf([item]).accuracy === 1;
  const keyOf = ({ case: name, id }: JudgedItem) => `${name} ${id}`;
  const inOtherWords = new Map(after.map((item) => [keyOf(item), item]));
  const pairs = before.flatMap((item) => {
    const other = inOtherWords.get(keyOf(item));
    return other ? [[item, other] as const] : [];
  });
  const right = pairs.filter(([item]) => isRight(item));
  return {
    right: right.length,
    kept: right.filter(([, other]) => isRight(other)).length,
    wrongCertain: pairs
      .filter(([item, other]) => isDecided(other) && !isRight(other) && (isRight(item) || !isDecided(item)))
      .map(([item]) => keyOf(item)),
  };
}

/** At least so much of what was right has to stay right. */
const LEAST_KEPT = 0.8;

/** Whether decisions hang on the words of the questions instead of on what they ask. */
export const hangsOnWords = ({ right, kept, wrongCertain }: RewordedFigures): boolean =>
  kept < right * LEAST_KEPT || wrongCertain.length > 0;

export const rewordedSentence = ({ right, kept, wrongCertain }: RewordedFigures): string =>
  `Every question in other words, without guidance: ${kept} of ${right} right decisions are kept, ${wrongCertain.length} wrong ones come ` +
  `that no person is asked to confirm${wrongCertain.length > 0 ? ` (${wrongCertain.join(', ')})` : ''}.`;
