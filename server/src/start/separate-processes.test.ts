import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  freePort,
  type ServiceOptions,
  type ServiceProcess,
  startService,
} from '../testing/service-process.js';
import { createBareDatabase } from '../testing/test-database.js';
import { addressOf } from '../testing/test-server.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let home: string;
let database: Awaited<ReturnType<typeof createBareDatabase>>;
let url: string;
let running: ServiceProcess[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'normtrace-processes-'));
  database = await createBareDatabase();
  url = addressOf(database.connections.migration);
  running = [];
});
afterEach(async () => {
  for (const service of running) {
    if (service.process.exitCode === null && service.process.signalCode === null)
      await service.end('SIGKILL');
  }
  await database.stop();
  await rm(home, { recursive: true, force: true });
});

async function start(entry: ServiceOptions['entry'], environment = {}): Promise<ServiceProcess> {
  const service = await startService({
    dataDirectory: home,
    entry,
    environment: { DATABASE_URL: url, BASE_URL: 'http://normtrace.example.org', ...environment },
  });
  running.push(service);
  return service;
}

const ended = async (service: ServiceProcess): Promise<number | null> => {
  await expect.poll(() => service.process.exitCode, { timeout: 60_000 }).not.toBeNull();
  return service.process.exitCode;
};

it('wait for the migrations, share one database, and stop in time', async () => {
  const early = await start('api');
  expect(await ended(early)).toBe(1);
  expect(early.output()).toMatch(/The database lacks \d+ migrations, from 0001_scope\.sql on\. Run node/);

  const migrations = await Promise.all([start('migrate'), start('migrate')]);
  const codes = await Promise.all(migrations.map(ended));
  const said = migrations.map((service) => service.output());
  expect(codes, said.join('\n')).toEqual([0, 0]);
  expect(said.filter((text) => text === 'The database is up to date.\n')).toHaveLength(1);
  expect(said.filter((text) => text.startsWith('Migrations that ran: 0001_scope.sql'))).toHaveLength(1);

  const apis = [await start('api'), await start('api')];
  const worker = await start('worker');
  await Promise.all(apis.map((api) => api.untilReady()));
  await expect.poll(() => worker.output(), { timeout: 10_000 }).toContain('worker ready');

  const signUp = await fetch(`${apis[0]!.baseUrl}/api/v1/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'correct horse battery staple', name: 'Ada' }),
  });
  expect(signUp.status).toBe(201);
  const { access_token } = (await signUp.json()) as { access_token: string };
  const me = await fetch(`${apis[1]!.baseUrl}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(me.status).toBe(200);

  const ends = await Promise.all([...apis, worker].map((service) => service.end('SIGTERM')));
  for (const { code, milliseconds } of ends) {
    expect(code).toBe(0);
    expect(milliseconds).toBeLessThan(5_000);
  }
});

it('wait for a database that is not there yet, and for one that recovers', async () => {
  const port = await freePort();
  const target = new URL(url);
  target.host = `127.0.0.1:${port}`;
  const away = { DATABASE_URL: target.href };
  const waiting = [await start('worker', away), await start('migrate', away)];
  const saying = (text: string) =>
    expect
      .poll(() => waiting.every((service) => service.output().includes(text)), { timeout: 60_000 })
      .toBe(true);
  await saying(
    'The database does not take connections yet (ECONNREFUSED); trying again for up to 5 minutes.',
  );

  // What PostgreSQL says while it recovers.
  const words = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';
  const refusal = Buffer.concat([Buffer.from('E\0\0\0\0'), Buffer.from(words)]);
  refusal.writeInt32BE(words.length + 4, 1);
  let isUp = false;
  const { host, port: there } = new pg.Client(database.connections.migration);
  const door = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isUp) return void socket.once('data', () => socket.end(refusal));
    const onwards = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${there}`) : connect(there, host);
    onwards.on('error', () => socket.destroy());
    return void socket.pipe(onwards).pipe(socket);
  }).listen(port, '127.0.0.1');
  try {
    await saying('The database does not take connections yet (57P03)');
    isUp = true;
    expect(await ended(waiting[1]!)).toBe(0);
    expect(waiting[1]!.output()).toContain('Migrations that ran: 0001_scope.sql');
    await expect
      .poll(() => waiting[0]!.output(), { timeout: 60_000 })
      .toMatch(/worker ready|The database lacks/);
  } finally {
    for (const service of waiting) await service.end('SIGKILL');
    door.close();
  }
});

it('say that they need a database of their own', async () => {
  for (const entry of ['api', 'worker'] as const) {
    const service = await start(entry, { DATABASE_URL: '' });
    expect(await ended(service)).toBe(1);
    expect(service.output()).toMatch(/need a DATABASE_URL/);
  }
});
