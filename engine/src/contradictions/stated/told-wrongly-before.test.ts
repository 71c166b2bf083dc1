import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

/** What is told of documents made of lines, as rule and item. */
async function told(...files: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  return statedContradictions(corpus).map(({ rule, item }) => `${rule} ${item}`);
}

describe('an element that runs on another one', () => {
  const concept = [
    '# Functional safety concept',
    '| ID | Requirement | ASIL | Allocated to |',
    '| FSR-1 | The release shall be withdrawn in time. | C | Release manager |',
    '| FSR-2 | The driver shall be watched. | C | Secondary attention path |',
  ];
  const system = (element: string) => [
    '# System requirements',
    '| ID | From | Requirement | ASIL | Allocated to |',
    `| SYS-1 | FSR-1 | The release manager shall withdraw the release within 100 ms. | C | ${element} |`,
    '| SYS-2 | FSR-1 | The release manager shall report it within 200 ms. | C | Safety MCU |',
    '| SYS-3 | FSR-2 | The secondary path shall judge the head every 50 ms. | C | Secondary attention path |',
  ];

  it('carries what is allocated to it, and no other does', async () => {
    expect(await told(concept, system('Safety MCU'))).not.toContainEqual(
      expect.stringMatching(/^allocation-against-text/),
    );
    expect(await told(concept, system('Vision chip'))).toContain('allocation-against-text SYS-1');
  });
});

describe('times', () => {
  const goals = (...lines: readonly string[]) => [
    '# Hazard analysis',
    '| ID | Safety goal | ASIL | FTTI |',
    '| SG-4 | A stop shall be asked for when the driver does not answer. | B | 3000 ms |',
    ...lines,
  ];

  it('of which a sentence says from when they count are no intervals', async () => {
    const differs = expect.stringMatching(/^time-differs/);
    expect(
      await told(goals('The FTTI of SG-4 counts from the end of the 4.0 s response window.')),
    ).not.toContainEqual(differs);
    expect(await told(goals('The FTTI of SG-4 is 4.0 s.'))).toContainEqual(differs);
  });

  it('that are waited for, or that a person is given, are no reactions', async () => {
    const concept = (text: string) => [
      '# Functional safety concept',
      '| ID | Requirement | ASIL | Goal |',
      `| FSR-8 | ${text} | B | SG-4 |`,
    ];
    const longer = expect.stringMatching(/^child-time-longer/);
    for (const text of [
      'A stop shall be asked for only after 4.0 s of silence.',
      'A stop shall be asked for when the driver has not answered within 4.0 s.',
    ])
      expect(await told(goals(), concept(text))).not.toContainEqual(longer);
    expect(await told(goals(), concept('A lost answer shall lead to a stop within 4.0 s.'))).toContainEqual(
      longer,
    );
  });

  it('of one column are the total of two others, and of goals with their level', async () => {
    const budget = (sum: string) => [
      '# Time budget',
      '| Goal | Detection | Switching off | Mechanics | Reaction | Sum |',
      `| SG-4 (B) | 500 ms | 10 ms | 290 ms | 300 ms | ${sum} |`,
    ];
    const wrong = expect.stringMatching(/^handling-time-wrong/);
    expect(await told(goals(), budget('800 ms'))).not.toContainEqual(wrong);
    expect(await told(goals(), budget('900 ms'))).toContainEqual(wrong);
  });
});

describe('a rating and its reason', () => {
  const hazards = (rating: string, reason: string) => [
    '# Hazard analysis',
    '| ID | Hazardous event | S | Reason for S | E | Reason for E | C | Reason for C | ASIL |',
    `| HE-1 | Fan stops | S2 | Burns that are survived | E4 | Part of almost every drive | ${rating} | ${reason} | B |`,
  ];
  const against = expect.stringMatching(/^rating-against-rationale/);

  it.each([
    ['C1', 'Hardly anybody can leave in time'],
    ['C1', 'Kaum ein Fahrer hält die Spur'],
    ['C3', 'Everybody leaves without any effort'],
  ])('%s with "%s" contradict each other', async (rating, reason) => {
    expect(await told(hazards(rating, reason))).toContainEqual(against);
  });

  it.each([
    ['C1', 'Hardly any driver fails to stop'],
    ['C1', 'Kaum ein Fahrer verliert die Spur'],
    ['C3', 'Nobody leaves, and not without difficulty'],
  ])('%s with "%s" do not', async (rating, reason) => {
    expect(await told(hazards(rating, reason))).not.toContainEqual(against);
  });
});
