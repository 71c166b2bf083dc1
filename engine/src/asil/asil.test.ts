import { describe, expect, it } from 'vitest';
import { asilFromRatings, asilsInText, parseAsil, printAsil, severityAsil } from './asil.js';

describe('ASIL in a cell', () => {
  it.each([
    ['D', 'D'],
    ['ASIL D', 'D'],
    ['ASIL-B(D)', 'B(D)'],
    ['B (D)', 'B(D)'],
    ['ASIL B[D]', 'B(D)'],
    ['B[D]', 'B(D)'],
    ['ASIL_B_D', 'B(D)'],
    ['QM', 'QM'],
    ['QM(D)', 'QM(D)'],
    ['ASIL B (ASIL D)', 'B(D)'],
    ['asil c', 'C'],
    ['ASIL: A', 'A'],
  ])('%s is %s', (cell, expected) => expect(printAsil(parseAsil(cell)!)).toBe(expected));
  it.each(['E', 'ASIL', 'A-D', 'AB', 'n/a', '', 'ASIL B('])('%j is none', (cell) =>
    expect(parseAsil(cell)).toBeUndefined(),
  );
});

describe('ASIL in running text', () => {
  it.each([
    ['The goal is ASIL D.', ['D']],
    ['ASIL B(D) and QM(D)', ['B(D)', 'QM(D)']],
    ['ASIL-C', ['C']],
    ['ASILE', []],
    ['basil a', []],
    ['ASIL Determination', []],
    ['ASIL B[D]', ['B(D)']],
    ['QM software', []],
    // Ranges and capabilities are no value of anything.
    ['ASIL A to ASIL D', []],
    ['up to ASIL D', []],
    ['an ASIL D capable controller', []],
  ])('%s', (text, expected) =>
    expect(asilsInText(text).map(({ asil }) => printAsil(asil))).toEqual(expected),
  );
});

it('the 36 cells of the determination table', () => {
  const table: Record<string, string> = {
    '1': 'QM QM QM QM|QM QM QM A|QM QM A B',
    '2': 'QM QM QM A|QM QM A B|QM A B C',
    '3': 'QM QM A B|QM A B C|A B C D',
  };
  for (const [s, cells] of Object.entries(table)) {
    for (const [c, row] of cells.split('|').entries()) {
      for (const [e, expected] of row.split(' ').entries()) {
        expect(asilFromRatings(Number(s), e + 1, c + 1), `S${s} E${e + 1} C${c + 1}`).toBe(expected);
      }
    }
  }
  expect(asilFromRatings(0, 4, 3)).toBe('QM');
  expect(asilFromRatings(4, 4, 3)).toBeUndefined();
});

it('a decomposed part is graded by what it was split from', () => {
  expect(severityAsil({ own: 'B', original: 'D' })).toBe('D');
  expect(severityAsil({ own: 'QM', original: 'D' })).toBe('A');
  expect(severityAsil({ own: 'C' })).toBe('C');
});
