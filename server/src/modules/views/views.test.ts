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
    const same = await jo.request('PATCH', `${path}/${other.id}`, {
      body: { name: 'Closed', query: 'status=resolved' },
    });
    expect(same.body).toMatchObject({ name: 'Closed', query: 'status=resolved', owner: { id: jo.userId } });
    expect((await save(jo, { name: 'Odd', query: '?a=b' })).status).toBe(422);
  });

  it('hold columns and an order, and say what of them the list does not know', async () => {
    const made = await save(jo, {
      name: 'Wide',
      query: 'status=open,gone&assignee=none&q=brake&colour=red&sort=-severity',
      columns: ['title', 'moon_phase', 'due_date'],
      sort: '-due_date',
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        query: 'status=open&assignee=none&q=brake&sort=-severity',
        columns: ['title', 'due_date'],
        sort: '-due_date',
        dropped: [
          { part: 'query', value: 'status=gone' },
          { part: 'query', value: 'colour=red' },
          { part: 'columns', value: 'moon_phase' },
        ],
      },
    ]);
    const view = `${path}/${(made.body as View).id}`;
    const changed = await jo.request('PATCH', view, {
      body: { query: 'status=open', columns: null, sort: 'moon' },
    });
    expect(changed.body).toMatchObject({
      query: 'status=open',
      columns: null,
      sort: null,
      dropped: [{ part: 'sort', value: 'moon' }],
    });
    const ordered = async (screen: string, sort: string) => {
      const { body } = await save(jo, { name: 'Ordered', screen, query: '', sort });
      return [(body as View).sort, (body as View).dropped];
    };
    expect(await ordered('gaps', '-severity,moon,due_date')).toEqual([
      '-severity,due_date',
      [{ part: 'sort', value: 'moon' }],
    ]);
    // A list that is sorted by one field keeps the first.
    expect(await ordered('documents', 'name,-created_at')).toEqual([
      'name',
      [{ part: 'sort', value: '-created_at' }],
    ]);
    expect((await save(jo, { name: 'Twice', columns: ['title', 'title'] })).status).toBe(422);
    for (const [screen, query] of [
      ['documents', 'status=x&category=hara&tag=draft&sort=name'],
      [
        'trace',
        'missing=verification&document=0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10&linked=false&rows=safety_goal',
      ],
      ['runs', 'type=completeness&active=true'],
      ['reports', 'format=pdf&type=full'],
    ] as const) {
      const { body } = await save(jo, { name: 'Its own', screen, query });
      expect([screen, (body as View).dropped]).toEqual([
        screen,
        screen === 'documents' ? [{ part: 'query', value: 'status=x' }] : [],
      ]);
    }
  });

  it('are what a screen begins with, one for each person and screen', async () => {
    const defaults = async (client: Client) =>
      ((await client.request('GET', `${path}?sort=name&limit=100`)).body as { items: View[] }).items
        .filter(({ is_default }) => is_default)
        .map(({ name, screen }) => `${screen} ${name}`);
    await save(jo, { name: 'First', is_default: true, shared: true });
    await save(jo, { name: 'Of runs', screen: 'runs', query: '', is_default: true });
    const second = (await save(jo, { name: 'Second', is_default: true })).body as View;
    expect(await defaults(jo)).toEqual(['runs Of runs', 'gaps Second']);
    expect(await defaults(kim)).toEqual([]);
    await save(kim, { name: 'Hers', is_default: true });
    expect([await defaults(jo), await defaults(kim)]).toEqual([
      ['runs Of runs', 'gaps Second'],
      ['gaps Hers'],
    ]);
    await jo.request('PATCH', `${path}/${second.id}`, { body: { is_default: false } });
    expect(await defaults(jo)).toEqual(['runs Of runs']);
    // A name that is taken changes nothing, the default neither.
    expect((await save(kim, { name: 'Hers', is_default: true })).status).toBe(409);
    expect(await defaults(kim)).toEqual(['gaps Hers']);
  });
});

describe('preferences', () => {
  const preferences = '/api/v1/auth/me/preferences';

  it('hold what was chosen, field by field, for one person', async () => {
    const untouched = {
      ...{ language: null, theme: 'system', density: 'comfortable', shortcuts: true, rail_is_narrow: false },
      ...{ time_zone: null, start_page: 'start', tour: { seen: [] }, panels: {}, version: 0 },
    };
    expect((await jo.request('GET', preferences)).body).toEqual(untouched);
    await jo.request('PATCH', preferences, { body: { theme: 'dark' } });
    const { body } = await jo.request('PATCH', preferences, { body: { language: 'de' } });
    expect(body).toEqual({ ...untouched, theme: 'dark', language: 'de', version: 2 });
    expect((await jo.request('GET', preferences)).body).toEqual(body);
    expect((await kim.request('GET', preferences)).body).toEqual(untouched);
    expect((await jo.request('PATCH', preferences, { body: { theme: 'pink' } })).status).toBe(422);
  });

  it('keep panels, tours and times in bounds', async () => {
    const change = (body: object, headers?: Record<string, string>) =>
      kim.request('PATCH', preferences, { body, ...(headers && { headers }) });
    await change({ panels: { 'gaps.facets': false, 'viewer.outline': 240 }, time_zone: 'Europe/Berlin' });
    const { body } = await change({ panels: { 'gaps.facets': null, peek: 'evidence' } });
    expect(body).toMatchObject({
      panels: { 'viewer.outline': 240, peek: 'evidence' },
      time_zone: 'Europe/Berlin',
    });
    expect((body as { panels: object }).panels).not.toHaveProperty('gaps.facets');
    expect((await change({ tour: { seen: ['first.upload'] }, start_page: 'gaps' })).status).toBe(200);
    for (const wrong of [
      { time_zone: 'Mars/Olympus' },
      { start_page: 'moon' },
      { density: 'dense' },
      { tour: { seen: ['A Step'] } },
      { panels: { peek: [] } },
    ]) {
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 422]);
    }
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, 'x'.repeat(150)]));
    const before = (await kim.request('GET', preferences)).body;
    expect((await change({ panels: many })).status).toBe(422);
    expect((await kim.request('GET', preferences)).body).toEqual(before);
  });

  it('are changed only as they were read, where the caller says so', async () => {
    const { headers } = await kim.request('GET', preferences);
    const tag = headers.get('etag') ?? '';
    const change = (theme: string) =>
      kim.request('PATCH', preferences, { body: { theme }, headers: { 'if-match': tag } });
    expect((await change('dark')).status).toBe(200);
    expect((await change('light')).status).toBe(412);
    expect((await kim.request('GET', preferences)).body).toMatchObject({ theme: 'dark' });
  });
});
