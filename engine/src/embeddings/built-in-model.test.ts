import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { BUILT_IN_WEIGHTS_SHA256, openBuiltInModel } from './built-in-model.js';

const model = openBuiltInModel({ workers: 1 });
afterAll(() => model.close());

const TEXTS = [
  'The vehicle shall stop within 20 metres.',
  'The car must halt inside twenty metres.',
  'Invoices are paid by the end of the month.',
];

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

test('a paraphrase is nearer than another topic, and vectors have unit length', async () => {
  const [one, paraphrase, other] = await model.embed(TEXTS);
  expect(one!.length).toBe(model.dimensions);
  expect(cosine(one!, one!)).toBeCloseTo(1, 5);
  expect(cosine(one!, paraphrase!)).toBeGreaterThan(cosine(one!, other!) + 0.3);
});

test('a vector is bit-identical whatever is embedded beside it, and on every machine', async () => {
  const together = await model.embed([...TEXTS, ...TEXTS.map((text) => `${text} Again.`), ...TEXTS]);
  const [alone] = await model.embed([TEXTS[0]!]);
  expect(together[0]).toEqual(alone);
  expect(together[6]).toEqual(alone);
  const bytes = Buffer.from(alone!.buffer, alone!.byteOffset, alone!.byteLength);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '30488bedb45957cbb5c4bcdedefad8dfbdd6ce1d9d382601cd7c6ccee0ec2025',
  );
});

test('the event loop goes on while vectors are made', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await model.embed(Array.from({ length: 16 }, (_, number) => `Requirement ${number} of the brake system.`));
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(20);
});

test('empty and enormous texts are answered', async () => {
  const [empty, enormous, cut] = await model.embed(['', 'x '.repeat(5_000_000), 'x '.repeat(2000)]);
  expect(empty!.every(Number.isFinite)).toBe(true);
  expect(enormous).toEqual(cut);
  expect(await model.embed([])).toEqual([]);
});

test('weights with another hash are refused', async () => {
  const other = openBuiltInModel({ workers: 1, weightsSha256: 'f'.repeat(64) });
  await expect(other.embed(['text'])).rejects.toThrow(BUILT_IN_WEIGHTS_SHA256);
  await other.close();
});

test('an aborted request is rejected, and the model goes on', async () => {
  const stop = new AbortController();
  const many = model.embed(
    Array.from({ length: 200 }, (_, number) => `Text ${number}`),
    stop.signal,
  );
  stop.abort();
  await expect(many).rejects.toThrow(/abort/i);
  expect((await model.embed(['again'])).length).toBe(1);
});

test('closing rejects what is under way and leaves the model usable', async () => {
  const short = openBuiltInModel({ workers: 1 });
  const running = short.embed(TEXTS);
  await Promise.all([expect(running).rejects.toThrow('closed'), short.close()]);
  expect((await short.embed(['again'])).length).toBe(1);
  await short.close();
});
