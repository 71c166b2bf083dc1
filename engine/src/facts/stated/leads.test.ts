import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedFacts } from './stated-facts.js';

async function parentsIn(...documents: readonly (readonly string[])[]) {
  const read = documents.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const facts = statedFacts(await corpusOf({ documents: read, scope: {} }, async () => {}));
  return Object.fromEntries(
    facts.items.filter(({ hasId }) => hasId).map((item) => [item.id, facts.parentsOf(item)]),
  );
}

const REQUIREMENTS = ['| ID | Requirement | ASIL | FTTI |', '| Technical Safety Requirement 01 | The'];

it('rows come from what the paragraph above their table names, and count anew under it', async () => {
  const [head, row] = REQUIREMENTS;
  expect(
    await parentsIn([
      '# Technical requirements',
      'Functional Safety Requirement 01-01 with its technical requirements:',
      head!,
      `${row} amplitude shall be below the limit | C | 50 ms |`,
      'Functional Safety Requirement 02-01 with its technical requirements:',
      head!,
      `${row} duration shall be below the limit | B | 500 ms |`,
    ]),
  ).toEqual({
    'Functional Safety Requirement 01-01 / Technical Safety Requirement 01': [
      'FUNCTIONAL-SAFETY-REQUIREMENT-1-1',
    ],
    'Functional Safety Requirement 02-01 / Technical Safety Requirement 01': [
      'FUNCTIONAL-SAFETY-REQUIREMENT-2-1',
    ],
  });
});

it('what stands below one that counts anew belongs to the only parent that its document names', async () => {
  const [head, row] = REQUIREMENTS;
  const below = await parentsIn(
    [
      'Functional Safety Requirement 01-01:',
      head!,
      `${row} amplitude shall be below the limit | C | 50 ms |`,
      'Functional Safety Requirement 02-01:',
      head!,
      `${row} duration shall be below the limit | B | 500 ms |`,
    ],
    [
      'This document refines Functional Safety Requirement 02-01.',
      'Technical Safety Requirement 01:',
      '| ID | Software requirement | ASIL |',
      '| SSR-1 | The timer shall stop | B |',
    ],
  );
  expect(below['SSR-1']).toEqual(['FUNCTIONAL-SAFETY-REQUIREMENT-2-1 / TECHNICAL-SAFETY-REQUIREMENT-1']);
});

it('a column of links comes before the paragraph, and goals come from nothing below them', async () => {
  const found = await parentsIn([
    'The goals that FSR-1 is made of:',
    '| ID | Safety goal | ASIL |',
    '| SG-1 | The door shall stay closed | B |',
    'For SG-1:',
    '| ID | Requirement | From goal | ASIL |',
    '| FSR-1 | The lock shall hold | SG-2 | B |',
  ]);
  expect(found).toEqual({ 'SG-1': [], 'FSR-1': ['SG-2'] });
});
