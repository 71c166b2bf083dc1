import { describe, expect, it } from 'vitest';
import { analysedDocument } from '../../testing/document-fixture.js';
import { extractArtifacts } from './extract-artifacts.js';
import { idsInText } from './id-forms.js';

const read = (documentType: string, ...lines: readonly string[]) => {
  const { id, document } = analysedDocument('Document.md', lines);
  const { artifacts, links } = extractArtifacts([{ id, document, documentType }]);
  return {
    artifacts: artifacts.map((one) => [one.id, one.type, one.asil]),
    results: artifacts.flatMap(({ id: own, result }) => (result ? [[own, result]] : [])),
    links: links.map(({ sourceId, type, targetId }) => `${sourceId} ${type} ${targetId}`),
  };
};

describe('goals that a letter counts', () => {
  it.each([
    ['Fulfils Goal A, Goal B.', ['Goal A', 'Goal B']],
    ['Sicherheitsziel C gilt.', ['Sicherheitsziel C']],
    ['The Goal And its reason', []],
    ['Total A, goal a', []],
    ['Goal AB', []],
  ])('%j', (text, ids) => expect(idsInText(text).map(({ id }) => id)).toEqual(ids));

  it('are what a field of that name names', () => {
    const { links } = read(
      'hara',
      '# Events',
      '## HE-1 Lift falls',
      '- Severity: S3',
      '- ASIL: C',
      '- Goal: Goal A',
      '# Goals',
      '| Goal | Text | ASIL |',
      '| Goal A | The lift shall not fall. | C |',
      '| Goal B | The door shall not close on a person. | B |',
    );
    expect(links).toEqual(['Goal A derives_from HE-1']);
  });
});

describe('ids in brackets before a demand', () => {
  const demands = (first: string) => [
    `[${first}1] The lift control shall stop the motor.`,
    '',
    `[${first}2] The brake shall hold the cabin.`,
    '',
    `[${first}3] Die Bremse muss schließen.`,
  ];

  it('are those of requirements, and rows that repeat them tell the rest', () => {
    const { artifacts, links } = read(
      'functional_safety_concept',
      '# 1 Stopping',
      ...demands('F'),
      '# 2 Allocation',
      '| Requirement | Goal | ASIL | Element |',
      '| F1 | SG-1 | B | Control |',
      '| F2 | SG-1 | C | Brake |',
    );
    expect(artifacts).toContainEqual(['F1', 'functional_safety_requirement', 'B']);
    expect(artifacts).toContainEqual(['F2', 'functional_safety_requirement', 'C']);
    expect(links).toEqual(expect.arrayContaining(['F1 derives_from SG-1', 'F2 allocated_to Brake']));
  });

  it('are none where a single paragraph has one', () => {
    const { artifacts } = read('functional_safety_concept', '# 1 Stopping', demands('F')[0]!);
    expect(artifacts).toEqual([]);
  });
});

describe('tests', () => {
  it.each([
    ['T1 (checks TSR-1) Given a closed door, when the button is pressed, then the lift starts.', 'T1'],
    ['W7 for TSR-1. Stimulus: button pressed. Pass if: the lift starts.', 'W7'],
    ['P10 zu TSR-1. Taste drücken. Erwartet: der Aufzug fährt an.', 'P10'],
    ['Q3 (prüft TSR-1): Taste drücken.', 'Q3'],
  ])('are told by what they check: %j', (text, id) => {
    const { artifacts, links } = read('test_specification', '# Cases', text);
    expect(artifacts).toEqual([[id, 'test', undefined]]);
    expect(links).toEqual([`TSR-1 verified_by ${id}`]);
  });

  it.each([
    ['Test', 'Verdict', 'retest', 'failed', 'passed'],
    ['Test', 'Verdict', 'again', 'failed', 'passed'],
    ['Prüffall', 'Bewertung', 'Nachprüfung', 'nicht bestanden', 'bestanden'],
    ['Test', 'Verdict', '(R)', 'failed', 'passed'],
    ['Test', 'Verdict', 'replay', 'NOK', 'OK'],
    ['Prüffall', 'Bewertung', 'W', 'nicht bestanden', 'bestanden'],
    ['Prüffall', 'Bewertung', '(2)', 'nicht bestanden', 'bestanden'],
  ])('that were run again have the newest result: %s %s %s', (title, verdict, again, failed, passed) => {
    const { results } = read(
      'test_report',
      '# Results',
      `| ${title} | Measured | ${verdict} |`,
      `| TC-1 | 12 ms | ${passed} |`,
      `| TC-2 | 90 ms | ${failed} |`,
      `| TC-2 ${again} | 20 ms | ${passed} |`,
    );
    expect(results).toEqual([
      ['TC-1 result', 'pass'],
      ['TC-2 result', 'pass'],
    ]);
  });

  it('are judged by the verdict beside a result in words', () => {
    const { results } = read(
      'test_report',
      '# Ergebnisse',
      '| Prüffall | Ergebnis | Urteil |',
      '| TC-1 | 12 ms | i. O. |',
      '| TC-2 | 90 ms | n. i. O. |',
    );
    expect(results).toEqual([
      ['TC-1 result', 'pass'],
      ['TC-2 result', 'fail'],
    ]);
  });
});

it.each([
  ['Result: ASIL C, SG-1.', 'ASIL C', ['SG-1 derives_from HE-1']],
  ['Ergebnis: ASIL C, SG-1.', 'ASIL C', ['SG-1 derives_from HE-1']],
  ['Ergebnis: QM, kein Ziel.', 'QM', []],
])('the result of an event is its level and its goal: %j', (text, asil, links) => {
  const found = read('hara', '# Events', '## HE-1 Lift falls', 'Severity: S3', '', text);
  expect(found.artifacts[0]).toEqual(['HE-1', 'hazardous_event', asil]);
  expect(found.links).toEqual(links);
});
