import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'normtrace-checklist-'));
  await mkdir(join(folder, 'docs'));
  const write = (name: string, lines: readonly string[]) => writeFile(join(folder, name), lines.join('\n'));
  await write('docs/Software requirements specification.md', [
    '# Software requirements specification',
    '',
    '| ID | Requirement | Release |',
    '|---|---|---|',
    '| SWR-1 | The lamp driver shall report an appropriate fault. | R1 |',
    '| SWR-2 | The lamp driver shall switch the lamp off within 20 ms. | R1 |',
  ]);
  await write('docs/logo.svg', ['<svg/>']);
  await write('own.csv', [
    'ID;Prüffrage;Schweregrad;Ergebnis',
    'A;Ist jede Anforderung eindeutig formuliert?;hoch;ja',
    'B;Ist jede Anforderung machbar?;niedrig;',
  ]);
  await write('broken.csv', ['ID;Prüffrage;Schweregrad', 'A;Ist alles gut?;eilig']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder });
    let out = '';
    let error = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, error }));
  });
}

describe('normtrace checklist', () => {
  it('prints every item with its answer, quotes, what was searched and what a person has to confirm', async () => {
    const { code, out, error } = await run('checklist', 'docs', '--checklist', 'asp-swe1');
    expect(code).toBe(0);
    expect(out).toMatch(/pass +ASP-SWE1-01 /);
    expect(out).toMatch(/FAIL +ASP-SWE1-03 /);
    expect(out).toContain('“The lamp driver shall report an appropriate fault.”');
    expect(out).toMatch(/MISSING +ASP-SWE1-05 /);
    expect(out).toContain('Searched 1 document');
    expect(out).toMatch(/A person has to confirm \d+ of 10/);
    expect(out).toContain('logo.svg');
    expect(out).toContain('not a confirmation measure');
    expect(error).toContain('Reading: Software requirements specification.md');
    expect(out + error).not.toContain('\u001b');
  });

  it('answers a checklist from a table, several at once as JSON, into a file', async () => {
    const { code, out } = await run(
      ...['checklist', 'docs', '--checklist', 'own.csv', '--checklist', 'CS-VV'],
      ...['--format', 'json', '--output', 'out.json'],
    );
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const { checklists } = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'));
    expect(
      checklists.map((one: { method: { checklist: { id: string } } }) => one.method.checklist.id),
    ).toEqual(['USR-OWN', 'CS-VV']);
    expect(checklists[0].items).toMatchObject([
      { itemId: 'USR-A', verdict: 'fail', severity: 'high', needsConfirmation: false },
      { itemId: 'USR-B', verdict: 'pass', needsConfirmation: true },
    ]);
  });

  it('exits with 1 for what is as severe as asked, and not for what a person has to confirm', async () => {
    expect((await run('checklist', 'docs', '--checklist', 'own.csv', '--fail-on', 'high')).code).toBe(1);
    await writeFile(join(folder, 'open.csv'), 'ID;Question\nB;Is every requirement feasible?\n');
    expect((await run('checklist', 'docs', '--checklist', 'open.csv', '--fail-on', 'low')).code).toBe(0);
  });

  it.each([
    [['checklist'], 'No folder or file was given'],
    [['checklist', 'docs'], '--checklist is missing'],
    [['checklist', 'docs', '--checklist', 'ASP-SWE9'], 'There is no checklist "ASP-SWE9"'],
    [['checklist', 'docs', '--checklist', 'nowhere.csv'], 'There is no file "nowhere.csv"'],
    [['checklist', 'docs', '--checklist', 'broken.csv'], 'row 2, column "Schweregrad": Severity is one of'],
    [['checklist', 'docs', '--checklist', 'own.csv', '--format', 'xml'], 'Use text, table, json'],
    [['checklist', 'docs', '--checklist', 'own.csv', '--fail-on', 'huge'], 'Use critical, high, medium, low'],
    [['checklists', '--format', 'xml'], 'Use text, table, json'],
  ])('%j cannot run and says why', async (args, message) => {
    const { code, out, error } = await run(...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(error).not.toContain('    at ');
    expect(out).toBe('');
  });
});

describe('normtrace checklists', () => {
  it('lists all, those that words fit, and teaches', async () => {
    const { out } = await run('checklists', '--format', 'json');
    const lists: { id: string; items: number }[] = JSON.parse(out);
    expect(lists.map(({ id }) => id)).toContain('CS-TARA');
    expect(lists.reduce((sum, { items }) => sum + items, 0)).toBe(223);
    expect((await run('checklists', 'bedrohungsanalyse')).out).toMatch(/^CS-TARA +16 items /);
    expect((await run('checklists', 'gardening')).out).toContain('No checklist fits');
    expect((await run('checklist', '--help')).out).toContain('--checklist');
    expect((await run('checklists', '--help')).out).toContain('tara');
  });
});
