import { describe, expect, it } from 'vitest';
import { kindListed } from './artifact-types.js';
import { compactTitle, meaningOfTitles } from './column-titles.js';
import {
  classesOf,
  columnValueWords,
  kindOfRows,
  reasonsOf,
  someReasonsOf,
  titleByValues,
} from './column-values.js';

describe('the title that a column is read under', () => {
  it.each([
    ['goal', 'Level', ['ASIL C', 'QM'], 'ASIL'],
    ['goal', 'Time allowed', ['500 ms', '10 s'], 'FTTI'],
    ['goal', 'Zulässige Zeit', ['500 ms', 'höchstens 2 s'], 'FTTI'],
    ['goal', 'Found after', ['500 ms', '2 s'], 'Detection time'],
    ['hazard', 'Where and when', ['Country road at night'], 'Situation'],
    ['hazard', 'Was passiert', ['Licht fällt aus'], 'Malfunction'],
    ['hazard', 'Result', ['B', 'QM', 'C'], 'ASIL'],
    ['hazard', 'Result', ['Vehicle leaves the road'], 'Consequence'],
    ['requirement', 'What must happen', ['The unit shall stop the motor.'], 'Description'],
    ['requirement', 'Where', ['Fallback circuit', 'Motor bridge'], 'Allocated to'],
    ['requirement', 'From', ['LBG-1', 'LBG-1, LBG-2'], 'Derived from'],
    ['test', 'Proves', ['TR-1', 'TR-2'], 'Verifies'],
    ['test', 'Should then', ['The lamp is lit within 5 s'], 'Expected result'],
    ['test', 'Ende', ['bestanden', 'nicht bestanden'], 'Result'],
    ['check', 'Who', ['Ann Lee'], 'Reviewer'],
    ['test', 'Executed by', ['Ann Lee', 'Bo Berg'], 'Performed by'],
    ['test', 'Ausgeführt von', ['Anna Lehr', 'Bo Berg'], 'Performed by'],
  ] as const)('of %s "%s" is told by its values', (rows, title, texts, meant) => {
    expect(titleByValues({ title, texts }, rows)).toBe(meant);
  });

  it.each([
    ['requirement', 'Level', ['high', 'low']],
    ['requirement', 'Time', ['morning']],
    ['goal', 'Level', []],
    // A title that is known stays what it says.
    ['goal', 'Safe state', ['500 ms']],
    ['test', 'Result', ['passed', 'failed']],
    ['requirement', 'Executed by', ['Fallback circuit', 'Motor bridge']],
    // A list of places is no list of elements.
    [undefined, 'Where', ['Fallback circuit']],
  ] as const)('of %s "%s" is not guessed', (rows, title, texts) => {
    expect(titleByValues({ title, texts }, rows)).toBeUndefined();
  });

  it('is one that templates and readers know', () => {
    const unknown = columnValueWords()
      .columns.map(({ title }) => title)
      .filter((title) => !meaningOfTitles().has(compactTitle(title)));
    // Known to the template of the hazard analysis alone.
    expect([...new Set(unknown)]).toEqual(['Consequence']);
  });
});

describe('the rows of a table', () => {
  it('are what the title over their ids lists, before what their columns look like', () => {
    const columns = [{ title: 'Text', texts: ['The unit shall stop.'] }];
    expect(kindOfRows(columns, 'safety_goal')).toBe('goal');
    expect(kindOfRows(columns, undefined)).toBe('requirement');
  });

  it('are hazards where three classes stand in one cell', () => {
    expect(kindOfRows([{ title: 'Classes', texts: ['S3/E4/C2', 'S1 E2 K3'] }], 'safety_goal')).toBe('hazard');
  });
});

const parts = (text: string, found: ReturnType<typeof classesOf>) =>
  found?.map(({ title, start, end }) => `${title}=${text.slice(start, end)}`);

describe('several values in one cell', () => {
  it.each([
    ['S3/E4/C2', ['S=S3', 'E=E4', 'C=C2']],
    [' S3 E4 K2 → ASIL C', ['S=S3', 'E=E4', 'C=K2', 'ASIL=ASIL C']],
    ['S0, E4, C0: QM', ['S=S0', 'E=E4', 'C=C0', 'ASIL=QM']],
    ['S0 = QM', ['S=S0', 'ASIL=QM']],
    ['S0 / - / - → QM', ['S=S0', 'ASIL=QM']],
    ['S2 = QM', undefined],
    ['S0', undefined],
    ['S3 because of the speed', undefined],
  ])('%s are the classes', (text, expected) => {
    expect(parts(text, classesOf(text))).toEqual(expected);
  });

  it('are reasons where each class has one', () => {
    const text = 'S3: fatal at speed. E4: daily. C3: no time to react.';
    expect(parts(text, reasonsOf(text))).toEqual([
      'S rationale=fatal at speed.',
      'E rationale=daily.',
      'C rationale=no time to react.',
    ]);
    expect(reasonsOf('S3: fatal. S2: severe. E4: daily.')).toBeUndefined();
    expect(reasonsOf('S: nobody is hurt')).toBeUndefined();
    expect(parts('S: nobody is hurt', someReasonsOf('S: nobody is hurt'))).toEqual([
      'S rationale=nobody is hurt',
    ]);
  });
});

describe('what a heading lists', () => {
  it.each([
    ['2.1 Goals of the lift', 'safety_goal'],
    ['Übersicht der Ziele', 'safety_goal'],
    ['Technical requirements', 'technical_safety_requirement'],
    ['Requirements on the driver', 'requirement'],
    ['Goalkeeper', undefined],
  ])('%s: %s', (title, kind) => {
    expect(kindListed(title)).toBe(kind);
  });
});
