import { expect, test } from 'vitest';
import { answering, answerWith, ask, type EngineQuestion } from './engine-question.js';

const double: EngineQuestion<number, number> = { kind: 'double' };
const spell: EngineQuestion<string, readonly string[]> = { kind: 'spell' };

/** As between two processes: what is asked and answered travels as data. */
const between = (answer: (question: unknown) => Promise<unknown>) => ({
  ask: async (question: unknown) => structuredClone(await answer(structuredClone(question))),
});

test('each kind of question is answered by its own answerer', async () => {
  const task = between(
    answerWith([
      answering(double, async (number) => 2 * number),
      answering(spell, async (word) => [...word]),
    ]),
  );
  expect(await ask(task, double, 21)).toBe(42);
  expect(await ask(task, spell, 'ab')).toEqual(['a', 'b']);
});

test('a kind that nobody answers is refused by its name', async () => {
  const task = between(answerWith([answering(double, async (number) => 2 * number)]));
  await expect(ask(task, spell, 'ab')).rejects.toThrow('Nobody answers the question "spell".');
});
