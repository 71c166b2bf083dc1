import type { Severity } from '../../findings/finding.js';
import { makeReport, type ReportInput } from '../make-report.js';
import type { Report, ReportFinding, ReportPart, ReportResult } from '../report.js';

/** Texts that are hard to put on paper. */
export const HARD_TEXTS = [
  'Überprüfung der Größe: Ω ≥ 5 µm → Δt ≤ 3 ms',
  'שלום עולם – SG-01 (ASIL D) בדיקה 42',
  'هدف السلامة 12 SG',
  'emoji 😀 👩‍👩‍👧 and 日本語',
  '=HYPERLINK("http://evil.example","x")',
  '</style><script>alert(1)</script>',
  'a\u0000b\u001bc \ud800 end',
  'line one\nline two\r\nline three',
  `REQ_${'VeryLongIdentifierWithoutAnyBreak'.repeat(6)}`,
  'word '.repeat(500).trim(),
] as const;

const text = (index: number): string => HARD_TEXTS[index % HARD_TEXTS.length]!;

export function sampleFinding(index: number, change: Partial<ReportFinding> = {}): ReportFinding {
  return {
    fingerprint: String(index).padStart(32, '0'),
    group: `G-${index % 3}`,
    kind: 'missing',
    criterionId: `S:${index}`,
    clause: String(index),
    title: `Finding ${index} ${text(index).slice(0, 60)}`,
    standardRef: 'ISO 26262-3:2018, 6',
    severity: (['critical', 'high', 'medium', 'low'] as const satisfies Severity[])[index % 4]!,
    confidence: 'high',
    severityReasons: ['The criterion carries it.'],
    asil: 'B(D)',
    expected: text(index + 1),
    observed: text(index + 2),
    whyItMatters: 'It does.',
    recommendation: `Add what is missing ${index}.`,
    affectedItems: ['SG-01', text(8)],
    evidence: [
      {
        documentId: 'd1',
        document: 'Größe & "HARA".xlsx',
        version: '3',
        location: { sheet: 'Ratings', cell: 'B12', section: ['4 Größe'] },
        quote: `Quote ${index}: ${text(index + 3)}`,
        role: 'counter',
        note: 'nearest passage',
      },
      {
        documentId: 'd2',
        document: 'notes.md',
        location: { line: 7 },
        quote: 'Second quote',
        role: 'support',
      },
    ],
    ...change,
  };
}

const sampleResult = (index: number): ReportResult => ({
  id: `S:${index}`,
  group: `G-${index % 3}`,
  label: `6.${index}`,
  title: text(index),
  state: (['covered', 'partial', 'missing', 'needs_review', 'not_applicable'] as const)[index % 5]!,
  confidence: 'low',
  reason: text(index + 4),
  evidence: sampleFinding(index).evidence,
  needsPerson: index % 5 === 3,
});

export function samplePart(count: number, change: Partial<ReportPart> = {}): ReportPart {
  const findings = Array.from({ length: count }, (_, index) => sampleFinding(index)).sort((a, b) =>
    a.group < b.group ? -1 : a.group > b.group ? 1 : 0,
  );
  const severities = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) severities[severity]++;
  const results = Array.from({ length: Math.min(count, 10) }, (_, index) => sampleResult(index));
  return {
    id: 'part',
    type: 'gap_analysis',
    subject: 'ISO 26262-3:2018',
    standard: {
      id: 'iso-26262-3-2018',
      designation: 'ISO 26262-3:2018',
      title: 'Concept phase',
      edition: '2',
      source: 'catalog',
    },
    engine: { name: '@normtrace/engine', version: '0.1.0' },
    mode: 'rules',
    method: {
      passages: 12,
      embedding: { lexicalOnly: 'embeddings are switched off' },
      conditions: { variants: false },
    },
    score: { value: count === 0 ? null : 41.5, upTo: 60 },
    severities,
    groups: count === 0 ? [] : [0, 1, 2].map((n) => ({ key: `G-${n}`, title: `${n} ${text(n)}` })),
    results: results.sort((a, b) => (a.group < b.group ? -1 : 1)),
    findings,
    questions: count === 0 ? [] : [{ subject: 'Does it have variants?', text: 'Nothing tells.' }],
    notAssessed: count === 0 ? [] : [{ subject: 'scan.pdf', reason: 'It has no text.' }],
    ...change,
  };
}

/** A report with `count` findings, all of them hard. */
export function sampleReport(count: number, change: Partial<ReportInput> = {}): Report {
  return makeReport({
    language: 'en',
    title: 'Review of the lamp',
    workspace: 'Lamps & more',
    author: 'Jo Groß',
    createdAt: '2026-01-31T09:30:00.000Z',
    scope: { item: 'Lamp' },
    documents: [
      {
        id: 'd1',
        name: 'Größe & "HARA".xlsx',
        version: '3',
        sha256: 'a'.repeat(64),
        types: ['hara'],
        status: 'draft',
        notes: ['A picture has no text.'],
      },
      { id: 'd2', name: 'notes.md', version: '1', sha256: 'b'.repeat(64), types: [], notes: [] },
    ],
    parts: [samplePart(count)],
    ...change,
  });
}

/** A part with a trace matrix. */
export const tracePart = (): ReportPart =>
  samplePart(2, {
    id: 'trace',
    type: 'traceability',
    subject: '',
    results: [],
    trace: {
      artifacts: 5,
      links: 4,
      coverage: [{ metric: 'upstream', share: { numerator: 1, denominator: 2, percentage: 50 } }],
      byIntegrity: [],
      levels: [{ type: 'safety_goal', counts: { complete: 1, partial: 0, missing: 1, orphan: 0 } }],
      matrix: [
        {
          id: 'SG-01',
          text: '=1+1 unintended light',
          type: 'safety_goal',
          integrity: 'D',
          upstream: [],
          downstream: [{ artifactId: 'FSR-1', linkType: 'derives_from' }],
          status: 'partial',
        },
      ],
      matrixTotal: 2,
      unlisted: 3,
    },
  });
