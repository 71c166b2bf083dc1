import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStagingSweep, sweepStaging, withStaging } from './staging.js';

let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'normtrace-staging-'));
});
afterAll(() => rm(dataDirectory, { recursive: true }));
const left = () => readdir(join(dataDirectory, 'staging'));

test('a folder is for this user only, and goes however the work ends', async () => {
  const seen = await withStaging({ dataDirectory }, async (folder) => {
    await writeFile(join(folder, 'document'), 'secret');
    expect(folder.startsWith(join(dataDirectory, 'staging'))).toBe(true);
    return [await stat(folder), await stat(join(dataDirectory, 'staging'))].map(({ mode }) => mode & 0o077);
  });
  expect(seen).toEqual([0, 0]);
  await expect(
    withStaging({ dataDirectory }, async (folder) => {
      await writeFile(join(folder, 'document'), 'secret');
      throw new Error('in the middle');
    }),
  ).rejects.toThrow('in the middle');
  expect(await left()).toEqual([]);
});

test('what killed processes left goes at the next sweep; what is in use stays', async () => {
  const host = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-');
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const id = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
  const make = (name: string) => mkdir(join(dataDirectory, 'staging', name), { recursive: true });
  await withStaging({ dataDirectory }, async () => {
    const [mine] = await left();
    const before = `${host}.${process.pid}.${id}`;
    const [killed, alive, elsewhere] = [
      `${host}.${dead}.${id}`,
      `${host}.${process.ppid}.${id}`,
      `other.7.${id}`,
    ];
    for (const name of [before, killed, alive, elsewhere]) await make(name);
    await sweepStaging({ dataDirectory });
    expect((await left()).sort()).toEqual([mine, alive, elsewhere].sort());
    await utimes(join(dataDirectory, 'staging', elsewhere), new Date(0), new Date(0));
    await sweepStaging({ dataDirectory });
    expect((await left()).sort()).toEqual([mine, alive].sort());
  });
});

test('a process whose clock is a day ahead leaves alone what others are at work on', async () => {
  const id = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
  const here = await mkdtemp(join(tmpdir(), 'normtrace-ahead-'));
  const staged = join(here, 'staging', `other.7.${id}`);
  const arriving = join(here, 'objects', `signing-key-${id}`);
  await mkdir(staged, { recursive: true });
  await mkdir(join(here, 'objects'));
  await writeFile(arriving, 'key');
  const abandoned = join(here, 'staging', `other.8.${id}`);
  await mkdir(abandoned);
  await utimes(abandoned, new Date(0), new Date(0));
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ['Date'] });
  try {
    const failed: unknown[] = [];
    const sweep = startStagingSweep({ dataDirectory: here }, (error) => failed.push(error));
    await expect.poll(() => readdir(join(here, 'staging'))).toEqual([`other.7.${id}`]);
    sweep.stop();
    expect([await readdir(join(here, 'objects')), failed]).toEqual([[`signing-key-${id}`], []]);
  } finally {
    vi.useRealTimers();
    await rm(here, { recursive: true });
  }
});
