import { describe, expect, it } from 'vitest';
import { groupsOf, numbered } from './groups.ts';
import type { ViewedMark } from './marks.ts';

const mark = (gap: string, start: number, end: number, about = 'placeholder'): ViewedMark =>
  ({
    id: `${gap}:${start}`,
    about,
    start,
    end,
    ref: { type: 'gap', id: gap, label: gap },
  }) as unknown as ViewedMark;
const shape = (marks: readonly ViewedMark[]) =>
  groupsOf(marks).map((group) => [group.marks.map(({ id }) => id), group.same.map(({ id }) => id)]);

describe('the cards of the margin', () => {
  it('tell an open point once that two analyses found', () => {
    expect(
      shape([mark('all', 10, 13), mark('one', 30, 40), mark('all', 32, 35), mark('all', 50, 53)]),
    ).toEqual([[['all:10', 'all:32', 'all:50'], ['one:30']]]);
  });
  it('tell apart what stands elsewhere, and what is no open point', () => {
    expect(
      shape([mark('all', 10, 13), mark('gap', 10, 13, 'gap'), mark('one', 14, 15), mark('one', 20, 23)]),
    ).toEqual([
      [['all:10'], []],
      [['gap:10'], []],
      [['one:14', 'one:20'], []],
    ]);
    expect(shape([mark('a', 10, 13), mark('b', 13, 15)])).toHaveLength(2);
  });
});

describe('the places of a card', () => {
  it('are told apart where several have the same name', () => {
    expect(numbered(['4 Goals', 'HARA B2', '4 Goals'])).toEqual(['4 Goals (1)', 'HARA B2', '4 Goals (2)']);
    expect(numbered([])).toEqual([]);
  });
});
