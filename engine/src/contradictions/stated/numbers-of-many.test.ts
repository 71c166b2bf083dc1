import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

/** What the rules about repeated numbers tell of documents of lines. */
async function told(files: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
  const documents = Object.entries(files).map(([name, lines]) => analysedDocument(name, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus);
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found
    .filter(({ rule }) =>
      ['old-number-remains', 'odd-number', 'time-differs', 'requirement-prescribes-design'].includes(rule),
    )
    .map(({ rule, words }) => `${rule} ${words.item} ${words.old ?? words.own ?? words.other ?? words.said}`);
}

const concept = (limit: string) => [
  '# Functional safety concept',
  '| ID | Requirement | Goal | ASIL |',
  '| --- | --- | --- | --- |',
  `| FSR-1 | The winch unit shall stop the drum when the rope force exceeds ${limit}. | SG-1 | B |`,
];
const technical = (limit: string) => [
  '# Technical safety requirements',
  '| ID | Requirement | Derived from | ASIL |',
  '| --- | --- | --- | --- |',
  `| TSR-1 | The controller shall stop the drum when the measured rope force exceeds ${limit}. | FSR-1 | B |`,
];
const tests = (limit: string) => [
  '# Test specification',
  '| ID | Covers | Stimulus | Expected |',
  '| --- | --- | --- | --- |',
  `| TC-1 | TSR-1, FSR-1 | Rope force raised slowly | drum stops when the rope force exceeds ${limit} |`,
];

describe('a number that a change replaced', () => {
  const forms = {
    'from … to': '| CR-4 | 2025-03-01 | Limit of the rope force of the drum from 12 kN to 9 kN |',
    arrow: '| CR-4 | 2025-03-01 | Rope force that stops the drum: 12 kN → 9 kN |',
    'instead of': '| CR-4 | 2025-03-01 | The drum stops at a rope force of 9 kN instead of 12 kN |',
  };
  const changes = (row: string) => ['# Change list', '| ID | Date | Change |', '| --- | --- | --- |', row];
  it.each(Object.entries(forms))('is told where it still stands: %s', async (_form, row) => {
    const files = { 'changes.md': changes(row), 'concept.md': concept('9 kN') };
    expect(await told({ ...files, 'technical.md': technical('12 kN') })).toEqual([
      'old-number-remains TSR-1 12 kN',
    ]);
    expect(await told({ ...files, 'technical.md': technical('9 kN') })).toEqual([]);
  });

  it('is read from columns, in German', async () => {
    const files = (limit: string) => ({
      'aenderungen.md': [
        '# Änderungsliste',
        '| Nr. | Was | bisher | neu |',
        '| --- | --- | --- | --- |',
        '| AE-4 | Seilkraft, bei der die Trommel hält | 12 kN | 9 kN |',
      ],
      'konzept.md': [
        '# Funktionales Sicherheitskonzept',
        '| ID | Anforderung | Ziel | ASIL |',
        '| --- | --- | --- | --- |',
        '| FSA-1 | Die Winde muss die Trommel bei mehr als 9 kN Seilkraft anhalten. | SZ-1 | B |',
      ],
      'technik.md': [
        '# Technische Anforderungen',
        '| ID | Anforderung | Aus | ASIL |',
        '| --- | --- | --- | --- |',
        `| TSA-1 | Die Steuerung muss die Trommel bei einer Seilkraft über ${limit} anhalten. | FSA-1 | B |`,
      ],
    });
    expect(await told(files('12 kN'))).toEqual(['old-number-remains TSA-1 12 kN']);
    expect(await told(files('9 kN'))).toEqual([]);
  });

  it('is not what a test run found instead of the limit', async () => {
    const report = [
      '# Notes of the bench',
      'CR-4: In the first run the drum of the winch was seen to stop at a rope force of 9 kN instead of 12 kN.',
    ];
    const files = { 'notes.md': report, 'concept.md': concept('12 kN'), 'technical.md': technical('12 kN') };
    expect(await told({ ...files, 'other.md': ['The rope force of the small winch is 9 kN.'] })).toEqual([]);
  });
});

describe('a number that nobody else gives', () => {
  it('is told where two others agree', async () => {
    const files = { 'concept.md': concept('9 kN'), 'tests.md': tests('9 kN') };
    expect(await told({ ...files, 'technical.md': technical('15 kN') })).toEqual(['odd-number TSR-1 15 kN']);
    expect(await told({ ...files, 'technical.md': technical('9 kN') })).toEqual([]);
  });

  it('is not told where only one other stands against it', async () => {
    expect(
      (await told({ 'concept.md': concept('9 kN'), 'technical.md': technical('15 kN') })).filter((one) =>
        one.startsWith('odd'),
      ),
    ).toEqual([]);
  });

  it('is not a value on one side of a limit that a test tries from both', async () => {
    const both = tests('9 kN').map((line) => line.replace('raised slowly', 'at 8.5 kN and at 9.5 kN'));
    const files = { 'concept.md': concept('9 kN'), 'technical.md': technical('9 kN'), 'tests.md': both };
    expect(await told(files)).toEqual([]);
  });
});

describe('the interval of a goal', () => {
  const goals = [
    '# Safety goals',
    '| ID | Safety goal | ASIL | FTTI |',
    '| --- | --- | --- | --- |',
    '| SG-1 | The drum must not run against the driver. | B | 400 ms |',
  ];
  it('is compared with what another document tells about it by its name', async () => {
    const record = (time: string) => [
      '# Confirmation record',
      `The longest chain to SG-1 took 310 ms at an FTTI of ${time}, in three runs.`,
    ];
    expect(await told({ 'goals.md': goals, 'record.md': record('300 ms') })).toEqual([
      'time-differs SG-1 300 ms',
    ]);
    expect(await told({ 'goals.md': goals, 'record.md': record('400 ms') })).toEqual([]);
  });

  it('has the unit that stands above the table', async () => {
    const budget = (time: string) => [
      '# Time budget of the functional safety concept',
      'All times in ms.',
      '',
      '| Safety goal | FTTI | Detection | Reaction |',
      '| --- | --- | --- | --- |',
      `| SG-1 | ${time} | 100 | 120 |`,
    ];
    expect(await told({ 'goals.md': goals, 'budget.md': budget('300') })).toEqual([
      'time-differs SG-1 300 ms',
    ]);
    expect(await told({ 'goals.md': goals, 'budget.md': budget('400') })).toEqual([]);
  });
});

describe('a functional requirement that prescribes a design', () => {
  const requirements = (text: string) => [
    '# Functional safety concept',
    '| ID | Requirement | Goal | ASIL |',
    '| --- | --- | --- | --- |',
    '| FSR-1 | The winch unit shall stop the drum within 80 ms after the brake lever is released. | SG-1 | B |',
    `| FSR-2 | ${text} | SG-1 | B |`,
    '| FSR-3 | The winch unit shall report a slack rope to the driver. | SG-1 | B |',
  ];
  it.each([
    ['The task rope_mon() shall set bit 3 of the enable mask.', 'rope_mon()'],
    ['The controller shall clear port pin PB3 in its interrupt routine.', 'port pin'],
    ['Die Software liest das Statusregister 0x3A des Wandlers aus.', 'Statusregister'],
  ])('is told: %s', async (text, said) => {
    expect(await told({ 'concept.md': requirements(text) })).toEqual([
      `requirement-prescribes-design FSR-2 ${said}`,
    ]);
  });
  it.each([
    'The winch unit registers the release of the lever and stops the drum.',
    'The winch unit shall interrupt the current of the drum when two shunts differ.',
    'The rope guide at the charging port 2 shall keep the rope in place.',
  ])('is not: %s', async (text) => {
    expect(await told({ 'concept.md': requirements(text) })).toEqual([]);
  });
});
