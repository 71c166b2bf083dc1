import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { Statement } from './database.js';
import { isLarge } from './large-values.js';
import { sql } from './sql.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.stop());

/** The same with few bytes, which the driver sends, and with many. */
const both = [Buffer.from('few'), Buffer.from('Maß 漢 🙂 '.repeat(20_000))];

const asSystem = <Row>(statement: Statement) =>
  test.database.asSystem('a test', (transaction) => transaction.many<Row>(statement));

it('sends every kind of value beside many bytes as beside few', async () => {
  expect(both.map((bytes) => isLarge(['text', bytes, null]))).toEqual([false, true]);
  for (const bytes of both) {
    const [row] = await asSystem(sql`
      select ${bytes}::text as words, ${Buffer.from([0, 1, 255])}::bytea as bytes, ${Buffer.alloc(0)}::text as empty, ${null}::text as nothing,
             ${'ß'}::text as text, ${7}::integer as number, ${['a', 'b,"c"']}::text[] as texts, ${new Date(86_400_000)}::timestamptz as moment`);
    expect(row).toEqual({
      ...{ words: bytes.toString(), bytes: Buffer.from([0, 1, 255]), empty: '', nothing: null, text: 'ß' },
      ...{ number: 7, texts: ['a', 'b,"c"'], moment: new Date(86_400_000) },
    });
  }
});

it('sends more parameters than a byte counts', async () => {
  const texts = Array.from({ length: 700 }, (_, at) => sql`${`value ${at}`}::text`);
  const list = texts.reduce((all, one) => sql`${all}, ${one}`);
  const [row] = await asSystem<{ size: number; texts: string[] }>(
    sql`select length(${both[1]}::text) as size, array[${list}] as texts`,
  );
  expect(row?.texts).toEqual(Array.from({ length: 700 }, (_, at) => `value ${at}`));
});

it('goes on over a connection on which a statement with many bytes has failed', async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const failing = [
    sql`select ${both[1]}::text, 1 / ${0}::integer as whole`,
    sql`select ${both[1]}::text, ${'none'}::integer as whole`,
    sql`select ${both[1]}::text, no_such_column`,
    sql`select ${both[1]}::text, ${circle}::jsonb as whole`,
  ];
  for (const statement of failing)
    for (let time = 0; time < 2; time++) {
      await expect(asSystem(statement)).rejects.toThrow();
      expect(await asSystem(sql`select octet_length(${both[1]}::text) as size`)).toEqual([
        { size: both[1]?.length },
      ]);
    }
});

it('tells how many rows were touched, in order with those before and behind', async () => {
  const counts = await test.database.asSystem('a test', (transaction) =>
    Promise.all([
      transaction.run(sql`create temporary table large_words (word text) on commit drop`),
      ...[1, 2, 3].map((many) =>
        transaction.run(
          sql`insert into large_words select ${both[1]}::text from generate_series(1, ${many}::integer)`,
        ),
      ),
      transaction.run(sql`delete from large_words`),
    ]),
  );
  expect(counts.slice(1)).toEqual([1, 2, 3, 6]);
});
