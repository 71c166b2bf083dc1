import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freeBytes } from '../platform/disk-space.js';
import { type ServiceProcess, startService } from '../testing/service-process.js';
import type { UploadSession } from '../testing/upload.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const SIZE = '450m';
const MIN_FREE_BYTES = 60_000_000;

const mounted = (directory: string): readonly string[] => [
  ...['unshare', '--mount', 'sh', '-c'],
  ...[`mount -t tmpfs -o size=${SIZE} none ${directory} && exec "$@"`, 'mount'],
];
const [command, ...words] = mounted(tmpdir());
const possible = spawnSync(command!, [...words, 'true']).status === 0;
if (!possible)
  console.info('skipped: this machine does not permit unshare --mount, so there is no disk to fill');

interface Answer {
  readonly status: number;
  readonly body: {
    readonly id?: string;
    readonly access_token?: string;
    readonly error?: { readonly message: string };
  };
}

let home: string;
let service: ServiceProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'normtrace-full-'));
});
afterEach(async () => {
  await service?.end('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

it.skipIf(!possible)('a full disk is told, survived, and costs nothing that was acknowledged', async () => {
  const dataDirectory = join(home, 'data');
  await mkdir(dataDirectory);
  const environment = { MIN_FREE_BYTES: String(MIN_FREE_BYTES), EMBEDDINGS: 'off' };
  const started = await startService({ dataDirectory, prefix: mounted(dataDirectory), environment });
  service = started;
  await started.untilReady();
  // The disk of the service, as this process sees it.
  const disk = join(`/proc/${started.process.pid}/root`, dataDirectory);
  const filling = join(disk, 'filling');
  const fillUntil = async (left: number): Promise<void> => {
    const file = openSync(filling, 'a');
    try {
      for (let free = await freeBytes(disk); free > left; free = await freeBytes(disk)) {
        writeSync(file, Buffer.alloc(Math.min(free - left, 4_000_000)));
      }
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    } finally {
      closeSync(file);
    }
  };

  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${started.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  let token = '';
  const person = { email: 'ada@example.org', password: 'correct horse battery staple', name: 'Ada' };
  token = (await ask('POST', '/api/v1/auth/sign-up', person)).body.access_token!;
  const make = (name: string) => ask('POST', '/api/v1/workspaces', { name, description: 'x'.repeat(500) });
  const place = (await make('First')).body.id!;
  const send = async (): Promise<number> => {
    const form = new FormData();
    const fields = { workspace_id: place, filename: 'a.md', content_type: 'text/markdown', size: '1000' };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const announced = await fetch(`${started.baseUrl}/api/v1/work-products/uploads/init`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(announced.status).toBe(201);
    const session = (await announced.json()) as UploadSession;
    const put = await fetch(session.upload_url, {
      method: 'PUT',
      headers: session.headers,
      body: 'x'.repeat(1000),
    });
    const text = await put.text();
    if (put.status !== 200) expect(JSON.parse(text).error).toMatchObject({ code: 'STORAGE_FULL' });
    return put.status;
  };
  expect(await send()).toBe(200);
  expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', checks: { disk: 'ok' } });

  await fillUntil(40_000_000);
  expect(await ask('GET', '/health')).toMatchObject({
    status: 200,
    body: { status: 'degraded', checks: { disk: 'low' } },
  });
  expect(await send()).toBe(507);

  await fillUntil(0);
  expect(await ask('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { checks: { disk: 'down' } },
  });
  const acknowledged: string[] = [];
  const refused: Answer[] = [];
  for (let count = 0; count < 2_000 && refused.length === 0; count++) {
    const answer = await make(`W${count}`);
    if (answer.status === 201) acknowledged.push(answer.body.id!);
    else refused.push(answer);
  }
  console.info(
    `${acknowledged.length} written on the full disk before the first refusal: ${refused[0]?.status}`,
  );
  expect(refused[0]).toMatchObject({ status: 507, body: { error: { code: 'STORAGE_FULL' } } });
  expect(refused[0]?.body.error?.message).toMatch(
    /disk of the service is full\. Nothing was kept\. Tell the operator/,
  );

  // PostgreSQL needs the next piece of its log, cannot have it, and ends.
  const { superuser } = JSON.parse(readFileSync(join(disk, 'credentials.json'), 'utf8')) as {
    superuser: string;
  };
  const config = {
    host: join(disk, 'postgres'),
    port: 5432,
    user: 'postgres',
    password: superuser,
    database: 'postgres',
  };
  const log = async (): Promise<void> => {
    const client = new pg.Client(config);
    client.on('error', () => undefined);
    try {
      await client.connect();
      for (;;)
        await client.query(
          `select pg_logical_emit_message(false, 'fill', repeat('x', 100000)), pg_switch_wal()`,
        );
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await expect
    .poll(
      async () => {
        await log().catch(() => undefined);
        return started.output();
      },
      { timeout: 60_000 },
    )
    .toContain('PostgreSQL cannot write. Nothing that was acknowledged is lost');
  expect(started.process.exitCode).toBeNull();
  expect((await make('Nowhere')).status).toBe(503);

  rmSync(filling);
  await expect.poll(async () => (await ask('GET', '/health/ready')).status, { timeout: 60_000 }).toBe(200);
  expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', checks: { disk: 'ok' } });
  expect(await send()).toBe(200);
  for (const id of [place, ...acknowledged]) {
    expect((await ask('GET', `/api/v1/workspaces/${id}`)).status).toBe(200);
  }
});
