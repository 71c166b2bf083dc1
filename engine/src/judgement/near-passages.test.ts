import { describe, expect, it } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import type { Criterion } from '../standards/criterion.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { namesIt } from './near-passages.js';

const titled = (title: string): Criterion => ({
  id: 'X',
  kind: 'expectation',
  clause: '1',
  title,
  text: title,
  severity: 'high',
  obligation: 'shall',
  lookFor: { terms: [['anything']] },
});

describe('a passage that is only near', () => {
  it.each([
    ['Verification and validation planned', 'Verification and Validation Acceptance Criteria:', true],
    ['Confirmation measure reports', 'Confirmation measures serve two purposes.', true],
    // Its words are there, but say something else side by side.
    [
      'Software verification report',
      'A verification check over the software code in the flash memory runs at every start.',
      false,
    ],
    ['Integration and test report', 'Tests of the data bus check its integrity at every start.', false],
    // Half of the words: chance.
    ['Complexity avoided', 'More than 90 % of drivers avoid harm.', false],
    ['Impact analysis at the item level', 'Project manager - item level', false],
    // One word of a title is a word of every document.
    ['Interfaces', 'The purpose of the interface agreement is to share the work.', false],
  ])('names "%s" with "%s": %s', (title, text, names) => {
    expect(namesIt(text, titled(title))).toBe(names);
  });
});

const verdictOf = async (id: string, lines: readonly string[]) => {
  const standard = await loadStandard('iso-26262-2-2018');
  const { verdicts } = await analyseGaps({
    standard,
    documents: [analysedDocument('Safety_Plan.docx', lines)],
    scope: {},
    options: {},
  });
  return verdicts.find(({ criterionId }) => criterionId === id)!;
};
const plan = (...more: readonly string[]) => [
  '# Safety plan',
  '# 1 Roles',
  'The safety manager leads the safety activities of the pump controller and reports to the head of development.',
  'The project manager provides the people and the time that the safety activities of the pump controller need.',
  'The test engineer prepares the bench and the vehicles and keeps what was recorded on them for ten years.',
  ...more,
];

describe('a list of few words under the words that were looked for', () => {
  it.each([
    ['Progress tracking:', '- weekly meeting', '- status list'],
    ['Fortschrittsverfolgung:', '- wöchentliche Besprechung', '- offene Liste'],
  ])('%s', async (lead, ...items) => {
    const { verdict, evidence } = await verdictOf('26262-2:6.5.3-11', plan(lead, ...items));
    expect(verdict).not.toBe('missing');
    expect(evidence.map(({ quote }) => quote)).toContain(items[0]!.slice(2));
    const open = await verdictOf('26262-2:6.5.3-11', plan(lead, '- TBD', '- TBD'));
    expect(open.verdict).not.toBe('covered');
  });
});

describe('what was not found', () => {
  it('says under which words, where the document was read to its end and nothing is near', async () => {
    const { verdict, reason } = await verdictOf('26262-2:6.5.3-8', plan());
    expect(verdict).toBe('missing');
    expect(reason).toContain('"Safety_Plan.docx" was read to the end');
    expect(reason).toContain('"verification plan"');
  });

  it('is for a person where a passage of the document names it in other words', async () => {
    const line = 'Verification and validation are done by the partner, who tells us how and when.';
    const { verdict, confidence, reason, evidence } = await verdictOf('26262-2:6.5.3-8', plan(line));
    expect([verdict, confidence]).toEqual(['needs_review', 'low']);
    expect(reason).toMatch(/^Not found under the words "verification plan"/);
    expect(evidence.map(({ quote, role }) => [quote, role])).toEqual([[line, 'context']]);
  });

  it('says the same of German documents', async () => {
    const lines = [
      '# Sicherheitsplan',
      '# 1 Rollen',
      'Der Sicherheitsmanager leitet die Sicherheitsaktivitäten der Pumpensteuerung und berichtet der Entwicklungsleitung.',
      'Der Projektleiter stellt die Menschen und die Zeit, die die Sicherheitsaktivitäten der Pumpensteuerung brauchen.',
      'Die Versuchsingenieurin bereitet Prüfstand und Fahrzeuge vor und bewahrt die Aufzeichnungen zehn Jahre lang auf.',
    ];
    const { verdict, said } = await verdictOf('26262-2:6.5.3-8', lines);
    expect(verdict).toBe('missing');
    expect(said?.reason.key).toBe('verdicts.read-to-the-end');
  });
});
