import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandError } from './command-error.js';
import { traceCommand } from './trace-command.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'normtrace-trace-'));
  await writeFile(
    join(folder, 'hara.md'),
    '# Safety goals\n\n| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-1 | No braking unasked. | D |\n',
  );
  await writeFile(
    join(folder, 'concept.md'),
    '| ID | Requirement | ASIL | Derived from |\n|---|---|---|---|\n| FSR-1 | The brake shall hold. | B | SG-1, CUST-7 |\n',
  );
  await writeFile(join(folder, 'logo.svg'), '<svg/>');
});
afterAll(() => rm(folder, { recursive: true }));

async function run(...args: string[]) {
  const out: string[] = [];
  const stream = (to: string[]) => ({ write: (text: string | Uint8Array) => to.push(String(text)) > 0 });
  const code = await traceCommand(args, { out: stream(out), error: stream([]) });
  return { code, out: out.join('') };
}

describe('normtrace trace', () => {
  it('prints gaps with their places, coverage, the matrix and what was not read', async () => {
    const { code, out } = await run(folder);
    expect(code).toBe(0);
    expect(out).toMatch(
      /critical {2}FSR-1: a lower level than its parent +inconsistent integrity levels, AI-02/,
    );
    expect(out).toMatch(/concept\.md, .*line 3/);
    expect(out).toMatch(/Linked upwards +100\.0 % {2}\(1 of 1\)/);
    expect(out).toMatch(/functional safety requirement +0 +0 +1 +0/);
    expect(out).toContain('logo.svg: The kind of file is not read.');
    expect(out).toContain('2 artifacts, 2 links in 2 documents');
  });
  it('fails at a severity and writes JSON', async () => {
    const file = join(folder, 'trace.out');
    const { code } = await run(folder, '--fail-on', 'critical', '--format', 'json', '--output', file);
    expect(code).toBe(1);
    const result = JSON.parse(await readFile(file, 'utf8'));
    expect(result.artifacts.map(({ id }: { id: string }) => id)).toEqual(['FSR-1', 'SG-1']);
    expect(result.totalGaps).toBe(result.gaps.length);
  });
  it('takes types and prefixes from outside', async () => {
    const { out } = await run(
      folder,
      '--external',
      'CUST-',
      '--type',
      'concept.md=functional_safety_concept',
    );
    expect(out).not.toContain('dangling_target');
  });
  it.each([
    [[], /No folder or file/],
    [['nowhere'], /no file or folder/],
    [['.', '--type', 'a.md=novel'], /no document type/],
    [['.', '--format', 'pdf'], /--format pdf/],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(CommandError);
    await expect(run(...args)).rejects.toThrow(message);
  });
  it('refuses a type for a file that is not there', async () => {
    await expect(run(folder, '--type', 'other.md=hara')).rejects.toThrow(/other\.md/);
  });
});
