import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { programOf } from './program.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Later than the modules of the engine that this test belongs to. */
const LATER = Date.now() / 1000 + 3600;

/** A folder of built modules; numbers are the seconds after `LATER` at which each file was written. */
async function built(files: Readonly<Record<string, number>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'normtrace-program-'));
  folders.push(folder);
  await mkdir(join(folder, 'programs'));
  for (const [name, second] of Object.entries(files)) {
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), LATER + second, LATER + second);
  }
  return pathToFileURL(`${folder}/`);
}

test('a program is what the build put together', async () => {
  const dist = await built({ '.tsbuildinfo': 100, 'programs/made': 101 });
  expect(programOf('cli/main', dist).href).toBe(`${dist.href}programs/cli-main.js`);
  const published = await built({ 'programs/made': 100 });
  expect(programOf('cli/main', published).href).toBe(`${published.href}programs/cli-main.js`);
});

test('it is the module itself where the compiler ran later, or alone', async () => {
  const changed = await built({ '.tsbuildinfo': 102, 'programs/made': 101 });
  expect(programOf('cli/main', changed).href).toBe(`${changed.href}cli/main.js`);
  const alone = await built({ '.tsbuildinfo': 100 });
  expect(programOf('cli/main', alone).href).toBe(`${alone.href}cli/main.js`);
});

test('it is the module itself where the engine was compiled later than what was put together with it', async () => {
  const before = await built({ 'programs/made': 1 - LATER });
  expect(programOf('start/all', before).href).toBe(`${before.href}start/all.js`);
});
