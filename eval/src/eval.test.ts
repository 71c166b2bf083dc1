import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CoverageSignals } from '@normtrace/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alwaysPass, checklistDetails, figuresOf, type JudgedItem, leftToPersons } from './checklists.js';
import { confidenceClasses, misleadingClasses } from './confidence.js';
import { coverageModelYaml } from './coverage-model-yaml.js';
import { fitCoverageWeights } from './fit-coverage-model.js';
import { GoldDataError, loadCoverageCorpora, loadLinkSets } from './gold.js';
import { loadChecklistCases } from './gold-checklists.js';
import { areaUnderCurve, bestThreshold, meanAveragePrecision, qualityAt } from './metrics.js';

const scored = (...items: [number, boolean][]) => items.map(([score, positive]) => ({ score, positive }));

test('average precision counts every hit at its place and what is never found', () => {
  const truth = [new Set([1, 2]), new Set([0, 5]), new Set<number>()];
  const expected = ((1 / 2 + 2 / 3) / 2 + 1 / 1 / 2) / 2;
  expect(meanAveragePrecision([[0, 1, 2], [0, 1], [3]], truth)).toBeCloseTo(expected, 12);
});

test('F at a threshold', () => {
  const items = scored([0.9, true], [0.8, false], [0.3, true], [0.1, false]);
  expect(qualityAt(items, { threshold: 0.8, beta: 1 })).toEqual({ precision: 0.5, recall: 0.5, f: 0.5 });
  expect(qualityAt(items, { threshold: 0.3, beta: 2 }).f).toBeCloseTo((5 * 2) / (4 * 2 + 3), 12);
  expect(qualityAt(items, { threshold: 2, beta: 1 })).toEqual({ precision: 0, recall: 0, f: 0 });
});

test('the best threshold is best on the mean of the groups, however large each is', () => {
  const small = scored([0.9, true], [0.5, true], [0.1, false]);
  const large = scored([0.9, true], ...Array.from({ length: 50 }, (): [number, boolean] => [0.5, false]));
  expect(bestThreshold([small], 1)).toBe(0.5);
  expect(bestThreshold([small, large], 1)).toBe(0.9);
});

test('a surer class that is less often right misleads, within its own kind of answers', () => {
  const answers = (confidence: 'high' | 'medium' | 'low', right: number, wrong: number) => [
    ...Array.from({ length: right }, () => ({ confidence, isRight: true })),
    ...Array.from({ length: wrong }, () => ({ confidence, isRight: false })),
  ];
  const good = confidenceClasses('a', [...answers('low', 1, 1), ...answers('high', 3, 1)]);
  expect(good.map(({ confidence, answers: all, right }) => [confidence, all, right])).toEqual([
    ['high', 4, 3],
    ['low', 2, 1],
  ]);
  expect(misleadingClasses(good)).toEqual([]);
  const bad = confidenceClasses('b', [...answers('high', 1, 5), ...answers('medium', 3, 3)]);
  expect(misleadingClasses([...good, ...bad])).toEqual([{ surer: bad[0], lower: bad[1] }]);
  // Four answers say nothing about a class.
  expect(
    misleadingClasses(confidenceClasses('c', [...answers('high', 0, 4), ...answers('low', 9, 0)])),
  ).toEqual([]);
});

test('the area under the curve counts ties half', () => {
  expect(areaUnderCurve(scored([0.9, true], [0.1, false]))).toBe(1);
  expect(areaUnderCurve(scored([0.5, true], [0.5, false]))).toBe(0.5);
  expect(areaUnderCurve(scored([0.9, true], [0.5, false], [0.1, true], [0.2, false]))).toBe(0.5);
});

test('fitting finds the direction and a threshold that separates', () => {
  const decisions = Array.from({ length: 200 }, (_, number) => {
    const missing = number % 3 === 0;
    const signals: CoverageSignals = {
      standing: (missing ? 1 : 2) + (number % 7) / 10,
      wordExclusivity: number % 5,
    };
    return { missing, signals };
  });
  const fitted = fitCoverageWeights(decisions, ['standing', 'wordExclusivity']);
  expect(fitted.signals.standing!.weight).toBeLessThan(-0.5);
  expect(Math.abs(fitted.signals.wordExclusivity!.weight)).toBeLessThan(0.2);
  expect(fitted.threshold).toBeGreaterThan(0.2);
  expect(fitted.threshold).toBeLessThan(0.8);
  const yaml = coverageModelYaml({ provenance: 'test', embedded: fitted, lexical: fitted });
  expect(yaml).toContain(`weight: ${fitted.signals.standing!.weight.toFixed(4)}`);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'eval-'));
  const parts = ['brake', 'lamp', 'door', 'wiper', 'mirror', 'seat'];
  for (const [set, verb] of [
    ['one', 'controls'],
    ['two', 'moves'],
  ]) {
    write(
      `links/${set}/sources.jsonl`,
      lines(parts, (part) => `The system shall have a ${part}.`, 'S'),
    );
    write(
      `links/${set}/targets.jsonl`,
      lines(parts, (part) => `The unit ${verb} the ${part} by wire.`, 'T'),
    );
    write(`links/${set}/links.csv`, `source,target\n${parts.map((_, i) => `S${i},T${i}`).join('\n')}\n`);
  }
  for (const corpus of ['first', 'second']) {
    const place = `coverage/${corpus}/document`;
    write(
      `${place}/criteria.jsonl`,
      lines(parts, (part) => `The ${part} shall be tested with care.`, 'C'),
    );
    write(
      `${place}/passages.jsonl`,
      lines(parts.slice(0, 4), (part) => `A test of the ${part} was made.`, 'P'),
    );
    const rows = parts.map((_, i) => (i < 4 ? `C${i},true,P${i}` : `C${i},false,`));
    write(`${place}/truth.csv`, `criterion,covered,evidence\n${rows.join('\n')}\n`);
  }
  const place = 'checklists/lamp';
  write(
    `${place}/checklist.json`,
    JSON.stringify({
      items: [
        { id: 'A', criterion: 'Is every requirement unambiguous?' },
        { id: 'B', criterion: 'Is the requirement template used?' },
        { id: 'C', criterion: 'Is every requirement feasible?', guidance: 'Ask a developer.' },
        { id: 'D', criterion: 'Is every requirement atomic?' },
      ],
    }),
  );
  write(`${place}/truth.csv`, 'item,verdict\nA,fail\nB,pass\nC,fail\nD,\n');
  write(
    `${place}/documents/sub/requirements.md`,
    '| ID | Requirement |\n|---|---|\n| SWR-1 | The lamp shall have an appropriate colour. |\n| SWR-2 | The lamp shall be off by default. |\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function lines(parts: readonly string[], text: (part: string) => string, prefix: string): string {
  return parts.map((part, i) => JSON.stringify({ id: `${prefix}${i}`, text: text(part) })).join('\n');
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function run(...options: string[]) {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  return spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
}

test('gold data are read with their truth', () => {
  const [one] = loadLinkSets(folder);
  expect(one!.truth.map((targets) => [...targets])).toEqual([[0], [1], [2], [3], [4], [5]]);
  const [first] = loadCoverageCorpora(folder);
  expect(first!.sets[0]!.truth[0]).toEqual({ covered: true, evidence: new Set([0]) });
  expect(first!.sets[0]!.truth[5]).toEqual({ covered: false, evidence: new Set() });
});

test('gold data that contradict themselves are refused with their place', () => {
  const broken = join(folder, '..', 'eval-broken');
  cpSync(folder, broken, { recursive: true });
  writeFileSync(join(broken, 'links/one/links.csv'), 'source,target\nS0,T99\n');
  expect(() => loadLinkSets(broken)).toThrow(GoldDataError);
  expect(() => loadLinkSets(broken)).toThrow(/T99/);
  writeFileSync(join(broken, 'links/one/sources.jsonl'), '{"id":"S0"');
  expect(() => loadLinkSets(broken)).toThrow(/sources.jsonl, line 1/);
  rmSync(broken, { recursive: true });
});

test('checklists are read with what the inspectors answered, blanks included', () => {
  const [lamp] = loadChecklistCases(folder);
  expect(lamp!.items.map(({ id, truth }) => [id, truth])).toEqual([
    ['A', 'fail'],
    ['B', 'pass'],
    ['C', 'fail'],
    ['D', undefined],
  ]);
  expect(lamp!.files.map(({ path }) => path)).toEqual(['sub/requirements.md']);
});

test('checklists that contradict themselves are refused with their place', () => {
  const broken = join(folder, '..', 'eval-broken-checklists');
  cpSync(folder, broken, { recursive: true });
  const place = join(broken, 'checklists/lamp');
  writeFileSync(join(place, 'truth.csv'), 'item,verdict\nA,fail\nB,perhaps\nC,\nD,\n');
  expect(() => loadChecklistCases(broken)).toThrow(/item B is none of pass, fail, NA/);
  writeFileSync(join(place, 'truth.csv'), 'item,verdict\nA,fail\n');
  expect(() => loadChecklistCases(broken)).toThrow(/no row for item B/);
  writeFileSync(join(place, 'checklist.json'), '{"items": [{"id": 7}]}');
  expect(() => loadChecklistCases(broken)).toThrow(GoldDataError);
  rmSync(broken, { recursive: true });
});

test('what is missing counts as a fail, blanks do not count, and a person decides what is to be confirmed', () => {
  const item = (
    id: string,
    verdict: JudgedItem['verdict'],
    truth: JudgedItem['truth'],
    needsConfirmation = false,
  ) => ({
    ...{ case: 'x', id, verdict, confidence: 'low' as const, truth, needsConfirmation },
    ...{ reason: 'r', evidence: [] },
  });
  const judged = [
    item('1', 'fail', 'fail'),
    item('2', 'missing', 'fail', true),
    item('3', 'missing', 'pass'),
    item('4', 'pass', 'fail', true),
    item('5', 'NA', 'NA'),
    item('6', 'fail', undefined),
  ];
  expect(figuresOf(judged)).toEqual({
    items: 5,
    fails: 3,
    accuracy: 3 / 5,
    precision: 2 / 3,
    recall: 2 / 3,
    f: 4 / 6,
    toConfirm: 1 - 3 / 5,
    decided: 3,
    accuracyDecided: 2 / 3,
  });
  expect(figuresOf(alwaysPass(judged)).accuracy).toBe(1 / 5);
  expect(leftToPersons(judged)).toEqual(['2', '4']);
  expect(checklistDetails(judged)).toContain('x 4: pass, to be confirmed; inspector: fail');
});

test('a run prints the tables and writes the report, without a path of this machine', () => {
  const report = join(folder, 'report.md');
  const { status, stdout } = run('--data', folder, '--embeddings', 'off', '--report', report);
  expect(status).toBe(0);
  expect(stdout).toMatch(/lamp +\| +3 \(2 fail\) \| +1\.000 \| +\.333 \| +1\.000 \| +\.500/);
  expect(stdout).toMatch(/first, engine, embeddings off .* 1\.000 .* 1\.000/);
  const written = readFileSync(report, 'utf8');
  expect(written).toContain('| one ');
  expect(written).toMatch(/Left to a person wherever they were asked, 3 of 4 kinds of item: A, C, D\./);
  expect(written).not.toContain('appropriate colour');
  expect(written).not.toContain(tmpdir());
});

test('an absent or empty folder ends the run with a sentence', () => {
  const absent = run('--data', join(folder, 'nowhere'));
  expect(absent.status).toBe(2);
  expect(absent.stderr).toContain('does not exist; nothing was evaluated.');
  const empty = run('--data', join(folder, 'links'));
  expect(empty.status).toBe(2);
  expect(empty.stderr).toContain('nothing was evaluated');
  expect(run().status).toBe(2);
});
