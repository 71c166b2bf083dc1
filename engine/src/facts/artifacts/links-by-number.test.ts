import { expect, test } from 'vitest';
import { analysedDocument } from '../../testing/document-fixture.js';
import { extractArtifacts } from './extract-artifacts.js';

const concept = (goals: readonly string[], requirements: readonly string[]) => {
  const { id, document } = analysedDocument('Functional_Safety_Concept.docx', [
    '# Functional safety concept',
    '# Safety goals',
    '| ID | Safety goal | ASIL |',
    ...goals,
    '# Functional safety requirements',
    '| ID | Functional safety requirement | ASIL |',
    ...requirements,
  ]);
  const { links, noteCounts } = extractArtifacts([
    { id, document, documentType: 'functional_safety_concept' },
  ]);
  return {
    links: links.map(({ sourceId, targetId }) => [sourceId, targetId]),
    assumed: links.map(({ assumed }) => assumed),
    notes: noteCounts.link_by_number,
  };
};
const GOALS = [
  '| SG-01 | The window shall not trap a hand. | B |',
  '| SG-02 | The window shall not open by itself. | A |',
];
const requirement = (id: string) => `| ${id} | The controller of ${id} shall stop the motor. | A |`;

test('requirements whose number begins with that of a goal are linked to it where nothing else links them, and it is told', () => {
  const found = concept(GOALS, ['FSR 01-01', 'FSR 01-02', 'FSR 02-01'].map(requirement));
  expect(found.links).toEqual([
    ['FSR 01-01', 'SG-01'],
    ['FSR 01-02', 'SG-01'],
    ['FSR 02-01', 'SG-02'],
  ]);
  expect(found.notes).toBe(3);
  expect(found.assumed).toEqual(['number', 'number', 'number']);
});

test.each([
  ['one names no goal', ['FSR 01-01', 'FSR 02-01', 'FSR 07-01']],
  ['all have the number of one goal, which may be that of the item', ['FSR 01-01', 'FSR 01-02']],
  ['a number alone says nothing about goals', ['FSR-1', 'FSR-2']],
])('no link: %s', (_why, ids) => {
  expect(concept(GOALS, ids.map(requirement))).toEqual({ links: [], assumed: [], notes: undefined });
});

test('a requirement that repeats another goal than its number names belongs to that one', () => {
  const [first] = GOALS as [string];
  const goals = [first, '| SG-02 | A parked vehicle shall not open its window without request. | A |'];
  const found = concept(goals, [
    requirement('FSR 01-01'),
    '| FSR 01-02 | The parked vehicle shall not open any window without a request. | A |',
    requirement('FSR 02-01'),
  ]);
  expect(found.links).toContainEqual(['FSR 01-02', 'SG-02']);
  expect(found.links).not.toContainEqual(['FSR 01-02', 'SG-01']);
});

test('no link by number where one is stated', () => {
  const found = concept(GOALS, [
    ...['FSR 01-01', 'FSR 02-01'].map(requirement),
    '| FSR 02-02 | The controller shall lock the window, derived from SG-01. | A |',
  ]);
  expect(found.notes).toBeUndefined();
});
