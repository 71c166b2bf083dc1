import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { DIST, isBundled, MADE } from '../scheduling/program.js';
import { engineIdentity, hashOfModules } from './engine-identity.js';

test('the build has noted the hash of the modules that it put together', async () => {
  if (isBundled()) expect(await readFile(new URL(MADE, DIST), 'utf8')).toBe(await hashOfModules(DIST));
  expect(await engineIdentity()).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
});

test('another name or another content of a module is another engine; tests and programs are none of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'normtrace-identity-'));
  const hash = (): Promise<string> => hashOfModules(pathToFileURL(`${folder}/`));
  try {
    await mkdir(join(folder, 'programs'));
    await mkdir(join(folder, 'corpus'));
    await writeFile(join(folder, 'corpus', 'a.js'), 'one');
    const first = await hash();
    await writeFile(join(folder, 'programs', 'cli-main.js'), 'x');
    await writeFile(join(folder, 'corpus', 'a.test.js'), 'x');
    expect(await hash()).toBe(first);
    await writeFile(join(folder, 'corpus', 'a.js'), 'two');
    const second = await hash();
    expect(second).not.toBe(first);
    await rm(join(folder, 'corpus', 'a.js'));
    await writeFile(join(folder, 'corpus', 'b.js'), 'two');
    expect(await hash()).not.toBe(second);
  } finally {
    await rm(folder, { recursive: true });
  }
});
