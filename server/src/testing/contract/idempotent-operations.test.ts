import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../routes.js';
import { groupOf, placeOf } from '../isolation/place.js';
import type { Actor, IsolationRow, Place, RequestParts, World } from '../isolation/row.js';
import { isolationRows } from '../isolation/rows.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

let database: TestDatabase;
let app: TestApp;
let other: TestApp;
let world: World;
let people: Readonly<Record<Actor, Client>>;

beforeAll(async () => {
  database = await createTestDatabase();
  // Of the examples, for where the payer goes.
  const environment = { ALLOWED_ORIGINS: 'https://normtrace.example.org' };
  app = await startTestApp(database, { environment });
  other = await startTestApp(database, {
    environment: {
      ...environment,
      BASE_URL: app.address,
      DATA_DIR: app.dependencies.configuration.dataDirectory,
    },
  });
  await app.signUp();
  people = await groupOf(app);
  world = { database, newPerson: () => database.createUser() };
}, 120_000);
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

const idempotent = routes.filter((route) => route.kind !== 'read' && route.idempotent === true);

/** Acts on the thing that its path names: asked again, it finds that this is under way, or done. */
const isAction = ({ path }: { readonly path: string }) => /:\w+\/[a-z-]+$/.test(path);

it('every operation that creates or starts something honours a key', () => {
  const starting = routes.filter(
    (route) => route.kind === 'write' && (route.status === 201 || (route.status === 202 && !isAction(route))),
  );
  const without = starting.filter((route) => !idempotent.includes(route)).map(({ operation }) => operation);
  expect(starting.length).toBeGreaterThan(15);
  // Two demands for the same reading of the documents are one by themselves.
  expect(without).toEqual(['extractTrace']);
});

/** Rows of every table, by its name; what counts requests is left out. */
async function rowsOf(): Promise<Readonly<Record<string, number>>> {
  const tables = await database.asOwner<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'auth', 'pgboss')
       and c.relname not in ('rate_limit_buckets', 'idempotency_keys') and not c.relispartition`,
  );
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
  const rows = await database.asOwner<{ name: string; count: number }>(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Which tables a work has made rows in, and how many. */
async function madeBy<T>(work: () => Promise<T>) {
  const before = await rowsOf();
  const result = await work();
  const after = await rowsOf();
  const made = Object.entries(after).flatMap(([name, count]) => {
    const more = count - (before[name] ?? 0);
    return more === 0 ? [] : [[name, more] as const];
  });
  return { result, made };
}

describe.each(idempotent.map((route) => [route.operation, route] as const))('%s', (operation, route) => {
  const row = isolationRows.find((one) => one.operation === operation) as IsolationRow;

  /** A new place and person, and how they ask. */
  async function stage() {
    const owner = await app.enter();
    await database.asOwner("update profiles set role = 'admin' where id = $1", [owner.userId]);
    const place: Place = await placeOf(database, { ...people, owner });
    const parts: RequestParts =
      row.about === 'nobody' ? { body: route.examples.body } : await row.prepare(world, place);
    const { params = {}, body } = parts;
    const path = `/api/v1${route.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`;
    const search = parts.query ? `?${new URLSearchParams(parts.query)}` : '';
    const headers = { 'idempotency-key': randomUUID() };
    const elsewhere = other.withToken(owner.token);
    return (n: number): Promise<Answer> =>
      (n % 2 === 0 ? owner : elsewhere).request(route.method, path + search, { body, headers });
  }

  it('asked sixteen times at once with one key, at two processes, does it once and answers alike', async () => {
    const askOnce = await stage();
    const alone = await madeBy(() => askOnce(0));
    expect([alone.result.status, alone.result.text]).toEqual([route.status ?? 200, alone.result.text]);

    const ask = await stage();
    const together = await madeBy(() => Promise.all(Array.from({ length: 16 }, (_, n) => ask(n))));
    expect(together.made).toEqual(alone.made);
    const hidden = Object.fromEntries((route.shownOnce ?? []).map((field) => [field, null]));
    const told = together.result.map(({ status, body, headers }) =>
      JSON.stringify([
        status,
        { ...(body as object), ...hidden },
        headers.get('location'),
        headers.get('etag'),
      ]),
    );
    expect(new Set(told).size).toBe(1);
    const first = together.result.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    expect(first.length).toBe(1);
  });
});
