import { describe, expect, it } from 'vitest';
import { blockAt, type Mark, readRange, segmentsOf } from './segments.ts';

const mark = (id: string, start: number, end: number): Mark => ({ id, start, end, role: 'support' });
const shown = (text: string, start: number, marks: readonly Mark[]) =>
  segmentsOf(text, start, marks).map(({ text: part, marks: on }) => [part, on.map(({ id }) => id).join('')]);

describe('segments of a text', () => {
  it.each([
    ['no mark', [], [['within TBD ms', '']]],
    [
      'one inside',
      [mark('a', 107, 110)],
      [
        ['within ', ''],
        ['TBD', 'a'],
        [' ms', ''],
      ],
    ],
    [
      'two that overlap',
      [mark('a', 100, 110), mark('b', 107, 113)],
      [
        ['within ', 'a'],
        ['TBD', 'ab'],
        [' ms', 'b'],
      ],
    ],
    [
      'over both ends',
      [mark('a', 50, 102), mark('b', 112, 300)],
      [
        ['wi', 'a'],
        ['thin TBD m', ''],
        ['s', 'b'],
      ],
    ],
    ['one that only touches', [mark('a', 90, 100), mark('b', 113, 120)], [['within TBD ms', '']]],
  ])('%s', (_name, marks, expected) => {
    expect(shown('within TBD ms', 100, marks)).toEqual(expected);
  });

  it('are together the text, at their places', () => {
    const text = 'The door 🚪 shall stop.';
    const segments = segmentsOf(text, 7, [mark('a', 9, 12), mark('b', 16, 18), mark('c', 11, 27)]);
    expect(segments.map((segment) => segment.text).join('')).toBe(text);
    for (const { text: part, start } of segments) {
      expect(text.slice(start - 7, start - 7 + part.length)).toBe(part);
    }
  });
});

it('finds the block of a place', () => {
  const blocks = [0, 10, 25, 40].map((start) => ({ start }));
  expect([0, 9, 10, 24, 25, 39, 40, 999].map((offset) => blockAt(blocks, offset))).toEqual([
    0, 0, 1, 1, 2, 2, 3, 3,
  ]);
});

it('reads a range of an address, and nothing else', () => {
  expect(readRange('12-40')).toEqual({ start: 12, end: 40 });
  for (const wrong of [null, '', '12', '40-12', '5-5', 'a-b', '1-2-3', '-1-4']) {
    expect(readRange(wrong)).toBeUndefined();
  }
});
