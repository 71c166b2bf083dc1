import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyseCommand, type Streams } from './analyse-command.js';
import { checklistCommand } from './checklist-command.js';
import { completenessCommand } from './completeness-command.js';
import { traceCommand } from './trace-command.js';

const HARA = [
  '# Hazard analysis and risk assessment of the lamp',
  '## Safety goals',
  '| ID | Safety goal | ASIL |',
  '|---|---|---|',
  '| SG-01 | The lamp shall not go out while the vehicle moves. | B |',
  '| SG-02 | The safe state is TBD. | C |',
].join('\n\n');

describe('reports of the commands', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normtrace-reports-'));
    await writeFile(join(folder, '02_HARA.md'), HARA.replaceAll('|\n\n|', '|\n|'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (
    command: (args: readonly string[], streams: Streams) => Promise<number>,
    ...args: string[]
  ): Promise<{ readonly code: number; readonly out: string }> => {
    const parts: Buffer[] = [];
    const out = { write: (text: string | Uint8Array) => parts.push(Buffer.from(text as string)) > 0 };
    const code = await command([folder, ...args], { out, error: { write: () => true } });
    return { code, out: Buffer.concat(parts).toString() };
  };
  const COMMANDS = [
    ['analyse', analyseCommand, ['--standard', 'iso-26262-3-2018', '--embeddings', 'off']],
    ['trace', traceCommand, []],
    ['completeness', completenessCommand, []],
    ['checklist', checklistCommand, ['--checklist', 'FS-HARA']],
  ] as const;

  test.each(COMMANDS)(
    '%s writes SARIF and JUnit for build servers, and keeps its exit codes',
    async (_, command, args) => {
      const sarif = await run(command, ...args, '--format', 'sarif');
      const log = JSON.parse(sarif.out) as {
        runs: { results: unknown[]; artifacts: { location: object }[] }[];
      };
      expect(sarif.code).toBe(0);
      expect(log.runs[0]!.results.length).toBeGreaterThan(0);
      expect(log.runs[0]!.artifacts).toMatchObject([{ location: { uri: '02_HARA.md' } }]);
      const junit = await run(command, ...args, '--format', 'junit', '--fail-on', 'low');
      const failures = Number(/<testsuites [^>]*failures="(\d+)"/.exec(junit.out)?.[1]);
      expect([junit.code, failures > 0]).toEqual([1, true]);
    },
  );

  test('a file is written where --output says, in the language asked for', async () => {
    const output = join(folder, 'report.out');
    const args = ['--standard', 'iso-26262-3-2018', '--embeddings', 'off', '--output', output];
    const { out } = await run(analyseCommand, ...args, '--format', 'pdf');
    expect(out).toBe('');
    expect((await readFile(output)).subarray(0, 5).toString()).toBe('%PDF-');
    await run(analyseCommand, ...args, '--format', 'html', '--language', 'de', '--title', 'Lampe <1>');
    const html = await readFile(output, 'utf8');
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<h1>Lampe &lt;1&gt;</h1>');
  });

  test('what cannot be is refused before anything is read', async () => {
    await expect(run(traceCommand, '--format', 'docx')).rejects.toThrow('--format docx needs --output.');
    await expect(run(traceCommand, '--format', 'html', '--language', 'fr')).rejects.toThrow(
      '--language fr is not known.',
    );
    const nowhere = join(folder, 'no', 'such', 'folder', 'r.html');
    await expect(run(traceCommand, '--format', 'html', '--output', nowhere)).rejects.toThrow(
      'cannot be written',
    );
  });
});
