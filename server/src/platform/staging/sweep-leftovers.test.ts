import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepLeftovers } from './sweep-leftovers.js';

const HOUR = 3_600_000;
const ID = '0b6d7a1e-54c2-4b89-9a53-2f1f0ed7b1c4';
const hoursFromNow = (hours: number): Date => new Date(Date.now() + hours * HOUR);

test('what killed processes left goes when nobody can be at work on it, and nothing else does', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'normtrace-leftovers-'));
  await mkdir(join(dataDirectory, 'objects/unfinished'), { recursive: true });
  await mkdir(join(dataDirectory, 'objects/files/a'), { recursive: true });
  await mkdir(join(dataDirectory, 'backup-77/postgres'), { recursive: true });
  const kept = [
    'objects/signing-key',
    'objects/files/a/b',
    'credentials.json',
    'postgres.log',
    'objects/unfinished/mine',
  ];
  const leftovers = [`objects/unfinished/${ID}`, `objects/signing-key-${ID}`, `credentials.json.${ID}.new`];
  for (const path of [...kept, ...leftovers]) await writeFile(join(dataDirectory, path), 'x');
  const sweep = (hours: number) => sweepLeftovers({ dataDirectory }, hoursFromNow(hours));

  expect(await sweep(1)).toBe(0);
  expect(await sweep(3)).toBe(3);
  expect(await sweep(3)).toBe(0);
  expect(await sweep(25)).toBe(1);
  expect(await readdir(dataDirectory, { recursive: true })).toEqual(expect.arrayContaining(kept));
  expect(await readdir(join(dataDirectory, 'objects/unfinished'))).toEqual(['mine']);
  expect((await readdir(dataDirectory)).sort()).toEqual(['credentials.json', 'objects', 'postgres.log']);
  await rm(dataDirectory, { recursive: true });
  expect(await sweep(25)).toBe(0);
});
