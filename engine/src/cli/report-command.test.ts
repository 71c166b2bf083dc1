import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../reports/report.js';
import { reportCommand } from './report-command.js';

const hara = (state: string, more: readonly string[] = []) =>
  [
    '# Hazard analysis and risk assessment of the lamp',
    '',
    '## Safety goals',
    '',
    '| ID | Safety goal | ASIL | Safe state |',
    '|---|---|---|---|',
    '| SG-01 | The lamp shall not go out while the vehicle moves. | B | Lamp on |',
    `| SG-02 | The lamp shall not dazzle. | A | ${state} |`,
    ...more,
  ].join('\n');

describe('normtrace report --baseline', () => {
  let folder: string;
  let documents: string;
  let baseline: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normtrace-baseline-'));
    documents = join(folder, '02_HARA.md');
    baseline = join(folder, 'before.json');
    await writeFile(documents, hara('TBD'));
    await run('--format', 'json', '--output', baseline);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function run(...args: string[]): Promise<string> {
    const parts: string[] = [];
    const out = { write: (text: string | Uint8Array) => parts.push(String(text)) > 0 };
    const code = await reportCommand(
      [documents, '--standard', 'iso-26262-3-2018', '--embeddings', 'off', ...args],
      { out, error: { write: () => true } },
    );
    expect(code).toBe(0);
    return parts.join('');
  }

  test('the first page tells that nothing changed, or what is new and what is gone', async () => {
    const same = await run('--baseline', baseline);
    expect(same).toMatch(/Against the run before\s+0 new, 0 changed, 0 no longer found, \d+ unchanged/);
    expect(same).not.toContain('New since then');
    await writeFile(documents, hara('Lamp dimmed', ['', 'SG-01 follows SG-09.']));
    const now = await run('--baseline', baseline);
    expect(now).toMatch(/No longer found\s+.*SG-02: content still open/);
    const first = now.slice(0, now.indexOf('To decide first'));
    expect(first).toContain('Against the run before');
    const german = await run('--baseline', baseline, '--language', 'de');
    expect(german).toContain('Nicht mehr gefunden');
  });

  test('every finding of the JSON says what became of it', async () => {
    const { parts } = JSON.parse(await run('--baseline', baseline, '--format', 'json')) as Report;
    for (const { findings, changes } of parts) {
      expect(changes).toBeDefined();
      expect(findings.every(({ change }) => change !== undefined)).toBe(true);
    }
  });

  test('what is no report is refused before anything is read', async () => {
    await expect(run('--baseline', documents)).rejects.toThrow('is no report in JSON');
    await expect(run('--baseline', join(folder, 'nowhere.json'))).rejects.toThrow('cannot be read');
  });
});

describe('normtrace report without a standard', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normtrace-usual-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function report(name: string, text: string): Promise<{ report: Report; said: string }> {
    const file = join(folder, name);
    await writeFile(file, text);
    const parts: string[] = [];
    const said: string[] = [];
    const code = await reportCommand([file, '--embeddings', 'off', '--format', 'json'], {
      out: { write: (one: string | Uint8Array) => parts.push(String(one)) > 0 },
      error: { write: (one: string | Uint8Array) => said.push(String(one)) > 0 },
    });
    expect(code).toBe(0);
    return { report: JSON.parse(parts.join('')) as Report, said: said.join('') };
  }

  test('takes those that the types of the documents suggest, and says which', async () => {
    const { report: made, said } = await report('02_HARA.md', hara('Lamp on'));
    expect(made.parts.map(({ type }) => type)).toEqual([
      'gap_analysis',
      'completeness',
      'checklist',
      'traceability',
    ]);
    expect(said).toContain('iso-26262-3-2018, FS-HARA');
  });

  test('says that none is suggested', async () => {
    const { report: made, said } = await report('minutes.md', '# Minutes\n\nWe met on Monday.\n');
    expect(made.parts.map(({ type }) => type)).toEqual(['completeness', 'traceability']);
    expect(said).toContain('Compared with no standard');
  });
});
