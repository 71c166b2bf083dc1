import { describe, expect, it } from 'vitest';
import { boxesOf, isIn, type Line, runsOf } from './boxes.ts';

const line = (more: Partial<Line> = {}): Line => ({
  block: 0,
  start: 100,
  end: 104,
  x: 0.2,
  y: 0.5,
  width: 0.4,
  height: 0.1,
  lefts: [0, 250, 500, 750],
  ...more,
});
const rounded = (boxes: ReturnType<typeof boxesOf>) =>
  boxes.map(({ x, y, width, height }) => [x, y, width, height].map((share) => Math.round(share * 1000)));

describe('boxes of a range', () => {
  it.each<[string, Partial<Line>, number, number, number[][]]>([
    ['whole', {}, 100, 104, [[200, 500, 400, 100]]],
    ['reaching over both ends', {}, 0, 900, [[200, 500, 400, 100]]],
    ['from its second letter to its third', {}, 101, 103, [[300, 500, 200, 100]]],
    ['its last letter', {}, 103, 104, [[500, 500, 100, 100]]],
    ['beside it', {}, 104, 120, []],
    ['before it', {}, 50, 100, []],
    ['read upwards', { turn: 1 }, 100, 101, [[200, 575, 400, 25]]],
    ['upside down', { turn: 2 }, 100, 101, [[500, 500, 100, 100]]],
    ['read downwards', { turn: 3 }, 100, 101, [[200, 500, 400, 25]]],
  ])('%s', (_name, more, start, end, expected) => {
    expect(rounded(boxesOf([line(more)], { start, end }))).toEqual(expected);
  });

  it('are none for a part of a line whose letters have no places', () => {
    const { lefts: _, ...unknown } = line();
    expect(boxesOf([unknown], { start: 100, end: 102 })).toEqual([]);
    expect(boxesOf([unknown], { start: 100, end: 104 })).toHaveLength(1);
  });

  it('are one for each line', () => {
    const second = line({ start: 105, end: 109, y: 0.62 });
    expect(boxesOf([line(), second], { start: 102, end: 107 })).toHaveLength(2);
  });
});

describe('words of a line', () => {
  const words = (more: Partial<Line>, ...marks: readonly [number, number][]) =>
    runsOf(
      line({ end: 108, lefts: [0, 100, 200, 250, 500, 600, 700, 800], ...more }),
      'SG1 a ms',
      marks.map(([start, end]) => ({ id: `${start}`, start, end, role: 'support' })),
    ).map(({ start, text, from, to }) => [start, text, from, to]);

  it('have the places of their letters', () => {
    expect(words({})).toEqual([
      [100, 'SG1 ', 0, 0.5],
      [104, 'a ', 0.5, 0.7],
      [106, 'ms', 0.7, 1],
    ]);
  });

  it('are cut where a mark begins and ends', () => {
    expect(words({}, [102, 104], [105, 300])).toEqual([
      [100, 'SG', 0, 0.2],
      [102, '1 ', 0.2, 0.5],
      [104, 'a', 0.5, 0.6],
      [105, ' ', 0.6, 0.7],
      [106, 'ms', 0.7, 1],
    ]);
  });

  it('are one piece where the letters have no places', () => {
    expect(words({ lefts: undefined }, [102, 104])).toEqual([[100, 'SG1 a ms', 0, 1]]);
  });
});

it('knows what is in a box', () => {
  const box = { x: 0.1, y: 0.1, width: 0.2, height: 0.1 };
  expect(isIn(box, { x: 0.2, y: 0.15 })).toBe(true);
  expect(isIn(box, { x: 0.31, y: 0.15 })).toBe(false);
});
