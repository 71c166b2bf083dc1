import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDocumentReader } from '@normtrace/engine';
import { afterAll, expect, it } from 'vitest';
import { projectFiles } from '../../../engine/dist/testing/project-files.js';
import { oppositesOf } from './opposites.js';
import { documentsReader, filesIn } from './read-folder.js';
import { loadJudges } from './run-engines.js';

const PROJECTS = fileURLToPath(new URL('../../../engine/testdata/projects/', import.meta.url));
/** One in four where CI is set; not those whose defects are planted there. */
const IS_SHORT = Boolean(process.env.CI) && process.env.PLANTS !== 'all';
if (IS_SHORT) console.log('One project in four is read; all of them with PLANTS=all.');
const names = (await readdir(PROJECTS))
  .filter((name) => name.endsWith('.txt'))
  .filter((_, at) => !IS_SHORT || at % 4 === 1);
const judges = { ...(await loadJudges()), today: '2026-11-22' };
const reader = createDocumentReader();
const read = documentsReader(reader);
afterAll(() => reader.close());

const DEMO = fileURLToPath(new URL('../../../demo/documents/', import.meta.url));
it('no two engines say opposite things of one fact: demo', { timeout: 120_000 }, async () => {
  const documents = await read(filesIn(DEMO));
  expect(documents.length).toBeGreaterThan(1);
  expect(await oppositesOf(documents, judges)).toEqual([]);
});

it.each(names)('no two engines say opposite things of one fact: %s', { timeout: 120_000 }, async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'normtrace-opposites-'));
  try {
    for (const [file, bytes] of await projectFiles(await readFile(join(PROJECTS, name), 'utf8'))) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), bytes);
    }
    const documents = await read(filesIn(folder));
    expect(documents.length).toBeGreaterThan(1);
    expect(await oppositesOf(documents, judges)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
