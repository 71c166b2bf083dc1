import { expect, it } from 'vitest';
import { percentage } from './coverage.js';

it('rounds half up to one decimal, in whole numbers', () => {
  expect(percentage(1, 16)).toBe(6.3);
  expect(percentage(1, 2000)).toBe(0.1);
  expect(percentage(2, 3)).toBe(66.7);
  expect(percentage(1, 3)).toBe(33.3);
  expect(percentage(1_999_999, 2_000_000)).toBe(100);
  expect(percentage(0, 7)).toBe(0);
});

it('is no share of nothing', () => expect(percentage(0, 0)).toBeNull());
