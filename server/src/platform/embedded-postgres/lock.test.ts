import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { claimsDirectory, putUpClaim } from './claims.js';
import { type DirectoryLock, lockDirectory } from './lock.js';

vi.setConfig({ testTimeout: 30_000 });

let home: string;
let held: DirectoryLock[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'normtrace-lock-'));
  held = [];
});
afterEach(async () => {
  for (const lock of held) await lock.release();
  await rm(home, { recursive: true, force: true });
});

async function take(options: Parameters<typeof lockDirectory>[1] = {}): Promise<DirectoryLock> {
  const lock = await lockDirectory(home, options);
  held.push(lock);
  return lock;
}

const claims = async (): Promise<string[]> =>
  (await readdir(claimsDirectory(home))).filter((name) => name.endsWith('.json'));

/** A process that takes the directory and says what came of it; it lives until it is killed. */
async function takeElsewhere(): Promise<{ readonly said: string; kill(): Promise<void> }> {
  const code = `
    import { lockDirectory } from ${JSON.stringify(new URL('./lock.js', import.meta.url).href)};
    await lockDirectory(${JSON.stringify(home)}).then(() => console.log('taken'), (error) => console.log(error.message));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    said: said.toString('utf8').trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

it('is held by one at a time, and leaves nothing when it is given back', async () => {
  const lock = await take();
  await expect(take()).rejects.toThrow(`Another process (${process.pid}) uses the data directory ${home}`);
  expect(await claims()).toHaveLength(1);
  await lock.release();
  expect(await readdir(claimsDirectory(home))).toEqual([]);
  await take();
});

it('goes to one of several that want it at the very same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => take()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const lock of held.splice(0)) await lock.release();
  }
});

it('goes to one of several processes that want it at the very same moment, also after a dead one', async () => {
  for (let round = 0; round < 2; round++) {
    const tried = await Promise.all(Array.from({ length: 4 }, takeElsewhere));
    const said = tried.map((one) => one.said);
    for (const one of tried) await one.kill();
    expect(said.filter((one) => one === 'taken')).toHaveLength(1);
    expect(said.filter((one) => /^Another process \(\d+\) (uses|is about to use)/.test(one))).toHaveLength(3);
  }
});

it('is free at once after its holder was killed, whoever has its number now', async () => {
  const other = await takeElsewhere();
  expect(other.said).toBe('taken');
  await expect(take()).rejects.toThrow('uses the data directory');
  await other.kill();
  const [name] = await claims();
  const file = join(claimsDirectory(home), name!);
  const claim = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...claim, pid: process.pid }));
  const began = performance.now();
  await take();
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await claims()).toHaveLength(1);
});

it('is left to a holder on another machine whose heart beats, and taken from one whose heart stands still', async () => {
  const directory = claimsDirectory(home);
  const elsewhere = await putUpClaim(directory, 'another kernel');
  await elsewhere.hold();
  const [file] = await claims();
  // Sockets of another machine are files that nobody here holds.
  const content = await readFile(join(directory, file!), 'utf8');
  await elsewhere.withdraw();
  await writeFile(join(directory, file!), content);
  let now = Date.now() / 1000;
  const heart = setInterval(() => void utimes(join(directory, file!), ++now, now), 100);
  const told: string[] = [];
  const options = { watchMilliseconds: 1_000, onWait: (sentence: string) => told.push(sentence) };
  await expect(take(options)).rejects.toThrow('uses the data directory');
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/on another machine or before this one was started/);
  clearInterval(heart);
  const began = performance.now();
  await take(options);
  expect(performance.now() - began).toBeGreaterThan(900);
  expect(await claims()).not.toContain(file);
});

it.each(['', '{"id":', '[]'])(
  'judges a claim with the content %j by its doorbell and its heart',
  async (content) => {
    const lock = await take();
    const [file] = await claims();
    await writeFile(join(claimsDirectory(home), file!), content);
    await expect(take({ watchMilliseconds: 500 })).rejects.toThrow('Another process uses the data directory');
    await lock.release();
    held = [];
    await writeFile(join(claimsDirectory(home), file!), content);
    await take({ watchMilliseconds: 500 });
  },
);

it('is told when somebody removed its claim', async () => {
  const lost = new Promise<Error>((resolve) => void take({ onLost: resolve }));
  await expect.poll(() => claims().catch(() => [])).toHaveLength(1);
  await rm(claimsDirectory(home), { recursive: true });
  expect((await lost).message).toMatch(/was removed; another process may take the directory/);
});

it('works where the path is too long for a socket', async () => {
  const short = home;
  home = join(home, 'd'.repeat(120));
  await mkdir(home);
  const lock = await take();
  expect(lock.descriptor !== undefined).toBe(process.platform === 'linux');
  await expect(take({ watchMilliseconds: 3_000 })).rejects.toThrow('uses the data directory');
  await lock.release();
  held = [];
  home = short;
});

it('says that a directory cannot be written', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('skipped: root may write everywhere');
  await chmod(home, 0o500);
  await expect(take()).rejects.toThrow(
    /cannot be made or written by this process \(EACCES\)\. Let it write there/,
  );
  await chmod(home, 0o700);
});
