import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

let database: TestDatabase;
let app: TestApp;
let other: TestApp;
let jo: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  other = await startTestApp(database);
  jo = await app.enter();
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

const create = (client: Client, key: string, body: unknown) =>
  client.request('POST', '/api/v1/workspaces', { body, headers: { 'idempotency-key': key } });
const countOf = async (name: string): Promise<number> =>
  Number(
    (await database.asOwner<{ n: string }>('select count(*) as n from workspaces where name = $1', [name]))[0]
      ?.n,
  );

describe('an idempotency key', () => {
  it('gives the first answer again', async () => {
    const first = await create(jo, 'again', { name: 'Again', description: 'x' });
    const second = await create(jo, 'again', { description: 'x', name: 'Again' });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await countOf('Again')).toBe(1);
  });

  it('is refused for another body or operation', async () => {
    await create(jo, 'once', { name: 'Once' });
    const reused = await create(jo, 'once', { name: 'Twice' });
    expect([reused.status, reused.body]).toEqual([
      422,
      {
        error: expect.objectContaining({
          details: { issues: [expect.objectContaining({ code: 'key_reused' })] },
        }),
      },
    ]);
    expect(await countOf('Twice')).toBe(0);
  });

  it('belongs to one user', async () => {
    const kim = await app.enter();
    await create(jo, 'shared', { name: 'Shared' });
    const own = await create(kim, 'shared', { name: 'Shared' });
    expect([own.status, own.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await countOf('Shared')).toBe(2);
  });

  it('lets sixteen requests at once, over two processes, make one thing and answer alike', async () => {
    const elsewhere = other.withToken(jo.token);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        create(n % 2 === 0 ? jo : elsewhere, 'sixteen', { name: 'Sixteen' }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length).toBe(1);
    expect(await countOf('Sixteen')).toBe(1);
  });

  it('is free again after a request that failed', async () => {
    const refused = await create(jo, 'second chance', { name: '' });
    expect(refused.status).toBe(422);
    expect((await create(jo, 'second-chance', { name: '' })).status).toBe(422);
    expect((await create(jo, 'second-chance', { name: 'Now right' })).status).toBe(201);
  });

  it('answers 409 while the first request is still running', async () => {
    const running = new pg.Client(database.connections.migration);
    await running.connect();
    try {
      await running.query('begin');
      await running.query(
        "insert into idempotency_keys (user_id, key, request_hash) values ($1, 'slow', '\\x00')",
        [jo.userId],
      );
      const answer = await create(jo, 'slow', { name: 'Slow' });
      expect([answer.status, answer.body]).toEqual([
        409,
        { error: expect.objectContaining({ code: 'CONFLICT' }) },
      ]);
    } finally {
      await running.end();
    }
    expect((await create(jo, 'slow', { name: 'Slow' })).status).toBe(201);
  });

  it('is forgotten after a day', async () => {
    await create(jo, 'yesterday', { name: 'Yesterday' });
    await database.asOwner(
      "update idempotency_keys set created_at = now() - interval '25 hours' where key = 'yesterday'",
    );
    expect(
      (await create(jo, 'yesterday', { name: 'Yesterday' })).headers.get('idempotency-replayed'),
    ).toBeNull();
    expect(await countOf('Yesterday')).toBe(2);
  });
});
