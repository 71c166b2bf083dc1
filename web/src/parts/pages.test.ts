import { describe, expect, it } from 'vitest';
import { isSameSight, sightOf } from './pages.ts';

const OF = { size: 200, ahead: 40 };

describe('pages of rows in sight', () => {
  it.each([
    ['at the top', 0, 30, [0], [0]],
    ['within a page', 280, 310, [1], [1]],
    ['near the next page', 350, 370, [1], [1, 2]],
    ['near the page before', 410, 440, [2], [1, 2]],
    ['over two pages', 590, 620, [2, 3], [2, 3]],
    ['far down', 99_990, 99_999, [499], [499, 500]],
  ] as const)('%s', (_where, first, last, near, pages) => {
    expect(sightOf(first, last, OF)).toEqual({ near, pages });
  });

  it('are the same where the same pages are asked for in the same turn', () => {
    expect(isSameSight(sightOf(280, 310, OF), sightOf(285, 315, OF))).toBe(true);
    expect(isSameSight(sightOf(350, 370, OF), sightOf(390, 410, OF))).toBe(false);
  });
});
