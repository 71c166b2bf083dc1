import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Block } from './layout/block.js';
import { runningLine } from './layout/frame.js';
import { writeReport } from './layout/write-report.js';
import { makeReport } from './make-report.js';
import { renderReport } from './render-report.js';
import type { Report } from './report.js';
import { reportSchema } from './report-schema.js';
import { loadReportWords } from './report-words.js';
import { selectFindings } from './select-findings.js';
import { sampleFinding, samplePart, sampleReport } from './testing/sample-report.js';
import { withoutStandardWords } from './without-words.js';

type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Plain<Exclude<T[Key], undefined>> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

test('the published schema has the fields of the type, and the other way round', () => {
  // A field that one of them lacks does not compile.
  const same: Same<Plain<z.output<typeof reportSchema>>, Plain<Report>> = true;
  expect(same).toBe(true);
});

test('a group that a part does not list is refused: its findings would be lost on paper', () => {
  const part = samplePart(0, { findings: [sampleFinding(0, { group: 'elsewhere' })] });
  expect(() => sampleReport(0, { parts: [part] })).toThrow('no group "elsewhere"');
});

test('the hash of the content is that of what is reported, not of when and by whom', () => {
  const hash = (change: Parameters<typeof sampleReport>[1]) => sampleReport(4, change).contentHash;
  const same = hash({});
  expect(hash({ title: 'Other', author: 'Other', createdAt: '2030-01-01T00:00:00Z' })).toBe(same);
  expect(hash({ scope: { item: 'Other' } })).not.toBe(same);
  const [part] = sampleReport(4).parts;
  const findings = part!.findings.map((one, at) => (at === 3 ? { ...one, observed: 'Other' } : one));
  expect(hash({ parts: [{ ...part!, findings }] })).not.toBe(same);
});

test('words of an uploaded standard go, ids, grades and quotes stay', () => {
  const secret = 'zebra';
  const finding = sampleFinding(0, {
    title: secret,
    expected: secret,
    observed: secret,
    whyItMatters: secret,
    recommendation: secret,
    severityReasons: [secret],
    search: secret,
    evidence: sampleFinding(0).evidence.map((one) => ({ ...one, note: secret })),
  });
  const part = samplePart(1, {
    findings: [finding],
    results: samplePart(1).results.map((one) => ({ ...one, title: secret, reason: secret })),
    groups: [{ key: 'S:G-0', title: secret }],
    questions: [{ subject: 'Q', text: secret }],
  });
  const grouped = {
    ...part,
    findings: part.findings.map((one) => ({ ...one, group: 'S:G-0' })),
    results: part.results.map((one) => ({ ...one, group: 'S:G-0' })),
  };
  const own = { ...grouped, standard: { ...part.standard!, source: 'uploaded' as const } };
  const report = sampleReport(1, { parts: [own, { ...grouped, id: 'built-in' }] });
  const copy = withoutStandardWords(report, 'HIDDEN');
  expect(JSON.stringify(copy.parts[0])).not.toContain(secret);
  expect(copy.parts[0]!.findings[0]).toMatchObject({
    fingerprint: finding.fingerprint,
    severity: finding.severity,
    title: 'HIDDEN',
    evidence: [{ quote: finding.evidence[0]!.quote }, {}],
  });
  expect(copy.parts[1]).toBe(report.parts[1]);
  expect(copy.wordsRemoved).toBe(true);
  expect(withoutStandardWords(sampleReport(1), 'HIDDEN').wordsRemoved).toBeUndefined();
});

test('of very many findings the most severe are told in full and every other in brief', async () => {
  const words = await loadReportWords('en');
  const report = sampleReport(12);
  const blocks: Block[] = [...writeReport(report, words, 3)];
  const told = blocks.filter((block) => block.kind === 'heading' && block.id.startsWith('finding-'));
  expect(told).toHaveLength(3);
  const text = JSON.stringify(blocks);
  expect(text).toContain('The 3 most severe of 12 findings');
  for (const { title } of report.parts[0]!.findings)
    expect(text).toContain(JSON.stringify(title).slice(1, 12));
  const criticals = report.parts[0]!.findings.filter(({ severity }) => severity === 'critical');
  expect(criticals).toHaveLength(3);
  for (const { title } of criticals) {
    expect(told.some((block) => block.kind === 'heading' && block.text.endsWith(title))).toBe(true);
  }
});

test('headings have their own ids, whatever the parts are called', async () => {
  const words = await loadReportWords('de');
  const { parts } = sampleReport(5);
  const report = makeReport({
    ...sampleReport(5),
    parts: [parts[0]!, { ...parts[0]!, id: 'second' }],
  });
  const ids = [...writeReport(report, words)].flatMap((block) =>
    block.kind === 'heading' ? [block.id] : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
});

test('a report says in its language what it is not, also as data', async () => {
  for (const language of ['en', 'de'] as const) {
    const { notice } = makeReport({ ...sampleReport(0), language });
    expect(notice).toBe((await loadReportWords(language)).text('notice'));
  }
});

test('both languages fill in the same', async () => {
  const [english, german] = [await loadReportWords('en'), await loadReportWords('de')];
  const holes = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const key of [
    'copy_for',
    'page',
    'score_up_to',
    'matrix_cut',
    'overridden',
    'most_severe_only',
    'selection_told',
    'new_since',
  ] as const) {
    expect(holes(german.text(key))).toEqual(holes(english.text(key)));
    expect(holes(english.text(key)).length).toBeGreaterThan(0);
  }
  expect(german.number(1234.5)).toBe('1.234,5');
});

test('a report of some findings says which, and how many it leaves out', async () => {
  const whole = sampleReport(12);
  const fingerprints = whole.parts[0]!.findings.slice(0, 2).map(({ fingerprint }) => fingerprint);
  const since = { at: '2026-01-02T10:00:00Z', known: { [whole.parts[0]!.id]: fingerprints } };
  for (const [wanted, isTold] of [
    [{ severities: ['critical', 'low'] }, (severity: string) => ['critical', 'low'].includes(severity)],
    [{ statuses: ['open'] }, () => true],
    [{ statuses: ['resolved'] }, () => false],
    [{ since }, (_: string, fingerprint: string) => !fingerprints.includes(fingerprint)],
  ] as const) {
    const { parts, selection } = selectFindings(whole.parts, wanted);
    const all = whole.parts.flatMap(({ findings }) => findings.map((one) => ({ status: 'open', ...one })));
    const told = all.filter(
      ({ severity, fingerprint, status }) =>
        isTold(severity, fingerprint) &&
        (!('statuses' in wanted) || wanted.statuses.some((one) => one === status)),
    );
    expect(parts.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)).sort()).toEqual(
      told.map(({ fingerprint }) => fingerprint).sort(),
    );
    expect(selection).toMatchObject({ findings: told.length, leftOut: all.length - told.length });
    for (const part of parts) {
      const counted = Object.values(part.severities).reduce((sum, count) => sum + count, 0);
      expect(counted).toBe(part.findings.length);
    }
  }
  expect(selectFindings(whole.parts, {})).toEqual({ parts: whole.parts });
});

test('cover, mark and chapters are as whoever makes the report wants them', async () => {
  const words = await loadReportWords('de');
  const whole = sampleReport(12, { language: 'de' });
  const { parts, selection } = selectFindings(whole.parts, { severities: ['critical'] });
  const report = makeReport({
    ...whole,
    parts,
    ...(selection ? { selection } : {}),
    mark: 'Streng vertraulich',
    cover: [{ label: 'Projektnummer', value: '4711' }],
    chapters: ['findings', 'sign_off'],
  });
  const blocks = [...writeReport(report, words)];
  const cover = blocks.find(({ kind }) => kind === 'cover') as Extract<Block, { kind: 'cover' }>;
  const facts = cover.facts.map(([label, value]) => `${label}: ${String(value)}`);
  expect(facts).toContain('Vertraulichkeit: Streng vertraulich');
  expect(facts).toContain('Projektnummer: 4711');
  const { findings, leftOut } = selection!;
  expect(facts).toContain(
    `Befunde im Bericht: ${findings} (kritisch); ${leftOut} weitere sind hier ausgelassen und stehen im Ergebnis`,
  );
  expect(runningLine(report, words).top).toContain('Streng vertraulich');
  const chapters = (one: Report) =>
    [...writeReport(one, words)].flatMap((block) =>
      block.kind === 'heading' && block.level === 1 ? [block.id] : [],
    );
  expect(chapters(report)).toEqual(expect.arrayContaining(['scope', 'sign-off']));
  expect(chapters(report).join(' ')).not.toMatch(/summary-|results-|causes/);
  expect(chapters(whole).length).toBeGreaterThan(chapters(report).length + 3);
  for (const format of ['html', 'csv', 'json', 'xlsx', 'docx', 'pdf', 'sarif', 'junit'] as const) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of renderReport(report, format)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (format === 'html') expect(bytes.toString()).toContain('Projektnummer');
    if (['csv', 'sarif', 'junit'].includes(format)) {
      expect(bytes.toString()).toContain(`${leftOut} weitere sind hier ausgelassen`);
    }
    if (format === 'json')
      expect(reportSchema.parse(JSON.parse(bytes.toString()))).toMatchObject({
        selection,
        mark: 'Streng vertraulich',
      });
    expect(bytes.length).toBeGreaterThan(500);
  }
});
