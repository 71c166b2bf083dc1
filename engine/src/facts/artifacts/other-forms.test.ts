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

it('a column over names with numbers is one of links, titled with a word before the kind', () => {
  const { links } = read(
    'technical_safety_concept',
    '| Functional safety requirement | Text | ASIL |',
    '| Functional Safety Requirement 01-01 | A wrong value shall be found | B |',
    '| Functional Safety Requirement 01-02 | The supply shall be cut | B |',
    '# Technical requirements',
    '| Technical requirement | From functional requirement | Text | ASIL |',
    '| TSR_1 | Functional Safety Requirement 01-01 | The monitor shall compare both values | B |',
    '| TSR_2 | Functional Safety Requirement 01-02 | The switch shall open | B |',
  );
  expect(links).toEqual([
    'TSR_1 derives_from Functional Safety Requirement 01-01',
    'TSR_2 derives_from Functional Safety Requirement 01-02',
  ]);
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

describe('links and tests in other words', () => {
  it('crosses below the ids of goals are links, and "covered by" a goal is no test', () => {
    const { links } = read(
      'functional_safety_concept',
      '# Events',
      '## HE.1 Cabin falls',
      'The cabin falls. Result: ASIL C, covered by SG-1.',
      '# Goals',
      '| ID | Safety goal |',
      '| SG-1 | The lift shall not fall. |',
      '| SG-2 | The door shall not close on a person. |',
      '# Requirements',
      '| ID | Requirement |',
      '| FSR-1 | The brake shall hold the cabin. |',
      '| FSR-2 | The door shall stop. |',
      '# Goals to requirements',
      '| FSR | SG-1 | SG-2 |',
      '| FSR-1 | x | |',
      '| FSR-2 | | x |',
    );
    expect([...links].sort()).toEqual([
      'FSR-1 derives_from SG-1',
      'FSR-2 derives_from SG-2',
      'SG-1 derives_from HE.1',
    ]);
  });

  it('tests that prove something by something are tests', () => {
    const { artifacts, links } = read(
      'test_specification',
      'V-01 proves TSR.1 by sweeping the speed. Pass: never above 3 m/s.',
      'V-02 prüft TSR.2 durch Fehlereinspritzung. Erwartet: offen binnen 20 ms.',
      'V-03 shows what the lift can do.',
    );
    expect(artifacts.map(([id, type]) => [id, type])).toEqual([
      ['V-01', 'test'],
      ['V-02', 'test'],
    ]);
    expect(links).toEqual(['TSR.1 verified_by V-01', 'TSR.2 verified_by V-02']);
  });
});

describe('what only names', () => {
  const card = (id: string, asil: string) => [
    `## ${id} Arming`,
    '| Attribute | Value |',
    `| Object ID | ${id} |`,
    '| Requirement text | The channel shall arm. |',
    `| Integrity | ${asil} |`,
    '| Realised by | Main MCU |',
  ];

  it('is no artifact beside the card below a heading, nor is the number of the document', () => {
    const cards = ['110', '111', '112'].flatMap((number) => [...card(`X-FSR-${number}`, 'D'), '']);
    const { artifacts } = read(
      'functional_safety_concept',
      '# FSC-X-004 Functional Safety Concept',
      ...cards,
    );
    expect(artifacts.filter(([, type]) => type !== 'design')).toEqual(
      ['110', '111', '112'].map((number) => [`X-FSR-${number}`, 'functional_safety_requirement', 'D']),
    );
  });

  it('is the number of a document in a list of them', () => {
    const { artifacts } = read(
      'safety_plan',
      '# Plan',
      '## Work products and milestones',
      '| WP | Title | Milestone |',
      '| SWR-X-006 | Software Safety Requirements | 07-Jul-2025 |',
    );
    expect(artifacts.map(([, type]) => type)).toEqual(['unknown']);
  });
});
