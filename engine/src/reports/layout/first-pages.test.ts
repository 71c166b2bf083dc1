import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { renderReport } from '../render-report.js';
import type { Report, ReportLanguage } from '../report.js';
import { sampleFinding, samplePart, sampleReport } from '../testing/sample-report.js';

const long = (text: string) => `${text} ${'and what else there is to say about it, '.repeat(12)}at last.`;
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** More of everything that the first pages tell than they have room for. */
function crowded(language: ReportLanguage): Report {
  const findings = many(20, (at) =>
    sampleFinding(at, {
      title: long(`Finding ${at}`),
      observed: long('Observed'),
      recommendation: long('Do it'),
      kind: `kind ${at}`,
      status: 'open',
      change: 'new',
      affectedItems: many(9, (item) => `Functional Safety Requirement ${at}-${item}`),
    }),
  );
  const goal = (at: number) => ({
    id: `A rather long name of Safety Goal ${at}`,
    text: long('The item shall not'),
    type: 'safety_goal',
    integrity: 'ASIL D',
    integrityFrom: 'HA-001',
    upstream: [],
    downstream: many(9, (item) => ({
      artifactId: `Functional Safety Requirement ${at}-${item}`,
      linkType: 'decomposes_to' as const,
    })),
    status: 'partial' as const,
  });
  const parts = many(12, (at) => ({
    ...samplePart(0, {
      id: `part-${at}`,
      subject: `ISO 26262-${at}:2018`,
      score: { value: 41.5 },
      groups: many(3, (group) => ({ key: `G-${group}`, title: `Group ${group}` })),
      findings: at === 0 ? findings : [],
      changes: { new: 40, updated: 30, absent: 20, unchanged: 10 },
      gone: many(30, (gone) => ({ title: long(`Gone ${gone}`), severity: 'high' as const })),
      notDue: many(9, (reason) => ({
        because: 'phase' as const,
        reason: long(`Reason ${at}.${reason}`),
        items: many(30, (item) => `26262-4:7.${item}`),
      })),
      notAssessed: many(9, (left) => ({
        subject: `${left}_${'Name'.repeat(30)}.docx`,
        reason: long(`Why ${left}`),
      })),
    }),
  }));
  const trace = {
    artifacts: 300,
    links: 10,
    coverage: [],
    byIntegrity: [],
    levels: [],
    matrix: many(40, goal),
    matrixTotal: 40,
    unlisted: 0,
  };
  const documents = many(40, (at) => ({
    id: `d${at}`,
    name: `${at}_${'SoftwareRequirementsAndArchitecture'.repeat(2)}.docx`,
    version: '1',
    sha256: 'a'.repeat(64),
    types: [],
    notes: [],
    stated: { version: long(`${at}`), date: '2026-01-01', status: long('In review') },
  }));
  const [first, ...others] = parts;
  return sampleReport(0, { language, parts: [{ ...first!, trace }, ...others], documents });
}

test.each(['en', 'de'] as const)(
  'what stands before the contents takes two pages at most: %s',
  async (language) => {
    const bytes = await buffer(Readable.from(renderReport(crowded(language), 'pdf')));
    const { blocks } = await readDocument(bytes, { fileName: 'report.pdf' });
    const pageOf = (title: RegExp) => blocks.find(({ text }) => title.test(text))?.location.page;
    // The cover has a page of its own.
    expect(pageOf(/^(At a glance|Auf einen Blick)$/)).toBe(2);
    expect(pageOf(/^(Contents|Inhalt)$/)).toBeLessThanOrEqual(4);
  },
);
