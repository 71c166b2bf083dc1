import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

let database: TestDatabase;
let app: TestApp;
let jo: Client;
let kim: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  jo = await app.signUp();
  kim = await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const create = async (client: Client, name: string, description = '') =>
  (await client.request('POST', '/api/v1/workspaces', { body: { name, description } })).body as {
    id: string;
  };

describe('workspaces', () => {
  it('are created, read, changed and deleted by their owner', async () => {
    const created = await kim.request('POST', '/api/v1/workspaces', { body: { name: ' Lane ' } });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Lane',
      description: '',
      phase: null,
      tailored_out: [],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.any(String),
    });
    const path = created.headers.get('location') ?? '';
    expect(path).toBe(`/api/v1/workspaces/${(created.body as { id: string }).id}`);

    const read = await kim.request('GET', path);
    expect([read.status, read.body]).toEqual([200, created.body]);
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'));

    const changed = await kim.request('PATCH', path, { body: { description: 'All of it' } });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ name: 'Lane', description: 'All of it' }),
    ]);
    expect((await kim.request('GET', path)).body).toEqual(changed.body);

    expect((await kim.request('DELETE', path)).status).toBe(204);
    expect((await kim.request('GET', path)).status).toBe(404);
    const trail = await database.asOwner<{ action: string }>(
      'select action from audit_events where workspace_id = $1 order by created_at',
      [(created.body as { id: string }).id],
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'workspace.created',
      'workspace.changed',
      'workspace.deleted',
    ]);
  });

  it('are hidden from others like ones that do not exist', async () => {
    const { id } = await create(kim, 'Hidden');
    const absent = '/api/v1/workspaces/00000000-0000-4000-8000-000000000000';
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const foreign = await jo.request(method, `/api/v1/workspaces/${id}`, { body });
      const missing = await jo.request(method, absent, { body });
      expect(foreign.status).toBe(404);
      expect(sameButIdAndTime(foreign.body)).toEqual(sameButIdAndTime(missing.body));
    }
    expect((await kim.request('GET', `/api/v1/workspaces/${id}`)).status).toBe(200);
  });

  it('are searched literally and without regard to case', async () => {
    const sam = await app.signUp();
    await create(sam, 'Brake 100%', 'x');
    await create(sam, 'Brake 100 kg', 'a_b');
    await create(sam, 'Steering', 'and a BRAKE too');
    const found = async (search: string) => {
      const { body } = await sam.request('GET', `/api/v1/workspaces?search=${encodeURIComponent(search)}`);
      return (body as { items: { name: string }[] }).items.map(({ name }) => name).sort();
    };
    expect(await found('brake')).toEqual(['Brake 100 kg', 'Brake 100%', 'Steering']);
    expect(await found('100%')).toEqual(['Brake 100%']);
    expect(await found('a_b')).toEqual(['Brake 100 kg']);
    expect(await found("'; drop table workspaces; --")).toEqual([]);
    expect(await found('\\')).toEqual([]);
  });

  it('refuse a change of something that changed meanwhile', async () => {
    const { id } = await create(kim, 'Contended');
    const path = `/api/v1/workspaces/${id}`;
    const tag = (await kim.request('GET', path)).headers.get('etag') ?? '';
    const headers = { 'if-match': tag };
    expect((await kim.request('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => kim.request('PATCH', path, { body: { name }, headers })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    expect(results.find(({ status }) => status === 412)?.body).toMatchObject({
      error: { code: 'PRECONDITION_FAILED' },
    });
    expect((await kim.request('DELETE', path, { headers })).status).toBe(412);
    expect((await kim.request('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204);
  });
});

function sameButIdAndTime(body: unknown): unknown {
  const { error } = body as { error: Record<string, unknown> };
  return { ...error, timestamp: '', request_id: '' };
}
