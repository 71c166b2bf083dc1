import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

interface Page {
  readonly items: readonly { readonly id: string; readonly name: string; readonly created_at: string }[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly next_cursor: string | null;
}

let database: TestDatabase;
let app: TestApp;
let jo: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  jo = await app.enter();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const page = async (client: Client, query: Readonly<Record<string, string>> = {}): Promise<Page> => {
  const { status, body, text } = await client.request(
    'GET',
    `/api/v1/workspaces?${new URLSearchParams(query)}`,
  );
  if (status !== 200) throw new Error(text);
  return body as Page;
};
const create = (client: Client, name: string) =>
  client.request('POST', '/api/v1/workspaces', { body: { name } });

/** Makes many workspaces of one moment, so that only the id orders them. */
const createAtOnce = (client: Client, count: number): Promise<unknown> =>
  database.asOwner(
    `with made as (
       insert into workspaces (name, owner_id) select 'Many ' || n, $1 from generate_series(1, $2) n returning id
     ) insert into workspace_members (workspace_id, user_id, role) select id, $1, 'admin' from made`,
    [client.userId, count],
  );

describe('a list', () => {
  it('is empty at first', async () => {
    expect(await page(jo)).toEqual({ items: [], total: 0, page: 1, limit: 20, next_cursor: null });
  });

  it('gives every item exactly once, newest first, over all pages', async () => {
    const kim = await app.enter();
    await createAtOnce(kim, 45);
    const seen: Page[] = [await page(kim, { cursor: '' })];
    for (let last = seen[0]; last?.next_cursor; last = seen.at(-1)) {
      seen.push(await page(kim, { cursor: last.next_cursor }));
    }
    expect(seen.map(({ page, limit, total, items }) => [page, limit, total, items.length])).toEqual([
      [1, 20, 45, 20],
      [2, 20, 45, 20],
      [3, 20, 45, 5],
    ]);
    const items = seen.flatMap((one) => one.items);
    expect(new Set(items.map(({ id }) => id)).size).toBe(45);
    const order = items.map(({ created_at, id }) => created_at + id);
    expect(order).toEqual([...order].sort().reverse());
  });

  it('neither loses nor repeats what was there while others add', async () => {
    const kim = await app.enter();
    await createAtOnce(kim, 60);
    const before = new Set((await page(kim, { limit: '100' })).items.map(({ id }) => id));
    const adding = Promise.all(Array.from({ length: 20 }, (_, n) => create(kim, `Late ${n}`)));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: Page = await page(kim, { cursor, limit: '7' });
      seen.push(...next.items.map(({ id }) => id));
      cursor = next.next_cursor;
    }
    await adding;
    expect(new Set(seen).size).toBe(seen.length);
    expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
  });

  it('counts under its filters', async () => {
    const kim = await app.enter();
    await createAtOnce(kim, 12);
    const found = await page(kim, { search: 'many 1', limit: '2' });
    expect([found.total, found.items.length, found.page]).toEqual([4, 2, 1]);
    const next = await page(kim, { search: 'many 1', limit: '2', cursor: found.next_cursor ?? '' });
    expect([next.total, next.items.length, next.page, next.next_cursor]).toEqual([4, 2, 2, null]);
  });
});

describe('a sorted list', () => {
  const namesOf = async (client: Client, query: Readonly<Record<string, string>>): Promise<string[]> => {
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: Page = await page(client, { ...query, limit: '4', cursor });
      names.push(...next.items.map(({ name }) => name));
      cursor = next.next_cursor;
    }
    return names;
  };
  const names = ['b', 'A', 'c', 'B', 'a', 'C', 'a', 'd', 'D'];

  it('is in order over all pages, both ways, and without regard to case', async () => {
    const kim = await app.enter();
    for (const name of names) await create(kim, name);
    const up = await namesOf(kim, { sort: 'name' });
    expect(up.map((name) => name.toLowerCase())).toEqual(['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
    expect(await namesOf(kim, { sort: '-name' })).toEqual([...up].reverse());
    expect(await namesOf(kim, { sort: 'created_at' })).toEqual(names);
    expect(await namesOf(kim, { sort: '-created_at' })).toEqual(await namesOf(kim, {}));
  });

  it('has cursors of its own, and says which fields there are', async () => {
    const kim = await app.enter();
    await createAtOnce(kim, 5);
    const { next_cursor } = await page(kim, { limit: '2', sort: 'name' });
    const other = { limit: '2', sort: '-name', cursor: next_cursor ?? '' };
    await expect(page(kim, other)).rejects.toThrow('invalid_cursor');
    await expect(page(kim, { sort: 'owner_id' })).rejects.toThrow(
      'Should be one of created_at, updated_at, name, -created_at, -updated_at, -name.',
    );
  });

  it('brings what was changed since a moment, in the order of the changes', async () => {
    const kim = await app.enter();
    for (const name of ['one', 'two', 'three']) await create(kim, name);
    const all = (await page(kim)).items;
    const changed = async (id: string | undefined, name: string) => {
      const { body } = await kim.request('PATCH', `/api/v1/workspaces/${id}`, { body: { name } });
      return (body as { updated_at: string }).updated_at;
    };
    const since = await changed(all[2]?.id, 'one, changed');
    await changed(all[0]?.id, 'three, changed');
    const found = await page(kim, { updated_since: since, sort: 'updated_at' });
    expect([found.total, found.items.map(({ name }) => name)]).toEqual([
      2,
      ['one, changed', 'three, changed'],
    ]);
    const local = `${since.slice(0, -1)}+00:00`;
    expect((await page(kim, { updated_since: local })).total).toBe(2);
  });
});

describe('a filter', () => {
  const total = async (path: string) => {
    const { body, status, text } = await jo.request('GET', `/api/v1${path}`);
    if (status !== 200) throw new Error(text);
    return (body as Page).total;
  };

  it('takes several values, separated by commas or given again', async () => {
    const { body } = await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Filters' } });
    const workspace_id = (body as { id: string }).id;
    const at = `workspace_id=${workspace_id}`;
    const add = (artifact_id: string, type: string) =>
      jo.request('POST', '/api/v1/traceability/artifacts', {
        body: { workspace_id, artifact_id, type, name: 'x' },
      });
    for (const [id, type] of [
      ['SG-1', 'safety_goal'],
      ['SG-2', 'safety_goal'],
      ['FSR-1', 'functional_safety_requirement'],
      ['TC-1', 'test'],
    ] as const)
      expect((await add(id, type)).status).toBe(201);
    const list = `/traceability/artifacts?${at}`;
    expect(await total(`${list}&type=safety_goal`)).toBe(2);
    expect(await total(`${list}&type=safety_goal,test`)).toBe(3);
    expect(await total(`${list}&type=safety_goal&type=test`)).toBe(3);
    await expect(total(`${list}&type=safety_goal,nonsense`)).rejects.toThrow('query.type.1');
    expect(await total(`${list}&type=test&sort=artifact_id`)).toBe(1);
  });

  it('is true or false, and nothing else', async () => {
    for (const path of ['/compliance/templates?built_in', '/admin/users?active', '/analysis/gaps?overdue']) {
      expect(await total(`${path}=true`)).toBeGreaterThanOrEqual(0);
      expect(await total(`${path}=false`)).toBeGreaterThanOrEqual(0);
      await expect(total(`${path}=1`)).rejects.toThrow('Should be true or false.');
    }
  });
});

describe('a cursor', () => {
  it('is refused for other filters, by another caller, and when it was changed', async () => {
    const [kim, lee] = [await app.enter(), await app.enter()];
    await createAtOnce(kim, 5);
    await createAtOnce(lee, 5);
    const { next_cursor } = await page(kim, { limit: '2' });
    const cursor = next_cursor ?? '';
    const refused = async (client: Client, query: Readonly<Record<string, string>>) => {
      const { status, body } = await client.request(
        'GET',
        `/api/v1/workspaces?${new URLSearchParams(query)}`,
      );
      expect(body).toMatchObject({
        error: {
          code: 'VALIDATION_ERROR',
          details: { issues: [{ path: 'query.cursor', code: 'invalid_cursor' }] },
        },
      });
      return status;
    };
    expect(await refused(kim, { cursor, search: 'many' })).toBe(422);
    expect(await refused(lee, { cursor })).toBe(422);
    const bytes = Buffer.from(cursor, 'base64url');
    for (let position = 0; position < bytes.length; position += 7) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(await refused(kim, { cursor: changed.toString('base64url') })).toBe(422);
    }
    expect(await refused(kim, { cursor: cursor.slice(0, 10) })).toBe(422);
    expect((await page(kim, { cursor, limit: '3' })).items.length).toBe(3);
  });

  it('is accepted by every process of the installation', async () => {
    const kim = await app.enter();
    await createAtOnce(kim, 3);
    const other = await startTestApp(database);
    const { next_cursor } = await page(kim, { limit: '2' });
    expect(
      (await page(other.withToken(kim.token), { limit: '2', cursor: next_cursor ?? '' })).items.length,
    ).toBe(1);
    await other.stop();
  });
});
