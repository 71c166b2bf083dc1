import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocumentReader } from '../documents/document-reader.js';
import { createProgress } from './progress.js';
import { takenApart } from './trace-file.js';
import { readForTrace } from './trace-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'normtrace-traced-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

test('files are taken apart where they are read, with what this process says of each, and what cannot be read', async () => {
  const words = 'The system shall hold its output within the limit and report a violation of it. '.repeat(60);
  for (const name of ['software-requirements', 'export']) {
    const rows = Array.from({ length: 900 }, (_, at) => `| ${name[0]}SWR-${at} | ${words} | SG-${at} |\n`);
    await writeFile(
      join(folder, `${name}.md`),
      `# ${name}\n\n| ID | Description | Derived from |\n|---|---|---|\n${rows.join('')}\n`,
    );
  }
  await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7 and nothing more');
  const told: string[] = [];
  const progress = createProgress({ write: (text: string) => told.push(text) > 0 } as never);
  const given = (name: string) => (name === 'export.md' ? 'test_specification' : undefined);
  const read = await readForTrace([folder], progress, given);
  expect(read.unread).toEqual(['broken.pdf']);
  expect(read.notAssessed[0]?.reason).toBeTruthy();
  expect(read.documents.map(({ name, documentType }) => [name, documentType])).toEqual([
    ['export.md', 'test_specification'],
    ['software-requirements.md', 'software_requirements_spec'],
  ]);
  const reader = createDocumentReader();
  try {
    for (const one of read.documents) {
      const documentType = given(one.name);
      const path = join(folder, one.name);
      const document = await reader.read(await readFile(path), { fileName: one.name });
      const alone = await takenApart({ id: one.name, document }, documentType);
      // References come into being when somebody looks at them.
      const statements = one.statements.seen.statements.map((statement) => ({
        ...statement,
        references: [...statement.references],
      }));
      const seen = { ...one.statements.seen, statements };
      expect({ ...one, statements: { seen } }).toMatchObject(JSON.parse(JSON.stringify(alone)));
      expect(statements).toHaveLength(900);
      expect(statements.some(({ references }) => references.length > 0)).toBe(true);
    }
  } finally {
    await reader.close();
  }
});
