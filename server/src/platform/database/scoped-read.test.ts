import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { Actor } from './database.js';
import { sql } from './sql.js';

let test: TestDatabase;
let actor: Actor;
let workspace: string;

beforeAll(async () => {
  test = await createTestDatabase();
  actor = await test.createUser();
  workspace = await test.createWorkspace(actor);
});
afterAll(() => test.stop());

it('answers what the same statement answers in a transaction, whatever the types', async () => {
  const statement = sql`
    select ${null}::text as nothing, ${'ein Wörtchen – 漢字 🙂'}::text as words, ${7}::int as number, ${2 ** 40}::int8 as large,
      1.50::numeric as exact, 0.1::float8 as near, ${true}::bool as yes, ${new Date(86_400_000)}::timestamptz as moment,
      '2026-01-31'::date as day, ${['a', 'b,"c"', null]}::text[] as texts, ${[1, 2]}::int[] as numbers,
      ${Buffer.from([0, 1, 255])}::bytea as bytes, ${{ a: [1, null] }}::jsonb as json, ${''}::text as empty,
      interval '1 day 2 hours' as span, 'viewer'::text as "isOwner", ${'ß'.repeat(100_000)}::text as long
    from generate_series(1, 3)`;
  const wanted = await test.database.withActor(actor, (transaction) => transaction.many(statement));
  expect(wanted).toHaveLength(3);
  // Where its columns are told, and where they are known.
  for (let round = 0; round < 3; round++)
    expect(await test.database.readAs(actor, statement)).toEqual(wanted);
});

it('goes on over a connection on which reads have failed, in whatever way', async () => {
  const read = (value: unknown, text = 'whole') =>
    test.database.readAs(
      actor,
      text === 'whole' ? sql`select 1 / ${value}::int as whole` : sql`select no_such_column`,
    );
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const failing of [() => read(0), () => read('none'), () => read(circle), () => read(1, 'no column')]) {
    await expect(failing()).rejects.toThrow();
    await expect(failing()).rejects.toThrow();
    expect(await read(1)).toEqual([{ whole: 1 }]);
    expect(await test.database.readAs(actor, sql`select id from workspaces`)).toEqual([{ id: workspace }]);
  }
});

it('tells the rows of a statement that other doors have prepared before', async () => {
  const statement = sql`select id, name from workspaces`;
  const everywhere = Array.from({ length: 12 }, () =>
    test.database.withActor(actor, (transaction) => transaction.many(statement)),
  );
  await Promise.all(everywhere);
  expect(await test.database.readAs(actor, statement)).toEqual([{ id: workspace, name: 'Workspace' }]);
});
