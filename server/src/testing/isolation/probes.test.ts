import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { failing } from './probe.js';
import { allProbes } from './probes.js';
import { fillGround } from './sample-rows.js';
import { loadAccess, loadConstraints } from './stated/statements.js';
import { TOUCHED } from './trigger-probes.js';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connections.migration);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.stop();
});

const OURS = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'pgboss')`;

it('every table, every constraint and every moment of change is stated', async () => {
  const names = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name).sort();
  expect(
    await names(`select t.oid::regclass::text as name from pg_class t join pg_namespace n on n.oid = t.relnamespace
      where t.relkind in ('r', 'p') and ${OURS}`),
  ).toEqual(Object.keys(loadAccess()).sort());
  const { checks, foreign_keys, unique } = loadConstraints();
  for (const [type, stated] of [
    ['c', checks],
    ['f', foreign_keys],
  ] as const) {
    expect(
      await names(`select f.conname as name from pg_constraint f join pg_class t on t.oid = f.conrelid
        join pg_namespace n on n.oid = t.relnamespace where f.contype = '${type}' and ${OURS}`),
    ).toEqual(Object.keys(stated).sort());
  }
  expect(
    await names(`select x.relname as name from pg_index i join pg_class x on x.oid = i.indexrelid
      join pg_namespace n on n.oid = x.relnamespace where i.indisunique and ${OURS}`),
  ).toEqual(Object.keys(unique).sort());
  // The buckets of the rate limit say it themselves.
  expect(
    await names(`select t.oid::regclass::text as name from pg_class t join pg_namespace n on n.oid = t.relnamespace
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'updated_at' where t.relkind in ('r', 'p') and ${OURS}
      and t.relname <> 'rate_limit_buckets'`),
  ).toEqual([...TOUCHED]);
});

it('the database answers every probe as stated', async () => {
  const ground = await fillGround(client);
  await client.query('begin');
  expect(await failing(ground, allProbes())).toEqual([]);
  await client.query('rollback');
}, 60_000);
