import { describe, expect, test } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { checkCompleteness } from './run.js';

/** Titles of the columns that a table of a document is said to lack. */
async function lacking(documents: readonly AnalysedDocument[], table: string): Promise<readonly string[]> {
  const { documents: checked } = await checkCompleteness({ documents });
  const found = checked.flatMap(({ templates }) => templates.flatMap(({ tables }) => tables));
  const own = found.find(({ key, state }) => key === table && state !== 'not_found');
  return (own?.columns ?? [])
    .filter(({ required, state }) => required && state === 'missing')
    .map(({ key }) => key);
}

const report = (front: readonly string[], verdicts = ['bestanden', 'bestanden']) =>
  analysedDocument('Prüfbericht.docx', [
    '# Prüfbericht Hubtisch',
    ...front,
    '## Ergebnisse',
    '| Testfall | Datum | Messwert | Urteil |',
    ...verdicts.map((verdict, at) => `| PF-0${at + 1} | 03.05.2024 | ${at + 2} ms | ${verdict} |`),
  ]);

describe('what is the same for all rows is said once', () => {
  const front = ['| Verfasser | Eva Brand |', '| Prüfling | Hubtisch Muster B, SW 2.1 |'];
  test('who tested what is on the cover', async () => {
    expect(await lacking([report(front)], 'result_table')).toEqual([]);
  });
  test('without it both are missing', async () => {
    expect(await lacking([report([])], 'result_table')).toEqual(['version', 'tester']);
  });
  test('a defect is named where a test was not passed', async () => {
    expect(await lacking([report(front, ['bestanden', 'nicht bestanden'])], 'result_table')).toEqual([
      'defect',
    ]);
  });
});

const concept = (rows: readonly string[], title = 'Requirement') =>
  analysedDocument('TSC.docx', [
    '# Technical safety concept of the lift table',
    '## Technical safety requirements',
    `| No. | Upper | ${title} | ASIL | Element |`,
    ...rows,
  ]);
const timed = [
  '| TSR 1-1 | FSR 1 | The valve unit closes the valve 20 ms after the table has passed the end switch. | B | Valve unit |',
  '| TSR 1-2 | FSR 1 | The valve unit holds P_END = 3 bar in all positions of the table. | B | Valve unit |',
];
const goals = analysedDocument('HARA.docx', [
  '# Hazard analysis and risk assessment',
  '## Safety goals',
  '| ID | Safety goal | ASIL | FTTI | Safe state |',
  '| SG 1 | The table shall not fall. | B | 200 ms | STOP |',
  '| SG 2 | The table shall not rise by itself. | B | 200 ms | STOP |',
]);

describe('requirements', () => {
  test('state times in their sentences and take safe states from their goals; ids with blanks are links', async () => {
    const more = timed.map((row) => row.replace('TSR 1-', 'TSR 2-').replace('P_END = 3 bar', 'for 5 s'));
    expect(await lacking([goals, concept([...timed, ...more])], 'tsr_table')).toEqual([]);
  });
  test('lack both where neither is said', async () => {
    const rows = timed.map((row) => row.replace('20 ms', 'soon'));
    expect(await lacking([concept(rows)], 'tsr_table')).toEqual([
      'detection_time',
      'reaction_time',
      'safe_state',
    ]);
  });
  test('the only column of statements is theirs, whatever its title', async () => {
    expect(await lacking([goals, concept(timed, 'Zusage')], 'tsr_table')).not.toContain('text');
  });
});

test('goals whose events name them have a source', async () => {
  const events = [
    '## Hazardous events',
    '| ID | Malfunction | Operational situation | Hazard | S | E | C | ASIL | Safety goal |',
    '| HE 1 | falls | loaded | crushed hand | S2 | E3 | C3 | B | SG 1 |',
    '| HE 2 | rises | empty | crushed hand | S2 | E3 | C3 | B | SG 2 |',
  ];
  const alone = [
    '# Hazard analysis and risk assessment',
    '## Safety goals',
    '| ID | Safety goal | ASIL | FTTI | Safe state |',
  ];
  const rows = [
    '| SG 1 | The table shall not fall. | B | 200 ms | STOP |',
    '| SG 2 | The table shall stay. | B | 200 ms | STOP |',
  ];
  const named = analysedDocument('HARA.docx', [...alone, ...rows, ...events]);
  expect(await lacking([named], 'safety_goal_table')).toEqual([]);
  expect(await lacking([analysedDocument('HARA.docx', [...alone, ...rows])], 'safety_goal_table')).toEqual([
    'source',
  ]);
});

test('a budget of times by goal is no list of requirements without texts', async () => {
  const document = analysedDocument('FSC.docx', [
    '# Functional safety concept',
    '## Time budget',
    '| ID | ASIL | FTTI | Safe state |',
    '| SG 1 | B | 200 ms | STOP |',
    '| SG 2 | B | 400 ms | STOP |',
  ]);
  expect(await lacking([document], 'fsr_table')).toEqual([]);
});
