import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checklistCommand } from './checklist-command.js';
import { checklistsCommand } from './checklists-command.js';
import { CommandError } from './command-error.js';

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

async function run(
  command: typeof checklistCommand,
  ...args: string[]
): Promise<{ code: number; out: string; error: string }> {
  const out: string[] = [];
  const error: string[] = [];
  const stream = (to: string[]) => ({ write: (text: string | Uint8Array) => to.push(String(text)) > 0 });
  const code = await command(args, { out: stream(out), error: stream(error) });
  return { code, out: out.join(''), error: error.join('') };
}
const checklist = (...args: string[]) => run(checklistCommand, ...args);
const file = (name: string) => join(folder, name);

describe('normtrace checklist', () => {
  it('says what to do about each item that fails or is missing, in the language of the report', async () => {
    const findings = async (language: string) => {
      const { out } = await checklist(
        ...[file('docs'), '--checklist', 'asp-swe1', '--format', 'sarif', '--language', language],
      );
      return JSON.parse(out).runs[0].results as { message: { text: string } }[];
    };
    const english = await findings('en');
    expect(english.length).toBeGreaterThan(2);
    for (const { message } of english)
      expect(message.text).toMatch(/Correct what the quotes show|Add what is not there/);
    for (const { message } of await findings('de'))
      expect(message.text).toMatch(/Korrigieren, was|Ergänzen, was fehlt/);
  });

  it('prints every item with its answer, quotes, what was searched and what a person has to confirm', async () => {
    const { code, out, error } = await checklist(file('docs'), '--checklist', 'asp-swe1');
    expect(code).toBe(0);
    expect(out).toMatch(/pass +ASP-SWE1-01 /);
    expect(out).toMatch(/FAIL +ASP-SWE1-03 /);
    expect(out).toContain('“The lamp driver shall report an appropriate fault.”');
    expect(out).toMatch(/MISSING +ASP-SWE1-05 /);
    expect(out).toContain('Searched 1 document');
    expect(out).toMatch(/A person has to confirm \d+ of 10/);
    expect(out).not.toMatch(/^pass \?.*\n.*undecided/m);
    expect(out).toContain('logo.svg');
    expect(out).toContain('not a confirmation measure');
    expect(error).toContain('Reading: Software requirements specification.md');
    expect(out + error).not.toContain('\u001b');
  });

  it('answers a checklist from a table, several at once as JSON, into a file', async () => {
    const { code, out } = await checklist(
      ...[file('docs'), '--checklist', file('own.csv'), '--checklist', 'CS-VV'],
      ...['--format', 'json', '--output', file('out.json')],
    );
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const { checklists } = JSON.parse(await readFile(file('out.json'), 'utf8'));
    expect(
      checklists.map((one: { method: { checklist: { id: string } } }) => one.method.checklist.id),
    ).toEqual(['USR-OWN', 'CS-VV']);
    expect(checklists[0].items).toMatchObject([
      { itemId: 'USR-A', verdict: 'fail', severity: 'high', needsConfirmation: true },
      { itemId: 'USR-B', verdict: 'pass', needsConfirmation: true },
    ]);
  });

  it('exits with 1 for what is as severe as asked, and not for what a person has to confirm', async () => {
    await writeFile(file('sure.csv'), 'ID;Question\nA;Does the document have a version number?\n');
    expect((await checklist(file('docs'), '--checklist', file('sure.csv'), '--fail-on', 'medium')).code).toBe(
      1,
    );
    // A vague word is a reason to look.
    expect((await checklist(file('docs'), '--checklist', file('own.csv'), '--fail-on', 'low')).code).toBe(0);
    await writeFile(file('open.csv'), 'ID;Question\nB;Is every requirement feasible?\n');
    expect((await checklist(file('docs'), '--checklist', file('open.csv'), '--fail-on', 'low')).code).toBe(0);
  });

  it.each([
    [[], 'No folder or file was given'],
    [['docs'], '--checklist is missing'],
    [['docs', '--checklist', 'ASP-SWE9'], 'There is no checklist "ASP-SWE9"'],
    [['docs', '--checklist', 'nowhere.csv'], 'There is no file "nowhere.csv"'],
    [['docs', '--checklist', 'own.csv', '--format', 'xml'], '--format xml is not known'],
    [['docs', '--checklist', 'own.csv', '--fail-on', 'huge'], '--fail-on huge is not known'],
  ])('%j cannot run and says why', async (args, message) => {
    const error = await checklist(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).message).toContain(message);
    expect((error as CommandError).hint).not.toBe('');
  });

  it('says where a checklist from a file is wrong', async () => {
    await expect(checklist(file('docs'), '--checklist', file('broken.csv'))).rejects.toThrow(
      'row 2, column "Schweregrad": Severity is one of',
    );
  });
});

describe('normtrace checklists', () => {
  it('lists all, those that words fit, and teaches', async () => {
    const { out } = await run(checklistsCommand, '--format', 'json');
    const lists: { id: string; items: number }[] = JSON.parse(out);
    expect(lists.map(({ id }) => id)).toContain('CS-TARA');
    expect(lists.reduce((sum, { items }) => sum + items, 0)).toBe(223);
    expect((await run(checklistsCommand, 'bedrohungsanalyse')).out).toMatch(/^CS-TARA +16 items /);
    expect((await run(checklistsCommand, 'gardening')).out).toContain('No checklist fits');
    expect((await checklist('--help')).out).toContain('--checklist');
    expect((await run(checklistsCommand, '--help')).out).toContain('tara');
  });
});
