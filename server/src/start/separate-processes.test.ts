import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ServiceOptions, type ServiceProcess, startService } from '../testing/service-process.js';
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

it('say that they need a database of their own', async () => {
  for (const entry of ['api', 'worker'] as const) {
    const service = await start(entry, { DATABASE_URL: '' });
    expect(await ended(service)).toBe(1);
    expect(service.output()).toMatch(/need a DATABASE_URL/);
  }
});
