import { request as plainRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

let database: TestDatabase;
let app: TestApp;
let jo: Client;
let workspace: string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { environment: { ALLOWED_ORIGINS: 'https://app.example.org' } });
  jo = await app.signUp();
  const { body } = await jo.request('POST', '/api/v1/workspaces', { body: { name: 'Manners' } });
  workspace = (body as { id: string }).id;
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** The bytes as they came over the line; `fetch` would unpack them. */
async function raw(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const all = { authorization: `Bearer ${jo.token}`, ...headers };
    plainRequest(app.address + path, { headers: all }, resolve)
      .on('error', reject)
      .end();
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

describe('a method that an address does not have', () => {
  it.each([
    ['PUT', '/api/v1/workspaces', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/v1/workspaces?limit=1', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/v1/workspaces/3a1f8c55-7d1e-4d5b-8a77-9c6f5b1f8e11', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['PATCH', '/api/v1/workspaces/3a1f8c55-7d1e-4d5b-8a77-9c6f5b1f8e11/members', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/api/v1/auth/sign-in', 'OPTIONS, POST'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s is answered 405 with Allow', async (method, path, allow) => {
    const answer = await jo.request(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.body).toMatchObject({
      error: { code: 'METHOD_NOT_ALLOWED', details: { allowed: allow.split(', ') } },
    });
  });

  it('OPTIONS tells what there is, a preflight as well', async () => {
    const plain = await jo.request('OPTIONS', `/api/v1/workspaces/${workspace}`);
    expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    const preflight = await app.anyone.request('OPTIONS', `/api/v1/workspaces/${workspace}`, {
      headers: { origin: 'https://app.example.org', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  });

  it('HEAD has the headers of GET and nothing else', async () => {
    const answer = await jo.request('HEAD', `/api/v1/workspaces/${workspace}`);
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([
      200,
      '',
      (await jo.request('GET', `/api/v1/workspaces/${workspace}`)).headers.get('etag'),
    ]);
  });
});

describe('an answer', () => {
  it('shows its headers to pages of other origins', async () => {
    const { headers } = await jo.request('GET', '/api/v1/workspaces', {
      headers: { origin: 'https://app.example.org' },
    });
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        ...['content-disposition', 'location', 'etag', 'x-request-id', 'ratelimit', 'ratelimit-policy'],
        ...['retry-after', 'idempotency-replayed', 'deprecation', 'sunset', 'allow'],
      ]),
    );
  });

  it.each(['/api/v1/auth/me', '/api/v1/workspaces', '/api/v1/nothing', '/api/v1/health'])(
    'at %s is kept by no cache',
    async (path) => {
      expect((await jo.request('GET', path)).headers.get('cache-control')).toBe('no-store');
    },
  );

  it('is revalidated by its tag all the same', async () => {
    const path = `/api/v1/workspaces/${workspace}`;
    const tag = (await jo.request('GET', path)).headers.get('etag') ?? '';
    expect((await jo.request('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('of more than 4 KB is compressed for those who accept it', async () => {
    const path = '/api/v1/standards/common?limit=100';
    const [plain, zipped] = [await raw(path), await raw(path, { 'accept-encoding': 'br;q=0, gzip' })];
    expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([
      undefined,
      'gzip',
    ]);
    expect(zipped.headers.vary).toMatch(/Accept-Encoding/);
    expect(plain.headers.vary).toMatch(/Accept-Encoding/);
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    const refused = await raw(path, { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('that is compressed has a tag of its own, which names the same resource', async () => {
    const description = 'long '.repeat(400);
    const change = { name: 'Manners', description: description.trim() };
    await jo.request('PATCH', `/api/v1/workspaces/${workspace}`, { body: change });
    const events = `/api/v1/compliance/checklists/${await builtInChecklist()}`;
    const [plain, zipped] = [await raw(events), await raw(events, { 'accept-encoding': 'gzip' })];
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'));
    const again = await raw(events, { 'if-none-match': zipped.headers.etag ?? '' });
    expect(again.status).toBe(304);
  });

  it('that is small or carries a token is not compressed', async () => {
    for (const path of ['/api/v1/workspaces', '/api/v1/auth/tokens'])
      expect((await raw(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
    expect((await raw('/api/v1/auth/tokens', { 'accept-encoding': 'gzip' })).headers.vary ?? '').not.toMatch(
      /Accept-Encoding/,
    );
  });
});

const builtInChecklist = async (): Promise<string> => {
  const { body } = await jo.request('GET', '/api/v1/compliance/checklists?built_in=true&limit=1');
  return (body as { items: { id: string }[] }).items[0]?.id ?? '';
};

describe('a refusal speaks our words', () => {
  const issues = async (method: string, path: string, body?: unknown) => {
    const answer = await jo.request(method, path, body === undefined ? {} : { body });
    expect(answer.status).toBe(422);
    return (answer.body as { error: { details: { issues: { path: string; message: string }[] } } }).error
      .details.issues;
  };

  it.each<[string, string, unknown, string, string]>([
    ['GET', '/api/v1/workspaces?limit=101', undefined, 'query.limit', 'At most 100.'],
    ['GET', '/api/v1/workspaces?limit=0', undefined, 'query.limit', 'At least 1.'],
    ['GET', '/api/v1/workspaces?colour=red', undefined, 'query.colour', 'Unknown field.'],
    [
      'GET',
      '/api/v1/workspaces/7',
      undefined,
      'path.id',
      'Should be a UUID, such as 0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10.',
    ],
    [
      'GET',
      '/api/v1/analysis/analyses?status=over',
      undefined,
      'query.status.0',
      'Should be one of queued, running, completed, failed, cancelled, timed_out.',
    ],
    ['POST', '/api/v1/workspaces', {}, 'body.name', 'Missing.'],
    ['POST', '/api/v1/workspaces', { name: 7 }, 'body.name', 'Should be a text.'],
    ['POST', '/api/v1/workspaces', { name: 'x'.repeat(201) }, 'body.name', 'At most 200 characters.'],
    ['POST', '/api/v1/workspaces', [], 'body', 'Should be an object.'],
  ])('%s %s with %j: %s %s', async (method, path, body, where, message) => {
    expect(await issues(method, path, body)).toEqual([expect.objectContaining({ path: where, message })]);
  });

  it('415 names the type that is expected', async () => {
    const send = (path: string) =>
      jo.request('POST', path, { body: 'a', headers: { 'content-type': 'text/plain' } });
    const { body, status } = await send('/api/v1/workspaces');
    expect([status, body]).toMatchObject([
      415,
      {
        error: { message: 'Send the body as application/json.', details: { accepted: ['application/json'] } },
      },
    ]);
    expect((await send('/api/v1/work-products/uploads/init')).body).toMatchObject({
      error: { message: 'Send the body as application/json or multipart/form-data.' },
    });
  });
});
