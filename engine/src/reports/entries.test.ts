import { expect, test } from 'vitest';
import {
  contentOf,
  deniedOf,
  emptyOf,
  METADATA,
  NOT_GIVEN,
  REUSED_IDS,
  rationalesOf,
  rowsOf,
  traceOf,
  VERSIONS,
} from '../findings/subject.js';
import { type Entry, entriesOf } from './entries.js';
import type { ReportFinding, ReportPart } from './report.js';
import { loadReportWords } from './report-words.js';
import { sampleFinding, samplePart, sampleReport } from './testing/sample-report.js';

const part = (id: string, findings: readonly ReportFinding[], type: ReportPart['type'] = 'gap_analysis') => ({
  ...samplePart(0, { id, groups: [{ key: 'G', title: 'Group' }], findings }),
  type,
});
const finding = (at: number, own: Partial<ReportFinding>) =>
  sampleFinding(at, { group: 'G', evidence: [], affectedItems: [], ...own });
const affected = (...titles: string[]) =>
  titles.map((title) => ({ id: title, title, kind: 'missing', severity: 'high' as const }));
const entries = async (...parts: readonly ReportPart[]) => {
  const { documents } = sampleReport(0);
  return entriesOf(
    { parts, documents: [{ ...documents[0]!, id: 'd', name: 'plan.docx' }] },
    await loadReportWords('en'),
  );
};
const told = ({ title, severity, parts, details }: Entry) => [
  title,
  severity,
  parts.map(({ id }) => id),
  details,
];

test('what a document does not show is one entry over all analyses, each thing once, and no more than high', async () => {
  const subject = contentOf('d');
  const found = await entries(
    part('4', [finding(1, { subject, severity: 'high', affected: affected('Tools', 'Progress') })]),
    part(
      'template',
      [finding(2, { subject, severity: 'medium', affected: affected('tools', 'Roles') })],
      'completeness',
    ),
    part(
      'list',
      [finding(3, { subject, severity: 'critical', criterionId: 'L-1', observed: 'No dates.' })],
      'checklist',
    ),
  );
  expect(found.entries.map(told)).toEqual([
    [
      'plan.docx does not show: Tools; Progress; Roles (and 1 more)',
      'high',
      ['4', 'template', 'list'],
      ['Tools', 'Progress', 'Roles', 'L-1: No dates.'],
    ],
  ]);
});

test('the same words about the same quote are one entry, also where no artifact is named', async () => {
  const { evidence } = sampleFinding(1);
  const same = (at: number) =>
    finding(at, { title: 'All passed against the numbers', evidence, affectedItems: [] });
  const found = await entries(part('2', [same(1)]), part('4', [same(2)]));
  expect(found.entries.map(({ members }) => members.length)).toEqual([2]);
});

test('an answer about other artifacts than a gap of the trace is an entry of its own', async () => {
  const subject = traceOf('orphan_downstream', 'not_refined_nor_allocated');
  const of = (at: number, affectedItems: readonly string[]) =>
    finding(at, { subject, title: `Title ${at}`, affectedItems });
  const found = await entries(
    part('trace', [of(1, ['SSR-1', 'SSR-2'])]),
    part('list', [of(2, ['FSR-1']), of(3, ['SSR-2'])], 'checklist'),
  );
  expect(found.entries.map(({ title, members }) => [title, members.length])).toEqual([
    ['Title 1', 2],
    ['Title 2', 1],
  ]);
});

test('work products that nobody gave are one entry and as severe as the worst, but never critical; rows, metadata and kinds of the trace are others', async () => {
  const of = (at: number, subject: string, own: Partial<ReportFinding> = {}) =>
    finding(at, { subject, severity: 'medium', title: `Title ${at}`, ...own });
  const found = await entries(
    part('2', [of(1, NOT_GIVEN, { severity: 'critical' }), of(2, rowsOf('d')), of(3, METADATA)]),
    part('3', [of(4, NOT_GIVEN), of(5, traceOf('missing_verification', 'none')), of(6, rowsOf('d'))]),
    part('list', [of(7, traceOf('missing_verification', 'none'), { severity: 'high' })], 'checklist'),
  );
  expect(found.entries.map(({ title, severity, members }) => [title, severity, members.length])).toEqual([
    ['Not among the documents: 2 work products or reviews', 'high', 2],
    // The engine's words, the severity of the worst.
    ['Title 5', 'high', 2],
    ['plan.docx: rows without a value', 'medium', 2],
    ['Title 3', 'medium', 1],
  ]);
});

test('findings without a subject stay apart, and so does what a person has decided by itself', async () => {
  const found = await entries(
    part('2', [finding(1, { title: 'One' }), finding(2, { title: 'One' })]),
    part('3', [
      finding(3, { subject: METADATA, status: 'accepted', title: 'Accepted' }),
      finding(4, { subject: METADATA, status: 'open', title: 'Open' }),
      finding(5, { subject: METADATA, change: 'absent', title: 'Gone' }),
    ]),
  );
  expect(found.entries.map(({ title }) => title).sort()).toEqual(['Accepted', 'One', 'One', 'Open']);
});

test('an answer that a person has to confirm is for a person, unless words of a document speak against it', async () => {
  const against = {
    documentId: 'd',
    document: 'plan.docx',
    location: {},
    quote: 'No.',
    role: 'counter' as const,
  };
  const found = await entries(
    part('list', [
      finding(1, { unconfirmed: true, title: 'Silent' }),
      finding(2, { unconfirmed: true, title: 'Near', evidence: [{ ...against, role: 'context' }] }),
      finding(3, { unconfirmed: true, title: 'Denied', evidence: [against] }),
    ]),
  );
  expect(found.entries.map(({ title }) => title)).toEqual(['Denied']);
  expect(found.forPersons.map(({ finding: { title } }) => title)).toEqual(['Silent', 'Near']);
});

test('what holds only under an open condition waits, whatever speaks against it, until a person has decided', async () => {
  const against = {
    documentId: 'd',
    document: 'plan.docx',
    location: {},
    quote: 'No.',
    role: 'counter' as const,
  };
  const found = await entries(
    part('list', [
      finding(1, { waits: true, unconfirmed: true, title: 'Open', evidence: [against] }),
      finding(2, { waits: true, title: 'Accepted', status: 'accepted' }),
    ]),
  );
  expect(found.waiting.map(({ finding: { title } }) => title)).toEqual(['Open']);
  expect(found.entries.map(({ title }) => title)).toEqual(['Accepted']);
});

test('everything about documents that nobody has filled in is one entry, also what only quotes them', async () => {
  const quoting = (documentId: string) => [
    { documentId, document: 'plan.docx', location: {}, quote: 'HA-1', role: 'counter' as const },
  ];
  const found = await entries(
    part(
      'template',
      [finding(1, { subject: emptyOf('d'), title: 'Plan is an empty template' })],
      'completeness',
    ),
    part('list', [finding(2, { evidence: quoting('d'), severity: 'critical' })], 'checklist'),
    part('4', [
      finding(3, { subject: rowsOf('d') }),
      finding(4, { title: 'Other', severity: 'high', evidence: quoting('e') }),
    ]),
  );
  expect(found.entries.map(({ title, severity, members }) => [title, severity, members.length])).toEqual([
    ['Nobody has filled in the template: plan.docx', 'critical', 3],
    ['Other', 'high', 1],
  ]);
});

test('small points are one entry beside others, and stand each for itself where there is nothing else', async () => {
  const low = [1, 2].map((at) => finding(at, { severity: 'low', title: `Low ${at}` }));
  const beside = await entries(part('2', [...low, finding(3, { severity: 'high', title: 'High' })]));
  expect(beside.entries.map(({ title, details }) => [title, details])).toEqual([
    ['High', []],
    ['2 smaller points', ['Low 1', 'Low 2']],
  ]);
  const left = [
    finding(4, { subject: contentOf('d'), severity: 'medium', title: 'Section' }),
    finding(5, { subject: METADATA, severity: 'medium', title: 'Cover' }),
    finding(6, { severity: 'medium', title: 'Medium' }),
  ];
  const formal = await entries(part('2', left));
  expect(formal.entries.map(({ title, severity, details }) => [title, severity, details])).toEqual([
    ['Medium', 'medium', []],
    ['2 smaller points', 'medium', ['Section', 'Cover']],
  ]);
  const alone = await entries(part('2', low));
  expect(alone.entries.map(({ title }) => title)).toEqual(['Low 1', 'Low 2']);
});

test('a test of its own beside verified refinements is no entry', async () => {
  const found = await entries(
    part(
      'trace',
      [finding(1, { kind: 'indirect_only', severity: 'low' }), finding(2, { title: 'Other' })],
      'traceability',
    ),
  );
  expect(found.entries.map(({ title }) => title)).toEqual(['Other']);
});

test('ratings, versions and ids that have one cause are one entry; levels name the artifacts', async () => {
  const found = await entries(
    part('3', [
      finding(1, { subject: rationalesOf('d'), affectedItems: ['HA-1', 'HA-2'] }),
      finding(2, { subject: VERSIONS, title: 'Cover' }),
      finding(3, { subject: REUSED_IDS, title: 'Ids' }),
    ]),
    part('list', [finding(4, { subject: rationalesOf('d') })], 'checklist'),
    part('trace', [
      finding(5, { subject: VERSIONS, title: 'Older' }),
      ...['A-1', 'A-2'].map((id, at) =>
        finding(6 + at, {
          subject: traceOf('asil_inconsistency', 'AI-02'),
          affectedItems: [id],
          title: `${id}: lower`,
        }),
      ),
    ]),
  );
  expect(found.entries.map(({ title, members }) => [title, members.length])).toEqual([
    ['Rationales that do not carry the ratings: HA-1, HA-2', 2],
    ['Versions and dates of documents do not fit together', 2],
    ['A-1, A-2: lower', 2],
    ['Ids', 1],
  ]);
});

test('one fact in two findings of one analysis is one entry, in the words of the more severe', async () => {
  const subject = deniedOf({ documentId: 'd', start: 12 });
  const found = await entries(
    part('3', [
      finding(1, { subject, title: 'Review not found', severity: 'high' }),
      finding(2, { subject, title: 'An activity was not performed', severity: 'medium' }),
    ]),
  );
  expect(found.entries.map(told)).toEqual([
    ['Review not found', 'high', ['3'], ['Review not found', 'An activity was not performed']],
  ]);
});

test('what says the same of the same items is not counted as more', async () => {
  const subject = traceOf('asil_inconsistency', 'AI-13');
  const found = await entries(
    part('3', [
      finding(1, {
        subject,
        title: 'HE-05: B stated, ratings give C',
        affectedItems: ['HE-05'],
        severity: 'critical',
      }),
    ]),
    part(
      'trace',
      [finding(2, { subject, title: 'HE-05: too low', affectedItems: ['HE-05'] })],
      'traceability',
    ),
  );
  expect(found.entries.map(({ title }) => title)).toEqual(['HE-05: B stated, ratings give C']);
});
