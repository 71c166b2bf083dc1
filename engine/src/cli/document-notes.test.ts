import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analyseCommand } from './analyse-command.js';
import { checklistCommand } from './checklist-command.js';
import { completenessCommand } from './completeness-command.js';
import { traceCommand } from './trace-command.js';

// What the reading of documents has to tell travels with every result, in the language asked for.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'normtrace-notes-'));
  await writeFile(
    join(folder, 'plan.html'),
    '<!doctype html><h1>Safety plan</h1><p>The plan names an author.</p><p hidden>All goals are met.</p><p hidden>Yes.</p>',
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const COMMANDS = [
  ['analyse', analyseCommand, ['--standard', 'iso-26262-3-2018', '--embeddings', 'off']],
  ['checklist', checklistCommand, ['--checklist', 'FS-HARA']],
  ['completeness', completenessCommand, []],
  ['trace', traceCommand, []],
] as const;
const SAID = {
  en: '2 places marked as hidden: read, but not counted as evidence',
  de: '2 als verborgen markierte Stellen: gelesen, aber nicht als Beleg gezählt',
};

it.each(
  COMMANDS.flatMap(([name, command, options]) =>
    (['en', 'de'] as const).flatMap((language) =>
      (['table', 'json'] as const).map((format) => ({ name, command, options, language, format })),
    ),
  ),
)('$name tells of hidden text in $language as $format', async ({ command, options, language, format }) => {
  const out: string[] = [];
  const stream = { write: (text: string | Uint8Array) => out.push(String(text)) > 0 };
  await command([folder, ...options, '--language', language, '--format', format], {
    out: stream,
    error: { write: () => true },
  });
  expect(out.join('').replace(/\s+/g, ' ')).toContain(SAID[language]);
});
