import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBareDatabase } from '../../testing/test-database.js';
import { addressOf } from '../../testing/test-server.js';
import { connectionsFromUrl } from './connections.js';
import { migrate, missingMigrations } from './migrate.js';

const OURS = fileURLToPath(new URL('../../../migrations/', import.meta.url));

let database: Awaited<ReturnType<typeof createBareDatabase>>;
let directory: string;

beforeEach(async () => {
  database = await createBareDatabase();
  directory = `${await mkdtemp(join(tmpdir(), 'normtrace-migrations-'))}/`;
  await writeFile(`${directory}0001_first.sql`, 'create table first (id integer)');
});
afterEach(async () => {
  await database.stop();
  await rm(directory, { recursive: true });
});

const run = () => migrate(database.connections, directory);

async function ask(text: string): Promise<unknown[]> {
  const client = new pg.Client(database.connections.migration);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

it('runs every file once, in order, and as the owner role', async () => {
  await writeFile(`${directory}0002_second.sql`, 'alter table first add column name text');
  expect(await missingMigrations(database.connections.application, directory)).toEqual([
    '0001_first.sql',
    '0002_second.sql',
  ]);
  expect(await run()).toEqual(['0001_first.sql', '0002_second.sql']);
  expect(await run()).toEqual([]);
  expect(await missingMigrations(database.connections.application, directory)).toEqual([]);
  expect(await ask(`select tableowner from pg_tables where tablename = 'first'`)).toEqual([
    { tableowner: 'normtrace_owner' },
  ]);
});

it('runs once when several processes start together', async () => {
  await cp(OURS, directory, { recursive: true });
  await rm(`${directory}0001_first.sql`);
  const ran = await Promise.all([run(), run(), run(), run()]);
  expect(ran.flat().length).toBe(new Set(ran.flat()).size);
  expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
});

it('leaves nothing of a file that fails, and runs it when it is mended', async () => {
  await writeFile(`${directory}0002_second.sql`, 'create table second (id integer); select 1 / 0');
  await expect(run()).rejects.toThrow('The migration 0002_second.sql failed: division by zero');
  expect(await ask(`select to_regclass('first')::text, to_regclass('second')::text as second`)).toEqual([
    { to_regclass: 'first', second: null },
  ]);
  await writeFile(`${directory}0002_second.sql`, 'create table second (id integer)');
  expect(await run()).toEqual(['0002_second.sql']);
});

it('refuses a file that was changed after it ran', async () => {
  await run();
  await writeFile(`${directory}0001_first.sql`, 'create table first (id bigint)');
  await expect(run()).rejects.toThrow('0001_first.sql was changed after it ran');
});

it('refuses a database of a newer version', async () => {
  await writeFile(`${directory}0002_second.sql`, 'select 1');
  await run();
  await rm(`${directory}0002_second.sql`);
  await expect(run()).rejects.toThrow('0002_second.sql, which this version does not have');
});

it('refuses a file name that does not say its place', async () => {
  await writeFile(`${directory}later.sql`, 'select 1');
  await expect(run()).rejects.toThrow('later.sql: a migration is named like');
});

it('needs a login that may create roles, or an administrator who has prepared them', async () => {
  const login = `clerk_${randomBytes(4).toString('hex')}`;
  await ask(`create role ${login} login password 'secret'`);
  const clerk = connectionsFromUrl(
    addressOf({ ...partsOf(database.connections.migration), user: login, password: 'secret' }),
  );
  const byClerk = () => migrate(clerk, directory);
  try {
    await expect(byClerk()).rejects.toThrow(`The login ${login} may not prepare the roles of Normtrace`);
    await ask(
      `grant normtrace_owner, normtrace_app, normtrace_system to ${login};
       do $$ begin execute format('grant create, connect, temporary on database %I to normtrace_owner', current_database()); end $$;
       grant usage, create on schema public to normtrace_owner`,
    );
    expect(await byClerk()).toEqual(['0001_first.sql']);
  } finally {
    await ask(`drop owned by ${login}; drop role ${login}`);
  }
});

/** Host and so on, also where they are given as an address. */
function partsOf(connection: pg.ClientConfig): pg.ClientConfig {
  const { host, port, database: name } = new pg.Client(connection);
  return { host, port, ...(name ? { database: name } : {}) };
}
