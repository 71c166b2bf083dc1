import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  freePort,
  isReady,
  postgresProcesses,
  type ServiceOptions,
  type ServiceProcess,
  startService,
} from '../testing/service-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

/** Processes, host name, shared memory and mounts of its own, as a container has them; the network is the machine's. */
const CONTAINER = ['unshare', '--pid', '--ipc', '--uts', '--mount-proc', '--fork', '--kill-child'];
/** The first process of the container outlives the service, so that the kernel does not end what the service leaves behind. */
const WITH_INIT = [...CONTAINER, 'sh', '-c', '"$@" & wait; exec sleep 300', 'init'];

const possible = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), 'true']).status === 0;
if (!possible)
  console.info('skipped: this machine does not permit unshare --pid, so there are no containers to try');

let home: string;
let dataDirectory: string;
let running: ServiceProcess[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'normtrace-containers-'));
  dataDirectory = join(home, 'data');
  running = [];
});
afterEach(async () => {
  for (const service of running) service.process.kill('SIGKILL');
  await expect.poll(() => postgresProcesses(dataDirectory), { timeout: 20_000 }).toEqual([]);
  await rm(home, { recursive: true, force: true });
});

async function start(port: number, options: Partial<ServiceOptions> = {}): Promise<ServiceProcess> {
  const service = await startService({ dataDirectory, port, prefix: CONTAINER, ...options });
  running.push(service);
  return service;
}

/** The processes below one, as this machine counts them. */
function below(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [...children, ...children.flatMap(below)];
}
const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

const post = (service: ServiceProcess, path: string, body: object): Promise<Response> =>
  fetch(`${service.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const ADA = { email: 'ada@example.org', password: 'correct horse battery staple' };

it.skipIf(!possible)(
  'one data directory serves one container at a time, and the next one when that is gone',
  async () => {
    // At the very same moment, before there is a database.
    const ports = [await freePort(), await freePort(), await freePort()];
    const together = await Promise.all(ports.map((port) => start(port, { prefix: WITH_INIT })));
    const outcomes = await Promise.all(
      together.map(async (service) => {
        await expect
          .poll(async () => (await isReady(service.baseUrl)) || /Another process/.test(service.output()), {
            timeout: 120_000,
          })
          .toBe(true);
        return isReady(service.baseUrl);
      }),
    );
    expect(outcomes.filter(Boolean), together.map((one) => one.output()).join('\n')).toHaveLength(1);
    const first = together[outcomes.indexOf(true)]!;
    expect((await post(first, '/auth/sign-up', { ...ADA, name: 'Ada' })).status).toBe(201);

    const second = await start(await freePort());
    await expect(second.untilReady()).rejects.toThrow(/Another process \(\d+\) uses the data directory/);
    expect((await post(first, '/auth/sign-in', ADA)).status).toBe(200);

    // The service dies, its PostgreSQL hangs, and nobody in another container can see it.
    const inside = below(first.process.pid!);
    const server = inside.find((pid) => /bin\/postgres -D/.test(commandOf(pid)))!;
    const owner = inside.find(
      (pid) => /start\/all\.js/.test(commandOf(pid)) && !/init/.test(commandOf(pid)),
    )!;
    process.kill(server, 'SIGSTOP');
    process.kill(owner, 'SIGKILL');
    const third = await start(await freePort());
    await expect.poll(() => third.output(), { timeout: 60_000 }).toContain('still runs; waiting for its end');
    expect(readdirSync(join(dataDirectory, 'postgres'))).toContain('postmaster.pid');
    process.kill(server, 'SIGCONT');
    await third.untilReady();
    expect((await post(third, '/auth/sign-in', ADA)).status).toBe(200);

    // A whole container is gone, and the number of its processes are those of the next one.
    await third.end('SIGKILL');
    const fourth = await start(await freePort());
    console.info(`ready ${Math.round(await fourth.untilReady())} ms after the start that followed a kill`);
    expect((await post(fourth, '/auth/sign-in', ADA)).status).toBe(200);
  },
);

it.skipIf(!possible)('a directory that may only be read is refused with a sentence', async () => {
  await mkdir(dataDirectory);
  const mounted = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    `mount -t tmpfs -o ro none ${dataDirectory} && exec "$@"`,
    'mount',
  ];
  const service = await start(await freePort(), { prefix: mounted });
  await expect(service.untilReady()).rejects.toThrow(
    `The data directory ${dataDirectory} cannot be made or written by this process (EROFS). Let it write there`,
  );
});
