import { expect, test } from 'vitest';
import { answerSchema } from './answer-schemas.js';
import { answerKey, memoryAnswerStore, withAnswerStore } from './answer-store.js';
import { fakeModel } from './fake-model.js';
import { type AnswerShape, type ModelRequest, TASK_IDS } from './language-model.js';

const request = (variable: string): ModelRequest => ({
  task: 'link',
  template: 'link@1+0',
  fixed: 'The same for all.',
  variable,
  schema: answerSchema('link'),
  maxOutputTokens: 200,
  sends: [],
  sendsStandard: false,
});

test('every distinct question is asked once, and never again while its answer is kept', async () => {
  const asked: string[] = [];
  const model = fakeModel(({ variable }) => {
    asked.push(variable);
    return `answer to ${variable}`;
  });
  const store = memoryAnswerStore();
  const first = await withAnswerStore(model, store).ask([request('a'), request('b'), request('a')]);
  const second = await withAnswerStore(model, store).ask([request('b'), request('c')]);
  expect(asked).toEqual(['a', 'b', 'c']);
  expect(first.map((one) => 'text' in one && one.text)).toEqual([
    'answer to a',
    'answer to b',
    'answer to a',
  ]);
  expect(second.map((one) => 'text' in one && one.from)).toEqual(['store', 'model']);
  await withAnswerStore(model, store, { fresh: true }).ask([request('a')]);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('a failure is not kept', async () => {
  let fails = true;
  const model = fakeModel(() => (fails ? { failed: 'timed_out' } : 'answer'));
  const asking = withAnswerStore(model, memoryAnswerStore());
  expect(await asking.ask([request('a')])).toEqual([{ failed: 'timed_out' }]);
  fails = false;
  expect(await asking.ask([request('a')])).toMatchObject([{ text: 'answer', from: 'model' }]);
});

test('what was answered before a run was cut short is not asked again', async () => {
  const asked: string[] = [];
  const controller = new AbortController();
  const model = fakeModel(({ variable }) => {
    asked.push(variable);
    if (asked.length === 8) controller.abort(new Error('killed'));
    return variable;
  });
  const store = memoryAnswerStore();
  const all = Array.from({ length: 12 }, (_, at) => request(String(at)));
  await expect(withAnswerStore(model, store).ask(all, controller.signal)).rejects.toThrow('killed');
  await withAnswerStore(model, store).ask(all);
  expect(asked).toEqual(all.map(({ variable }) => variable));
});

test('everything that an answer depends on is in its key', () => {
  const model = fakeModel(() => '');
  const base = request('a');
  const keys = [
    answerKey(base, model),
    answerKey({ ...base, task: 'judge' }, model),
    answerKey({ ...base, template: 'link@2+0' }, model),
    answerKey({ ...base, fixed: 'Another.' }, model),
    answerKey({ ...base, variable: 'b' }, model),
    answerKey({ ...base, schema: answerSchema('judge') }, model),
    answerKey({ ...base, maxOutputTokens: 201 }, model),
    answerKey(base, { ...model, id: 'other' }),
    answerKey(base, { ...model, sampling: { temperature: 0, seed: 2 } }),
    answerKey(base, { ...model, sampling: { temperature: 1, seed: 1 } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(answerKey({ ...base, sends: [{ documentId: 'd', passageId: 'p' }] }, model)).toBe(keys[0]);
});

test.each(TASK_IDS)('the form of %s uses only what every provider takes', (task) => {
  const check = (shape: AnswerShape): void => {
    const allowed = {
      object: ['type', 'properties', 'required', 'additionalProperties'],
      array: ['type', 'items'],
      string: ['type', 'enum'],
      boolean: ['type'],
    };
    expect(allowed[shape.type]).toEqual(expect.arrayContaining(Object.keys(shape)));
    if (shape.type === 'array') check(shape.items);
    if (shape.type !== 'object') return;
    expect(shape.required).toEqual(Object.keys(shape.properties));
    expect(shape.additionalProperties).toBe(false);
    for (const property of Object.values(shape.properties)) check(property);
  };
  check(answerSchema(task).shape);
});
