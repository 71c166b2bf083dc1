import { expect, test } from 'vitest';
import { entriesOf } from '../entries.js';
import type { Report, ReportEvidence } from '../report.js';
import { loadReportWords } from '../report-words.js';
import { sampleFinding, samplePart, sampleReport } from '../testing/sample-report.js';
import type { Block, Inline } from './block.js';
import { writeOverview } from './overview.js';

const plain = (cell: Inline) => (typeof cell === 'string' ? cell : cell.map(({ text }) => text).join(''));
const tableOf = (blocks: readonly Block[], caption: string) =>
  blocks.flatMap((block) => (block.kind === 'table' && block.caption.startsWith(caption) ? block.rows : []));
const rowsOf = (blocks: readonly Block[], caption: string) =>
  tableOf(blocks, caption).map((row) => row.map(plain));
const overviewOf = async (report: Report) => [
  ...writeOverview(report, await loadReportWords(report.language)),
];

const against: ReportEvidence = {
  documentId: 'd',
  document: 'hara.xlsx',
  location: { page: 3 },
  quote: 'SG-1 ASIL B',
  role: 'counter',
};
const row = (id: string, type: string, downstream: readonly string[], integrity?: string) => ({
  id,
  text: `${id} text`,
  type,
  ...(integrity === undefined ? {} : { integrity }),
  upstream: [],
  downstream: downstream.map((artifactId) => ({ artifactId, linkType: 'decomposes_to' as const })),
  status: 'partial' as const,
});

function report(): Report {
  const finding = (at: number, own: Parameters<typeof sampleFinding>[1]) =>
    sampleFinding(at, { status: 'open', group: 'G', evidence: [against], ...own });
  const level = { title: 'SG-1: two levels', affectedItems: ['SG-1'], kind: 'levels' } as const;
  const groups = [{ key: 'G', title: 'Group' }];
  const first = samplePart(0, {
    id: 'one',
    groups,
    subject: 'Standard',
    findings: [
      finding(0, { ...level, severity: 'high' }),
      finding(1, { title: 'Gone', severity: 'critical', change: 'absent', affectedItems: ['X'] }),
      finding(2, { title: 'Done', severity: 'critical', status: 'resolved', affectedItems: ['Y'] }),
    ],
  });
  const second = {
    ...samplePart(0, {
      id: 'two',
      groups,
      subject: 'Checklist',
      findings: [
        finding(0, { ...level, severity: 'critical' }),
        finding(3, {
          title: 'Nothing below',
          kind: 'below',
          severity: 'low',
          affectedItems: ['FSR-1'],
          recommendation: 'Refine it; think; owner: safety engineer; done when it is refined.',
        }),
      ],
    }),
    trace: {
      artifacts: 3,
      links: 1,
      coverage: [],
      byIntegrity: [],
      levels: [],
      matrix: [
        row('SG-2', 'safety_goal', [], 'ASIL A'),
        row('SG-1', 'safety_goal', ['FSR-1'], 'ASIL D'),
        row('FSR-1', 'functional_safety_requirement', []),
      ],
      matrixTotal: 3,
      unlisted: 0,
    },
  };
  return sampleReport(0, { parts: [first, second] });
}

test('a fact that two analyses see is told once, with both and the higher severity', async () => {
  const { entries } = entriesOf(report(), await loadReportWords('en'));
  const facts = entries.filter(({ title }) => title.includes('two levels'));
  expect(facts.map(({ severity, parts }) => [severity, parts.map(({ id }) => id)])).toEqual([
    ['critical', ['one', 'two']],
  ]);
});

test('goals come by level, each with what follows it and what is open about it or below it', async () => {
  expect(rowsOf(await overviewOf(report()), 'Goals')).toEqual([
    ['SG-1 SG-1 text', 'ASIL D', 'FSR-1', 'critical SG-1: two levels (and 1 more)'],
    ['SG-2 SG-2 text', 'ASIL A', 'nothing', 'what follows it was not given'],
  ]);
});

test('what is to be decided comes by risk, with quote and owner; what is gone or done is not counted', async () => {
  const blocks = await overviewOf(report());
  expect(rowsOf(blocks, 'To decide first')).toEqual([
    [
      'critical SG-1: two levels (Standard; Checklist)',
      '“SG-1 ASIL B” – hara.xlsx, p. 3',
      expect.any(String),
    ],
    [expect.stringContaining('Nothing below'), expect.any(String), 'Refine it; owner: safety engineer'],
  ]);
  const facts = blocks.flatMap((block) => (block.kind === 'facts' ? block.rows : []));
  expect(facts.find(([label]) => label === 'Open findings')?.[1]).toBe(
    '2: 1 critical, 0 high, 0 medium, 1 low',
  );
});
