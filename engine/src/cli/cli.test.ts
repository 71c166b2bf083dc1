import { spawn } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'normtrace-cli-'));
  await mkdir(join(folder, 'docs', 'concept'), { recursive: true });
  await writeFile(
    join(folder, 'docs', 'HARA.md'),
    [
      '# Hazard analysis and risk assessment',
      '',
      '## Hazardous events',
      '',
      '| ID | Malfunction | Hazardous event | S | E | C | ASIL | Safety goal |',
      '|---|---|---|---|---|---|---|---|',
      '| HE-01 | Brakes too late | Vehicle does not stop | S3 | E4 | C3 | D | SG-01 |',
      '| HE-02 | Brakes unasked | Vehicle stops | S2 | E4 | C2 | B | SG-02 |',
      '| HE-03 | Brakes one side | Vehicle turns | S3 | E4 | C2 | C | SG-03 |',
      '',
    ].join('\n'),
  );
  await writeFile(join(folder, 'docs', 'concept', 'broken.pdf'), '%PDF-1.7 and nothing else');
  await writeFile(join(folder, 'docs', 'logo.svg'), '<svg/>');
  await writeFile(
    join(folder, 'own.yaml'),
    [
      'standard:',
      '  designation: OWN 1',
      'criteria:',
      '  - id: OWN-1',
      '    title: Brake monitoring',
      '    text: The brake pressure shall be monitored.',
      '',
    ].join('\n'),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('is linked before the build: npm skips a command whose file is not there when it installs', async () => {
  const engine = new URL('../../', import.meta.url);
  const { bin } = JSON.parse(await readFile(new URL('package.json', engine), 'utf8'));
  expect(bin.normtrace).not.toMatch(/^(?:\.\/)?dist\//);
  const file = fileURLToPath(new URL(bin.normtrace, engine));
  await access(file, constants.X_OK);
  const child = spawn(file, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(child.stdout)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

/** Runs the command line as a person would; resolves to what it wrote and its exit code. */
function normtrace(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
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

const analyse = (...args: string[]) => normtrace('analyse', '--embeddings', 'off', ...args);

describe('what is read', () => {
  const options: Record<string, readonly string[]> = {
    analyse: ['--standard', 'iso-26262-3-2018', '--embeddings', 'off'],
    checklist: ['--checklist', 'FS-HARA'],
    completeness: [],
    trace: [],
  };

  it.each(Object.keys(options))('is the same for every command: %s', async (command) => {
    await mkdir(join(folder, 'kinds'), { recursive: true });
    const write = (name: string, content: string) => writeFile(join(folder, 'kinds', name), content);
    await write('requirements.yaml', 'requirements:\n  - id: SWR-1\n    text: The lamp shall go off.\n');
    await write('needs.json', '{"requirements": [{"id": "SWR-2", "text": "The lamp shall go on."}]}');
    await write(
      'slides.sdoc',
      '[DOCUMENT]\nTITLE: Requirements\n\n[REQUIREMENT]\nUID: SWR-3\nSTATEMENT: It shall work.\n',
    );
    await write('picture.svg', '<svg/>');
    const { out, error } = await normtrace(command, 'kinds', ...options[command]!, '--format', 'json');
    const { notAssessed } = JSON.parse(out) as { notAssessed: readonly { name: string }[] };
    expect(notAssessed.map(({ name }) => name)).toEqual(['picture.svg']);
    expect(error).toContain('(0 of 3)');
    expect(error).not.toContain('Not assessed');
  });
});

describe('normtrace analyse', () => {
  it('prints verdicts, gaps with quotes, what was not assessed and a summary', async () => {
    const { code, out, error } = await analyse('docs', '--standard', 'iso-26262-3-2018');
    expect(code).toBe(2);
    expect(error).toContain('a file could not be read, so the result is not whole: concept/broken.pdf.');
    expect(out).toContain('ISO 26262-3:2018');
    expect(out).toMatch(/26262-3:6\.5\.1 +covered/);
    expect(out).toMatch(/│ “.+”/);
    expect(out).toContain('HARA.md, ');
    expect(out).toContain('concept/broken.pdf');
    expect(out).toContain('logo.svg');
    expect(out).toContain('not a confirmation measure');
    expect(error).toContain('Reading: HARA.md');
    // No colours and no cursor movements outside of a terminal.
    expect(out + error).not.toContain('\u001b');
  });

  it('writes the same as JSON, to a file as well', async () => {
    const direct = await analyse('docs', '--standard', 'iso-26262-3-2018', '--format', 'json');
    const result = JSON.parse(direct.out);
    expect(result).toMatchObject({ schema: 'normtrace.gap-analysis/1' });
    expect(result.notAssessed.map((one: { name: string }) => one.name).sort()).toEqual([
      'concept/broken.pdf',
      'logo.svg',
    ]);
    const toFile = await analyse(
      'docs',
      '--standard',
      'iso-26262-3-2018',
      '--format',
      'json',
      '--output',
      'gaps.json',
    );
    expect(toFile.out).toBe('');
    expect(await readFile(join(folder, 'gaps.json'), 'utf8')).toBe(direct.out);
  });

  it('finds the defects that were put into the demo documents', async () => {
    const documents = fileURLToPath(new URL('../../../demo/documents', import.meta.url));
    const { out } = await analyse(documents, '--standard', 'iso-26262-3-2018', '--format', 'json');
    const { findings } = JSON.parse(out) as {
      findings: { kind: string; title: string; severity: string; criterionId: string; observed: string }[];
    };
    const said = findings.map((one) => `${one.criterionId} ${one.severity} ${one.title}: ${one.observed}`);
    for (const defect of [
      /5\.5\.1-9 low .*"8 Known failure effects" is there, but holds only open points/,
      /5\.5\.1-7 medium .*"Assumption" is empty in 1 of 4 rows \(IF-03\)/,
      /6\.5\.1-7 critical HE-05: ASIL B stated, ratings give C/,
      /6\.5\.1-6 high .*"C rationale" is empty/,
      /6\.5\.1-8 high .*"FTTI" is empty in 1 of 3 rows \(SG-03\)/,
      /7\.5\.1-1 high SG-02 \(ASIL B\) has no functional safety requirement/,
      /7\.5\.1-6 high FSR-05 has ASIL A, its goal SG-03 ASIL B/,
      /7\.5\.1-7 low .*"9 Validation criteria" is there, but holds nothing/,
      /6\.5\.2 high Verification report of the hazard analysis/,
      /7\.5\.2 high Verification report of the functional safety concept not found/,
    ]) {
      expect(said, String(defect)).toContainEqual(expect.stringMatching(defect));
    }
    // The API filters by kind: one way of spelling.
    expect(findings.filter(({ kind }) => !/^[a-z]+(?:_[a-z]+)*$/.test(kind))).toEqual([]);
  });

  it('exits with 1 when a gap is at least as severe as asked', async () => {
    expect(
      (await analyse('docs', '--allow-unread', '--standard', 'iso-26262-3-2018', '--fail-on', 'high')).code,
    ).toBe(1);
    expect(
      await analyse('docs', '--allow-unread', '--standard', 'own.yaml', '--fail-on', 'critical'),
    ).toMatchObject({
      code: 0,
    });
  });

  it.each([
    [['docs'], '--standard is missing'],
    [['--standard', 'iso-26262-3-2018'], 'No folder or file was given'],
    [['nowhere', '--standard', 'iso-26262-3-2018'], 'no file or folder "nowhere"'],
    [['docs', '--standard', 'iso-26262-3'], 'Did you mean iso-26262-3-2018'],
    [['docs', '--standard', 'missing.yaml'], 'There is no file "missing.yaml"'],
    [['docs/logo.svg', '--standard', 'iso-26262-3-2018'], 'No document could be read'],
    [['docs', '--standard', 'iso-26262-3-2018', '--fail-on', 'huge'], 'Use critical, high, medium, low'],
    [
      ['docs', '--standard', 'iso-26262-3-2018', '--answer', 'nonsense=yes'],
      'There is no condition "nonsense"',
    ],
    [['docs', '--standard', 'iso-26262-3-2018', '--bogus'], '--bogus'],
  ])('%j cannot run and says why', async (args, message) => {
    const { code, out, error } = await analyse(...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(error).not.toContain('    at ');
    expect(out).toBe('');
  });
});

describe('normtrace', () => {
  it('lists the standards that can be analysed', async () => {
    const { code, out } = await normtrace('standards', '26262');
    expect(code).toBe(0);
    expect(out).toContain('iso-26262-3-2018');
  });
  it('teaches', async () => {
    expect((await normtrace('--help')).out).toContain('normtrace analyse');
    expect((await normtrace('analyse', '--help')).out).toContain('--fail-on');
    expect(await normtrace('frobnicate')).toMatchObject({ code: 2 });
    expect((await normtrace('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
