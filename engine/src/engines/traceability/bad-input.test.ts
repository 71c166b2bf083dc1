import { beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { extractArtifacts } from '../../facts/artifacts/extract-artifacts.js';
import { loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { analyseTraceability } from './run.js';

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

/** From a Markdown file to the analysis, as everything but the reading process does it. */
async function traceOf(text: string) {
  const document = await readDocument(new TextEncoder().encode(text), { fileName: 'a.md' });
  const extraction = extractArtifacts([{ id: 'a.md', document }]);
  return { ...extraction, analysis: analyseTraceability({ ...extraction, rules }) };
}

const table = (rows: readonly string[]) =>
  `| ID | Requirement | ASIL | Derived from | Verified by |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;

describe('links that lead nowhere good', () => {
  it('are findings: to itself, to nothing', async () => {
    const { analysis } = await traceOf(
      table([
        '| SG-1 | The brake shall hold. | B | | |',
        '| FSR-1 | The brake shall stop. | B | FSR-1, SG-1 | TC-404 |',
        '| FSR-2 | The brake shall stop again. | B | SG-9 | |',
      ]),
    );
    const found = analysis.gaps.map(({ kind, artifactId, missing, location }) => [
      kind,
      artifactId,
      missing,
      location?.line,
    ]);
    expect(found).toContainEqual(['self_link', 'FSR-1', undefined, 4]);
    expect(found).toContainEqual(['dangling_target', 'FSR-1', 'TC-404', 4]);
    expect(found).toContainEqual(['dangling_target', 'FSR-2', 'SG-9', 5]);
  });

  it('tell nothing of another workspace', async () => {
    const own = await traceOf(table(['| FSR-1 | The brake shall stop. | B | SG-1 | |']));
    const other = await traceOf(table(['| SG-1 | A secret goal. | D | | |']));
    const at = (workspaceId: string) => (one: object) => ({ ...one, workspaceId });
    const analysis = analyseTraceability({
      artifacts: [...own.artifacts.map(at('a')), ...other.artifacts.map(at('b'))] as never,
      links: own.links.map(at('a')) as never,
      // Whoever gives wrong places gets the same.
      ends: { sources: Int32Array.of(0), targets: Int32Array.of(1) },
      rules,
      workspaceId: 'a',
    });
    expect(analysis.totalArtifacts).toBe(1);
    expect(analysis.gaps.map(({ kind, missing }) => `${kind} ${missing}`)).toContain('dangling_target SG-1');
    expect(JSON.stringify(analysis)).not.toMatch(/secret|ASIL D/);
  });
});

describe('ids made to be slow', () => {
  const bombs: readonly (readonly [string, (size: number) => string])[] = [
    ['groups without end', (size) => `SG-${'A-'.repeat(size)}1`],
    ['groups that end otherwise', (size) => `SG-${'A1-'.repeat(size)}!`],
    ['numbers and points', (size) => `SG-${'1.'.repeat(size)}`],
    ['zeros', (size) => `SG-${'0'.repeat(size)}`],
    ['tildes', (size) => `req${'~a'.repeat(size)}~1`],
    ['names and numbers', (size) => 'Safety Goal No. '.repeat(size)],
    ['brackets', (size) => `${'['.repeat(size)}SG-1${']'.repeat(size)}`],
    ['ranges', (size) => 'SG-1..'.repeat(size)],
    ['lists', (size) => 'SG-1, SG-2/3 und '.repeat(size)],
    ['backslashes', (size) => `SG-1${'\\'.repeat(size * 4)}`],
    ['links in brackets', (size) => `${'['.repeat(size)}${'[a](b) '.repeat(size)}`],
    ['blanks after dashes', (size) => `x |\n|---|${' '.repeat(size * 4)}x`],
    ['blanks and signs', (size) => `SG${' _-.'.repeat(size)}1`],
  ];
  /** Seconds of processor time of this process, the least of four tries. */
  async function work(bomb: string): Promise<number> {
    const tries: number[] = [];
    for (let round = 0; round < 4; round++) {
      const before = process.cpuUsage();
      await traceOf(
        `# ${bomb}\n\nFSR-2: ${bomb}\n\n${table([
          `| ${bomb} | ${bomb} | ${bomb.slice(0, 50)} | ${bomb} | SG-1 |`,
          `| FSR-1 | The brake shall stop. | B | ${bomb} | ${bomb} |`,
        ])}`,
      );
      tries.push(process.cpuUsage(before).user / 1e6);
    }
    return Math.min(...tries);
  }
  it.each(bombs)(
    '%s take no more than their share',
    async (_, bomb) => {
      await work(bomb(100));
      const few = await work(bomb(1_000));
      const many = await work(bomb(16_000));
      // Sixteen times the text: linear is 16, quadratic 256; the constant is for what is too short to measure.
      expect(many).toBeLessThan(48 * few + 0.15);
    },
    60_000,
  );
});
