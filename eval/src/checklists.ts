import { createHash } from 'node:crypto';
import {
  type Confidence,
  checkChecklist,
  type Evidence,
  type ModelUse,
  ownChecklist,
  printLocation,
  readDocument,
  shownVerdict,
} from '@normtrace/engine';
import type { Answer, ChecklistCase } from './gold-checklists.js';

/** One item as an inspector and as the engine answered it. */
export interface JudgedItem {
  readonly case: string;
  readonly id: string;
  readonly truth: Answer | undefined;
  readonly verdict: ReturnType<typeof shownVerdict>;
  readonly confidence: Confidence;
  readonly needsConfirmation: boolean;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

/** Figures over items that an inspector has answered. NaN where there is nothing to divide by. */
export interface ChecklistFigures {
  readonly items: number;
  readonly fails: number;
  /** Of the items that got an answer; what is undecided got none. */
  readonly accuracy: number;
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
  /** Share of the items that the engine leaves to a person. */
  readonly toConfirm: number;
  /** Number of the other items, and how often the engine is right on them. */
  readonly decided: number;
  readonly accuracyDecided: number;
}

/** Answers every case from its documents. The items have only their words; nothing is known of the case. `use`: a language model. */
export async function judgeChecklists(
  cases: readonly ChecklistCase[],
  use?: ModelUse,
): Promise<readonly JudgedItem[]> {
  const judged: JudgedItem[] = [];
  for (const { name, items, files } of cases) {
    const documents = await Promise.all(
      files.map(async ({ path, bytes }) => ({
        id: path,
        name: path,
        version: '1',
        sha256: createHash('sha256').update(bytes).digest('hex'),
        document: await readDocument(bytes, { fileName: path.split('/').at(-1)! }),
      })),
    );
    const { checklist } = await ownChecklist({ id: name, title: name, items });
    const result = await checkChecklist({ checklist, documents, ...(use ? { model: use } : {}) });
    for (const [at, { id, truth }] of items.entries()) {
      const { confidence, needsConfirmation, reason, evidence } = result.items[at]!;
      const verdict = shownVerdict(result.items[at]!);
      judged.push({ case: name, id, truth, verdict, confidence, needsConfirmation, reason, evidence });
    }
  }
  return judged;
}

/** Inspectors know three answers: what is missing fails; undecided is none of them. */
function answerOf({ verdict }: Pick<JudgedItem, 'verdict'>): Answer | 'undecided' {
  return verdict === 'missing' ? 'fail' : verdict;
}

export function figuresOf(judged: readonly JudgedItem[]): ChecklistFigures {
  const counted = judged.filter(({ truth }) => truth !== undefined);
  const isRight = (item: JudgedItem) => answerOf(item) === item.truth;
  const decided = counted.filter(({ needsConfirmation }) => !needsConfirmation);
  const fails = counted.filter(({ truth }) => truth === 'fail');
  const called = counted.filter((item) => answerOf(item) === 'fail');
  const hits = called.filter(({ truth }) => truth === 'fail').length;
  const precision = hits / called.length;
  const recall = hits / fails.length;
  return {
    items: counted.length,
    fails: fails.length,
    accuracy:
      counted.filter(isRight).length / counted.filter(({ verdict }) => verdict !== 'undecided').length,
    precision,
    recall,
    f: (2 * hits) / (called.length + fails.length),
    toConfirm: 1 - decided.length / counted.length,
    decided: decided.length,
    accuracyDecided: decided.filter(isRight).length / decided.length,
  };
}

/** The same items answered "pass" throughout. */
export function alwaysPass(judged: readonly JudgedItem[]): readonly JudgedItem[] {
  return judged.map((item) => ({ ...item, verdict: 'pass', needsConfirmation: false }));
}

/** Ids of items, over all cases, that the engine left to a person wherever they were asked. */
export function leftToPersons(judged: readonly JudgedItem[]): readonly string[] {
  const ids = [...new Set(judged.map(({ id }) => id))].sort();
  return ids.filter((id) => judged.every((item) => item.id !== id || item.needsConfirmation));
}

/** Every item called a fail with the places that it rests on, and every item that was answered otherwise than by the inspector. */
export function checklistDetails(judged: readonly JudgedItem[]): string {
  const told = judged.filter(
    (item) => answerOf(item) === 'fail' || (item.truth && answerOf(item) !== item.truth),
  );
  return told
    .map((item) => {
      const mark = item.truth === undefined ? 'blank' : item.truth;
      const confirm = item.needsConfirmation ? ', to be confirmed' : '';
      const places = item.evidence.map(
        ({ role, quote, documentId, location }) =>
          `    ${role}: "${quote}"\n      ${documentId}, ${printLocation(location)}`,
      );
      return [
        `${item.case} ${item.id}: ${item.verdict}${confirm}; inspector: ${mark}`,
        `  ${item.reason}`,
        ...places,
      ].join('\n');
    })
    .join('\n');
}
