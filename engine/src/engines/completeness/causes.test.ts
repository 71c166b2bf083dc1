import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import type { Document } from '../../documents/document.js';
import type { Finding } from '../../findings/finding.js';
import { isAtLeast } from '../../findings/severities.js';
import { completenessPart } from '../../reports/parts/completeness-part.js';
import { inLanguage } from '../../sentences/worded.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { checkCompleteness } from './run.js';

const prose = (title: string) =>
  `The team described ${title.toLowerCase()} for the power tailgate in enough words to be of use.`;
const concept = (
  sections: readonly string[],
  name = 'TSC.md',
  format: Document['format'] = 'markdown',
  version = '1.0',
) => {
  const lines = sections.flatMap((title) => [`## ${title}`, prose(title)]);
  const made = analysedDocument(name, [
    '# Technical safety concept',
    'Status: draft',
    `Version: ${version}`,
    ...lines,
  ]);
  return { ...made, document: { ...made.document, format } };
};
const check = (...documents: AnalysedDocument[]) => checkCompleteness({ documents });
const together = (findings: readonly Finding[], kind = 'section_missing') =>
  findings.filter((one) => one.kind === kind && one.affected !== undefined);
const HALF = ['Scope and inputs', 'System architecture', 'Timing', 'Technical safety requirements'];

describe('sections that are not found', () => {
  it('are one finding a document, but for those that are a defect of content on their own', async () => {
    const { findings, documents } = await check(concept(HALF));
    const missing = documents[0]!.templates[0]!.sections.filter(
      (one) => one.applies === 'yes' && one.state === 'missing',
    );
    const [told, ...others] = together(findings);
    expect(others).toEqual([]);
    const alone = findings.filter((one) => one.kind === 'section_missing' && one !== told);
    expect(alone.map((one) => one.criterionId)).toEqual(
      missing
        .filter((one) => one.critical || one.severity === 'critical')
        .map((one) => `technical_safety_concept.${one.key}`),
    );
    expect(alone.length).toBeGreaterThan(0);
    // None vanishes.
    const rest = missing.filter((one) => !one.critical && one.severity !== 'critical');
    expect(rest.length).toBeGreaterThan(2);
    expect(told!.affected!.map(({ id, title, severity }) => ({ id, title, severity }))).toEqual(
      rest.map(({ key, title, severity }) => ({ id: `technical_safety_concept.${key}`, title, severity })),
    );
    for (const { title, search } of told!.affected!) {
      expect(told!.observed).toContain(`"${title}"`);
      expect(search!.statement).toContain(`"${title}"`);
    }
    expect(told!.title).toContain(`${rest.length} sections not found`);
    expect(rest.every((one) => isAtLeast(told!.severity, one.severity))).toBe(true);
    expect(rest.map((one) => one.severity)).toContain(told!.severity);
    expect(told!.confidence).toBe('high');
  });

  it('keep the identity of their finding when one comes or goes, down to the last', async () => {
    const all = [
      ...HALF,
      'Safety mechanisms',
      'Safety analyses',
      'Verification',
      'Hardware-software interface',
    ];
    const [many] = together((await check(concept(HALF))).findings);
    const [few] = together((await check(concept(all))).findings);
    expect(few!.affected!.length).toBeLessThan(many!.affected!.length);
    expect(few!.fingerprint).toBe(many!.fingerprint);
    expect(many!.defects).toHaveLength(many!.affected!.length);
  });

  it('are said in German, too, and stand in reports with what was searched', async () => {
    const result = await check(concept(HALF));
    const [told] = together(result.findings);
    const german = inLanguage(told!, 'de');
    expect(german.title).toContain('Abschnitte nicht gefunden');
    expect(german.observed).toContain('nichts im Dokument steht dafür');
    expect(german.affected![0]!.search!.statement).toContain('durchsucht');
    const part = completenessPart(result, { id: 'a', language: 'de' });
    const reported = part.findings.find((one) => one.fingerprint === told!.fingerprint);
    expect(reported!.affected!.map((one) => one.searched)).toEqual(
      german.affected!.map((one) => one.search!.statement),
    );
  });
});

describe('metadata that is not stated', () => {
  it('is one finding a document, at the severity of the worst', async () => {
    const { findings, documents } = await check(concept(HALF));
    const open = documents[0]!.metadata.filter((one) => one.applies && one.state === 'missing');
    const told = together(findings, 'metadata_missing');
    expect(told).toHaveLength(1);
    expect(told[0]!.affectedItems).toEqual(open.map((one) => one.key));
    expect(told[0]!.title).toBe(`${documents[0]!.name}: ${open.length} metadata fields not stated`);
    for (const { label, severity } of open) expect(told[0]!.observed).toContain(`${label} (${severity}`);
    expect(inLanguage(told[0]!, 'de').observed).toContain('nicht gefunden auf Deckblatt');
  });
});

describe('a document in two formats', () => {
  const word = concept(HALF, 'TSC.docx', 'docx');

  it('is told once, with both names, as a finding of the first', async () => {
    const { findings: own } = await check(word);
    const { findings, documents } = await check(word, concept(HALF, 'pdf/TSC.pdf', 'pdf'));
    expect(findings.map((one) => one.fingerprint).sort()).toEqual(own.map((one) => one.fingerprint).sort());
    for (const one of together(findings)) expect(one.observed).toContain('"TSC.docx", "pdf/TSC.pdf"');
    expect(documents[1]!.findings).toEqual(documents[0]!.findings);
    // What each of them has stays in its own result.
    expect(documents[1]!.templates[0]!.sections).toHaveLength(documents[0]!.templates[0]!.sections.length);
  });

  it('says what only one of them lacks', async () => {
    const long = [...HALF, 'Safety mechanisms', 'Hardware-software interface', 'Safety analyses'];
    const lines = (more: readonly string[]) => [
      ...more,
      ...Array.from({ length: 12 }, (_, n) => `Part ${n}`),
    ];
    const { findings } = await check(
      concept(lines([...long, 'Verification']), 'TSC.docx', 'docx'),
      concept(lines(long), 'TSC.pdf', 'pdf'),
    );
    const told = together(findings);
    expect(told).toHaveLength(1);
    expect(told[0]!.observed).toContain('only in "TSC.pdf"');
    expect(told[0]!.observed).not.toContain('only in "TSC.docx"');
  });

  it.each([
    ['another text', concept(['Colours', 'Paint', 'Varnish'], 'TSC.pdf', 'pdf')],
    ['the same format', concept(HALF, 'copy/TSC.docx', 'docx')],
    ['another version', concept(HALF, 'TSC.pdf', 'pdf', '2.0')],
  ])('is not one that has %s', async (_, other) => {
    const { findings } = await check(word, other);
    const told = together(findings);
    expect(told).toHaveLength(2);
    for (const one of told) expect(one.observed).not.toContain('", "');
  });
});
