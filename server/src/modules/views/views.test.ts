import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { View } from './views.schemas.js';

let database: TestDatabase;
let app: TestApp;
let jo: Client;
let kim: Client;
let path: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  [jo, kim] = [await app.signUp(), await app.signUp()];
  const { id } = (await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Lane' } })).body as {
    id: string;
  };
  path = `/api/v1/workspaces/${id}/views`;
  await joinWorkspace(app, { by: jo, workspace: id, member: kim, role: 'viewer' });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const save = (client: Client, body: object) =>
  client.request('POST', path, { body: { screen: 'gaps', query: 'severity=critical', ...body } });
const namesSeenBy = async (client: Client): Promise<readonly string[]> =>
  ((await client.request('GET', `${path}?sort=name`)).body as { items: View[] }).items.map(
    ({ name }) => name,
  );

describe('saved views', () => {
  it('are their maker’s alone until they are shared', async () => {
    const made = await save(jo, { name: 'Mine' });
    expect(made.status).toBe(201);
    expect([await namesSeenBy(jo), await namesSeenBy(kim)]).toEqual([['Mine'], []]);
    const view = `${path}/${(made.body as View).id}`;
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Taken' } : undefined;
      expect((await kim.request(method, view, { body })).status).toBe(404);
    }
    expect((await jo.request('PATCH', view, { body: { shared: true } })).status).toBe(200);
    expect(await namesSeenBy(kim)).toEqual(['Mine']);
    expect((await kim.request('DELETE', view)).status).toBe(403);
    expect((await jo.request('DELETE', view)).status).toBe(204);
    expect(await namesSeenBy(jo)).toEqual([]);
  });

  it('have one name each for one person and screen', async () => {
    expect((await save(jo, { name: 'Open' })).status).toBe(201);
    expect((await save(jo, { name: 'Open' })).status).toBe(409);
    expect((await save(kim, { name: 'Open', shared: true })).status).toBe(201);
    const other = (await save(jo, { name: 'Closed', screen: 'gaps' })).body as View;
    const renamed = await jo.request('PATCH', `${path}/${other.id}`, { body: { name: 'Open' } });
    expect(renamed.status).toBe(409);
    const same = await jo.request('PATCH', `${path}/${other.id}`, { body: { name: 'Closed', query: 'a=b' } });
    expect(same.body).toMatchObject({ name: 'Closed', query: 'a=b', owner: { id: jo.userId } });
    expect((await save(jo, { name: 'Odd', query: '?a=b' })).status).toBe(422);
  });
});

describe('preferences', () => {
  const preferences = '/api/v1/auth/me/preferences';

  it('hold what was chosen, field by field, for one person', async () => {
    const untouched = { language: null, theme: 'system', shortcuts: true, rail_is_narrow: false };
    expect((await jo.request('GET', preferences)).body).toEqual(untouched);
    await jo.request('PATCH', preferences, { body: { theme: 'dark' } });
    const { body } = await jo.request('PATCH', preferences, { body: { language: 'de' } });
    expect(body).toEqual({ ...untouched, theme: 'dark', language: 'de' });
    expect((await jo.request('GET', preferences)).body).toEqual(body);
    expect((await kim.request('GET', preferences)).body).toEqual(untouched);
    expect((await jo.request('PATCH', preferences, { body: { theme: 'pink' } })).status).toBe(422);
  });
});
