import { pino } from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '../../routes.js';
import { isSameBothWays, serializer } from './serialize.js';

const write = (schema: z.ZodType) =>
  serializer(pino({ level: 'silent' }))({ schema, method: 'GET', url: '/' } as never);

test('what turns values is written by encoding them, what does not is read once', () => {
  const plain = z.object({
    id: z.guid(),
    items: z.array(z.string().max(3).nullable()).max(2),
    more: z.unknown(),
  });
  expect(isSameBothWays(plain)).toBe(true);
  const moment = z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  for (const turning of [
    moment,
    z.string().default('x'),
    z.coerce.number(),
    z.string().transform((s) => s),
    z.date(),
  ])
    for (const schema of [
      turning,
      z.array(turning),
      z.object({ a: turning.optional() }),
      z.record(z.string(), turning),
    ])
      expect(isSameBothWays(schema as z.ZodType)).toBe(false);
  const one: z.ZodType = z.lazy(() => z.object({ children: z.array(one), at: z.string() }));
  const other: z.ZodType = z.lazy(() => z.object({ children: z.array(other), at: moment }));
  expect([isSameBothWays(one), isSameBothWays(other)]).toEqual([true, false]);
  expect(write(z.object({ at: moment }))({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

test('checks hold, and what is unknown is left out', () => {
  const schema = z.object({ id: z.string().max(3), items: z.array(z.object({ n: z.int().min(1) })) });
  expect(write(schema)({ more: 1, items: [{ n: 1, x: 2 }], id: 'abc' })).toBe(
    '{"id":"abc","items":[{"n":1}]}',
  );
  expect(() => write(schema)({ id: 'abcd', items: [] })).toThrow();
  // One row that does not fit takes no other along.
  expect(write(schema)({ id: 'abc', items: [{ n: 0 }, { n: 2 }] })).toBe('{"id":"abc","items":[{"n":2}]}');
});

test('the answers of all operations are the same bytes, read or encoded', () => {
  let same = 0;
  for (const route of routes) {
    const { answer, examples } = route as { answer?: unknown; examples?: { readonly answer?: unknown } };
    if (!(answer instanceof z.ZodType) || examples?.answer === undefined) continue;
    const encoded = JSON.stringify(z.encode(answer, examples.answer as never));
    expect(write(answer)(examples.answer), route.operation).toBe(encoded);
    if (isSameBothWays(answer)) same++;
  }
  console.info(`${same} answers are read`);
  expect(same).toBeGreaterThan(50);
});
