import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../platform/database/create-database.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

let database: TestDatabase;
let app: TestApp;
let jo: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database, { environment: { ALLOWED_ORIGINS: 'https://app.example.org' } });
  jo = await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const workspaces = '/api/v1/workspaces';
const json = { 'content-type': 'application/json' };

describe('every error', () => {
  it.each<[string, number, string, () => Promise<{ status: number; body: unknown; headers: Headers }>]>([
    ['an unknown address', 404, 'NOT_FOUND', () => jo.request('GET', '/api/v1/nothing')],
    ['an unknown address outside the API', 404, 'NOT_FOUND', () => jo.request('GET', '/wp-login.php')],
    [
      'a method that the address does not have',
      405,
      'METHOD_NOT_ALLOWED',
      () => jo.request('PUT', workspaces, { body: {} }),
    ],
    ['a path that cannot be decoded', 400, 'BAD_REQUEST', () => jo.request('GET', `${workspaces}/%zz`)],
    ['no token', 401, 'AUTHENTICATION_ERROR', () => app.anyone.request('GET', workspaces)],
    [
      'malformed JSON',
      400,
      'BAD_REQUEST',
      () => jo.request('POST', workspaces, { body: '{"name":', headers: json }),
    ],
    [
      'JSON that reaches for the prototype',
      400,
      'BAD_REQUEST',
      () => jo.request('POST', workspaces, { body: '{"name":"x","__proto__":{"a":1}}', headers: json }),
    ],
    [
      'another content type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () => jo.request('POST', workspaces, { body: '<a/>', headers: { 'content-type': 'text/xml' } }),
    ],
    [
      'plain text',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () => jo.request('POST', workspaces, { body: 'name', headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'a body that is too large',
      413,
      'PAYLOAD_TOO_LARGE',
      () => jo.request('POST', workspaces, { body: { name: 'x'.repeat(2_000_000) } }),
    ],
    ['no body', 422, 'VALIDATION_ERROR', () => jo.request('POST', workspaces)],
    [
      'an unknown field',
      422,
      'VALIDATION_ERROR',
      () => jo.request('POST', workspaces, { body: { name: 'a', x: 1 } }),
    ],
    [
      'an unknown query parameter',
      422,
      'VALIDATION_ERROR',
      () => jo.request('GET', `${workspaces}?colour=red`),
    ],
    ['an id that is none', 422, 'VALIDATION_ERROR', () => jo.request('GET', `${workspaces}/42`)],
    ['a limit of nothing', 422, 'VALIDATION_ERROR', () => jo.request('GET', `${workspaces}?limit=0`)],
    ['a limit past the maximum', 422, 'VALIDATION_ERROR', () => jo.request('GET', `${workspaces}?limit=101`)],
    [
      'a limit that is no number',
      422,
      'VALIDATION_ERROR',
      () => jo.request('GET', `${workspaces}?limit=many`),
    ],
    [
      'a limit given twice',
      422,
      'VALIDATION_ERROR',
      () => jo.request('GET', `${workspaces}?limit=1&limit=2`),
    ],
    ['a cursor that is none', 422, 'VALIDATION_ERROR', () => jo.request('GET', `${workspaces}?cursor=abc`)],
    [
      'control characters',
      422,
      'VALIDATION_ERROR',
      () => jo.request('POST', workspaces, { body: { name: 'a\u0000b' } }),
    ],
    [
      'half a character',
      422,
      'VALIDATION_ERROR',
      () => jo.request('POST', workspaces, { body: '{"name":"a\\ud800b"}', headers: json }),
    ],
    ['a zero byte in a search', 422, 'VALIDATION_ERROR', () => jo.request('GET', `${workspaces}?search=%00`)],
    [
      'a zero byte in a filter',
      422,
      'VALIDATION_ERROR',
      () => jo.request('GET', '/api/v1/work-products?tag=a%00'),
    ],
    [
      'a zero byte in an address',
      422,
      'VALIDATION_ERROR',
      () => app.anyone.request('POST', '/api/v1/auth/sign-in', { body: { email: 'a\0', password: 'x' } }),
    ],
    [
      'an idempotency key that cannot be one',
      422,
      'VALIDATION_ERROR',
      () => jo.request('POST', workspaces, { body: { name: 'a' }, headers: { 'idempotency-key': 'a b' } }),
    ],
  ])('%s: %i %s in the envelope', async (_what, status, code, request) => {
    const answer = await request();
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error: {
        code,
        message: expect.stringMatching(/\.$/),
        details: expect.any(Object),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        request_id: answer.headers.get('x-request-id'),
      },
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('that is about the input says where', async () => {
    const { body } = await jo.request('POST', workspaces, { body: { description: 1, colour: 'red' } });
    expect(body).toMatchObject({
      error: {
        details: {
          issues: expect.arrayContaining([
            { path: 'body.name', message: expect.any(String), code: 'invalid_type' },
            { path: 'body.description', message: expect.any(String), code: 'invalid_type' },
            { path: 'body.colour', message: 'Unknown field.', code: 'unrecognized_keys' },
          ]),
        },
      },
    });
  });

  it('even that of a request that is not HTTP', async () => {
    const { port } = new URL(app.address);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('NOT HTTP AT ALL\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    const requestId = /x-request-id: (\S+)/i.exec(head ?? '')?.[1];
    expect(JSON.parse(body ?? '')).toMatchObject({ error: { code: 'BAD_REQUEST', request_id: requestId } });
  });

  it('of a refused token says why, with a challenge', async () => {
    const missing = await app.anyone.request('GET', '/api/v1/auth/me');
    expect(missing.body).toMatchObject({ error: { details: { reason: 'missing_token' } } });
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    const malformed = await app.withToken('abc').request('GET', '/api/v1/auth/me');
    expect(malformed.body).toMatchObject({ error: { details: { reason: 'malformed_token' } } });
    expect(malformed.headers.get('www-authenticate')).toContain('invalid_token');
  });
});

describe('every answer', () => {
  it('carries a request id; the caller’s own when it is safe', async () => {
    const id = async (own?: string) =>
      (await jo.request('GET', workspaces, own ? { headers: { 'x-request-id': own } } : {})).headers.get(
        'x-request-id',
      );
    expect(await id()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('build-7.42:a')).toBe('build-7.42:a');
    expect(await id('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('a b')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('forbids sniffing, framing and active content', async () => {
    const { headers } = await jo.request('GET', workspaces);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  it('lets only the named origins read it', async () => {
    const allowed = (origin: string) =>
      jo
        .request('GET', workspaces, { headers: { origin } })
        .then(({ headers }) => headers.get('access-control-allow-origin'));
    expect(await allowed('https://app.example.org')).toBe('https://app.example.org');
    expect(await allowed('https://evil.example.org')).toBeNull();
    expect(await allowed('null')).toBeNull();
    const preflight = await app.anyone.request('OPTIONS', workspaces, {
      headers: { origin: 'https://app.example.org', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('with REQUIRE_HTTPS behind a proxy', () => {
  it('plain HTTP is refused, probes and HTTPS are answered', async () => {
    const strict = await startTestApp(database, {
      environment: { REQUIRE_HTTPS: 'true', TRUST_PROXY: 'true' },
    });
    try {
      const path = '/api/v1/nothing';
      const plain = await strict.anyone.request('GET', path);
      expect([plain.status, plain.body]).toEqual([
        400,
        expect.objectContaining({ error: expect.anything() }),
      ]);
      const secure = await strict.anyone.request('GET', path, { headers: { 'x-forwarded-proto': 'https' } });
      expect(secure.status).toBe(404);
      expect(secure.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
      expect((await strict.anyone.request('GET', '/health')).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  it('nobody believes the header without a proxy', async () => {
    const strict = await startTestApp(database, { environment: { REQUIRE_HTTPS: 'true' } });
    try {
      const answer = await strict.anyone.request('GET', '/api/v1/nothing', {
        headers: { 'x-forwarded-proto': 'https' },
      });
      expect(answer.status).toBe(400);
    } finally {
      await strict.stop();
    }
  });
});

describe('while the database is away', () => {
  it('requests are answered 503, liveness goes on, health says so, and afterwards all is well', async () => {
    const line = await openLine(database.connections.application);
    const connections = {
      migration: line.through(database.connections.migration),
      application: line.through(database.connections.application),
      system: line.through(database.connections.system),
    };
    const reached = createDatabase({ connections, log: pino({ level: 'silent' }) });
    const lonely = await startTestApp({ ...database, database: reached, connections });
    const client = lonely.withToken(jo.token);
    expect((await client.request('GET', '/health/ready')).body).toMatchObject({ status: 'ok' });

    line.cut();
    const answer = await client.request('POST', workspaces, { body: { name: 'x' } });
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) },
    ]);
    expect((await client.request('GET', '/health/live')).status).toBe(200);
    const ready = await client.request('GET', '/health/ready');
    expect([ready.status, ready.body]).toEqual([
      503,
      {
        status: 'down',
        version: expect.any(String),
        checks: { database: 'down', storage: 'ok', queue: 'down', disk: 'ok' },
      },
    ]);

    line.mend();
    const create = () =>
      client.request('POST', workspaces, { body: { name: 'Back' } }).then(({ status }) => status);
    await expect.poll(create, { timeout: 10_000 }).toBe(201);
    await lonely.stop();
    await reached.close();
    await line.close();
  });
});

/** A line to the database that can be cut and mended. */
async function openLine(config: pg.ClientConfig) {
  const { host, port } = new pg.Client(config);
  const sockets = new Set<Socket>();
  let isCut = false;
  const line = createServer((socket) => {
    if (isCut) return socket.destroy();
    const onwards = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const end of [socket, onwards]) {
      sockets.add(end);
      end.on('error', () => undefined).on('close', () => sockets.delete(end));
    }
    socket.pipe(onwards).pipe(socket);
    socket.on('close', () => onwards.destroy());
    onwards.on('close', () => socket.destroy());
    return socket;
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const own = { host: '127.0.0.1', port: (line.address() as AddressInfo).port };
  return {
    through(target: pg.ClientConfig): pg.ClientConfig {
      if (target.connectionString === undefined) return { ...target, ...own };
      const url = new URL(target.connectionString);
      url.host = `${own.host}:${own.port}`;
      return { ...target, connectionString: url.href };
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close: () => new Promise((resolve) => line.close(resolve)),
  };
}
