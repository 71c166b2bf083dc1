import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'normtrace-completeness-'));
  await mkdir(join(folder, 'docs'));
  const write = (name: string, lines: readonly string[]) => writeFile(join(folder, name), lines.join('\n'));
  await write('docs/Test report.md', [
    '# Test report',
    '',
    '## Results',
    '',
    'All twelve cases of the tailgate were run on the bench and eleven of them passed without any remark.',
    '',
    '## Deviations',
    '',
    'TBD',
  ]);
  await write('docs/logo.svg', ['<svg/>']);
  await write('docs/Trip report.md', [
    '# Trip report',
    '',
    '## 1 Reason',
    '',
    'We went there to see the new bench.',
  ]);
  await write('Trip report template.md', ['# Trip report template', '', '## 1 Reason', '', '## 2 Costs']);
  await write('broken.yaml', ['id: own', 'name: { en: Own plan, de: Eigener Plan }', 'colour: red']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function completeness(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'completeness', ...args], { cwd: folder });
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

describe('normtrace completeness', () => {
  it('prints sections with their states, gaps with quotes, and what was not assessed', async () => {
    const { code, out, error } = await completeness('docs');
    expect(code).toBe(0);
    expect(out).toMatch(/complete +Results +Results/);
    expect(out).toMatch(/placeholder +Deviations and not executed tests +Deviations/);
    expect(out).toMatch(/missing +Conclusion/);
    expect(out).toContain('Not known as a work product');
    expect(out).toContain('logo.svg');
    expect(out).toContain('not a confirmation measure');
    expect(error).toContain('Reading: Test report.md');
    expect(out + error).not.toContain('\u001b');
  });

  it('learns a template from a document and checks by it', async () => {
    const { out } = await completeness('docs', '--template', 'Trip report template.md', '--format', 'json');
    const result = JSON.parse(out);
    expect(result).toMatchObject({
      schema: 'normtrace.completeness/1',
      method: { ownTemplates: ['trip_report'] },
    });
    const trip = result.documents.find((one: { name: string }) => one.name === 'Trip report.md');
    expect(
      trip.templates[0].sections.map((one: { title: string; state: string }) => [one.title, one.state]),
    ).toEqual([
      ['Reason', 'thin'],
      ['Costs', 'missing'],
    ]);
  });

  it('writes to a file, and exits with 1 when a gap is as severe as asked', async () => {
    const { code, out } = await completeness(
      'docs',
      '--format',
      'json',
      '--output',
      'out.json',
      '--fail-on',
      'high',
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const { counts } = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'));
    expect(counts.severities.high).toBeGreaterThan(0);
    expect((await completeness('docs/Trip report.md', '--fail-on', 'low')).code).toBe(0);
  });

  it.each([
    [[], 'No folder or file was given'],
    [['docs', '--template', 'nowhere.yaml'], 'There is no file "nowhere.yaml"'],
    [['docs', '--template', 'broken.yaml'], 'broken.yaml:3: Unknown key "colour"'],
    [['docs', '--type', 'recipe'], 'There is no document type "recipe"'],
    [['docs', '--without', 'RQQ-99'], '--without RQQ-99 is not known'],
    [['docs', '--fail-on', 'huge'], 'Use critical, high, medium, low'],
    [['docs', '--bogus'], '--bogus'],
  ])('%j cannot run and says why', async (args, message) => {
    const { code, out, error } = await completeness(...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(error).not.toContain('    at ');
    expect(out).toBe('');
  });

  it('teaches', async () => {
    expect((await completeness('--help')).out).toContain('--template');
  });
});
