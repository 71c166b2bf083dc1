import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { rankCorrelation } from './discrimination.js';
import type { Label, Plant } from './gold-findings.js';
import { labelFindings, toldDefects } from './judge-labels.js';
import { judgePlant, newFindings } from './judge-plants.js';
import { loadJudgements, placeOf } from './judgements.js';
import { isNamed, sectionIn, withSection } from './main.js';
import type { PrintedFinding } from './printed-finding.js';

const folder = mkdtempSync(join(tmpdir(), 'normtrace-findings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const finding = (own: Partial<PrintedFinding>): PrintedFinding => ({
  engine: 'gap 26262-3',
  kind: 'k',
  criterion: 'c',
  severity: 'high',
  title: 'FSR-02 allows more time than SG-01',
  observed: 'FSR-02 states 500 ms, SG-01 300 ms.',
  quotes: [
    { document: 'fsc.md', quote: '500 ms' },
    { document: 'hara.md', quote: '300 ms' },
  ],
  counted: true,
  ...own,
});
const plant: Plant = {
  id: 'P01',
  kind: 'timing_hierarchy',
  severity: 'critical',
  statement: 'FSR-02 has more time than its goal.',
  places: [
    { document: 'fsc', where: 'table, FSR-02', quote: '500 ms' },
    { document: 'hara', where: 'sheet Safety goals, SG-01', quote: '300 ms' },
  ],
  key: [['FSR-02'], ['500']],
};
const files = new Map([
  ['fsc', 'fsc.md'],
  ['hara', 'hara.md'],
]);

test('a plant counts as found by a new, counted finding that tells it and shows a place', () => {
  const answer = (news: readonly PrintedFinding[]) => judgePlant(plant, news, files);
  expect(answer([finding({})])).toMatchObject({ answer: 'found', bothPlaces: true });
  expect(answer([finding({ counted: false })]).answer).toBe('half');
  expect(answer([finding({ observed: 'FSR-02 is new.', quotes: [] })]).answer).toBe('half');
  const elsewhere = finding({
    title: 'A new thing',
    observed: 'FSR-02-09 states 500 ms.',
    quotes: [{ document: 'tsc.md', quote: '500 ms' }],
  });
  expect(answer([elsewhere])).toMatchObject({ answer: 'half', bothPlaces: false });
  expect(answer([]).answer).toBe('missed');
});

test('what only quotes another place or counts other passages is not new', () => {
  const before = finding({ observed: 'Searched 8 documents (12 passages) for it. “first words” is near.' });
  const after = finding({
    observed: 'Searched 9 documents (14 passages) for it. “other words” is near.',
    quotes: [],
  });
  expect(newFindings([after], [before])).toEqual([]);
  expect(newFindings([finding({ title: 'Another' })], [before])).toHaveLength(1);
});

test('a finding without a label is to be judged, and counts as nothing', () => {
  const label: Label = {
    engine: 'gap 26262-3',
    kind: 'k',
    criterion: 'c',
    title: 'FSR-02 allows more time than SG-01',
    document: 'fsc.md',
    quote: '500 ms',
    label: 'T',
    defect: 'D01',
  };
  const defects = [
    { id: 'D01', kind: 'contradiction', severity: 'high', statement: '', places: plant.places },
    { id: 'D02', kind: 'content', severity: 'high', statement: '', places: [], cause: 'D01' },
    {
      id: 'D03',
      kind: 'content',
      severity: 'high',
      statement: '',
      places: [
        { ...plant.places[0]!, document: 'fsc.md' },
        { ...plant.places[1]!, document: 'hara.md' },
      ],
    },
  ];
  const labelled = labelFindings(
    [finding({}), finding({ title: 'Something else, FSR-09' })],
    [label],
    defects,
  );
  expect(labelled.map((one) => one.label?.label)).toEqual(['T', undefined]);
  expect(labelled[1]!.perhaps).toEqual(['D03']);
  expect([...toldDefects({ name: 's', defects, labels: [label] }, labelled)]).toEqual(['D01', 'D02']);
});

test('what no label matches counts by our own judgement apart from the labels, whatever else an entry holds', () => {
  const own = finding({ kind: 'k', title: 'Ours', quotes: [{ document: 'fsc.md', quote: 'two  words' }] });
  const sameElsewhere = { ...own, quotes: [{ document: 'fsc.md', quote: 'two words' }] };
  expect(placeOf(own)).toBe(placeOf(sameElsewhere));
  expect(placeOf({ ...own, quotes: [{ document: 'fsc.md', quote: 'three words' }] })).not.toBe(placeOf(own));
  const file = join(folder, 'judgements.yaml');
  const row = `{rule: k, place: '${placeOf(own)}', label: T, defects: [D07], why: because}`;
  writeFileSync(file, `sets:\n  s:\n    - ${row}\n`);
  const judgements = loadJudgements(file).get('s');
  const other = finding({ title: 'Nobody knows' });
  const labelled = labelFindings([own, { ...other, parts: [other, own] }, other], [], [], judgements);
  expect(labelled.map(({ label, judged }) => [label, judged?.label])).toEqual([
    [undefined, 'T'],
    [undefined, 'T'],
    [undefined, undefined],
  ]);
  const set = { name: 's', defects: [], labels: [] };
  expect([...toldDefects(set, labelled, 'judged')]).toEqual(['D07']);
  expect([...toldDefects(set, labelled)]).toEqual([]);
  writeFileSync(file, `sets:\n  s:\n    - {rule: k, place: words, label: T, why: because}\n`);
  expect(() => loadJudgements(file)).toThrow(/place/);
});

test('what we judged can be read', () => {
  expect(loadJudgements().size).toBeGreaterThan(0);
});

test('rank correlation counts ties with their mean rank', () => {
  expect(rankCorrelation([0, 1, 2, 3], [9, 8, 7, 6])).toBeCloseTo(-1, 12);
  expect(rankCorrelation([0, 1, 1, 5], [9, 8, 8, 6])).toBeCloseTo(-1, 12);
  expect(rankCorrelation([0, 1, 2], [5, 5, 5])).toBe(0);
});

test('the section of a report is put in its place and found again', () => {
  const report = withSection('# Evaluation\n\n## Retrieval\n\nwords\n', '## Findings\n\nold');
  expect(sectionIn(report)).toBe('## Findings\n\nold');
  const more = `${report}\n## Checklists\n\nmore\n`;
  expect(sectionIn(more)).toBe('## Findings\n\nold');
  const again = withSection(more, '## Findings\n\nnew');
  expect(again).not.toContain('old');
  expect(again).toContain('## Checklists');
  expect(sectionIn('# Evaluation\n')).toBeUndefined();
});

test('what is to be run is named by kind, name, letter or from one to another', () => {
  const plants = ['P01', 'P02', 'P09', 'P10'];
  const named = (word: string) => plants.filter((name) => isNamed(word, name, 'plants'));
  expect(named('plants')).toEqual(plants);
  expect(named('P')).toEqual(plants);
  expect(named('P02')).toEqual(['P02']);
  expect(named('P02-P09')).toEqual(['P02', 'P09']);
  expect(named('sets')).toEqual([]);
  expect(isNamed('mw-message-passing', 'mw-message-passing', 'sets')).toBe(true);
});

test('a clean project and one plant, from files to the report', () => {
  const built = join(folder, 'plants', 'built');
  const analysis = (asil: string) =>
    `# Hazard analysis and risk assessment\n\n| ID | Hazardous event | S | E | C | ASIL | Safety goal |\n| --- | --- | --- | --- | --- | --- | --- |\n| HE-1 | Door opens while driving | S3 | E4 | C3 | ${asil} | SG-1 |\n| HE-2 | Door stays shut | S1 | E2 | C2 | QM | SG-1 |\n`;
  for (const name of ['clean', 'P01']) {
    mkdirSync(join(built, name), { recursive: true });
    writeFileSync(join(built, name, '02_HARA.md'), analysis(name === 'clean' ? 'D' : 'B'));
  }
  writeFileSync(
    join(folder, 'plants', 'plants.yaml'),
    '- {id: P01, kind: asil_table_wrong, severity: critical, statement: wrong, places: [{document: hara, where: "HE-1, ASIL", quote: B}], key: [[HE-1], [ASIL]]}\n',
  );
  writeFileSync(join(folder, 'plants', 'harmless.yaml'), '[]\n');
  writeFileSync(
    join(folder, 'plants', 'clean_labels.csv'),
    'engine,kind,criterion,severity,title,document,quote60,label,why\n',
  );
  const report = join(folder, 'evaluation.md');
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const args = ['findings', '--data', folder, '--report', report, '--verbose', '--only', 'P01'];
  const some = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect(some.status, some.stderr).toBe(0);
  expect(some.stdout).toMatch(/\| S, E, C +\| +1 \| +1 \|/);
  expect(some.stdout).toContain('HE-1: ASIL B stated, ratings give D');
  const missing = spawnSync(process.execPath, [main, 'findings', '--data', join(folder, 'no')], {
    encoding: 'utf8',
  });
  expect(missing.status).toBe(2);
  expect(() => readFileSync(report)).toThrow();
});
