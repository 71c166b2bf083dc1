import { expect, it } from 'vitest';
import { gravestFirst } from './levels.ts';

it('begins with the gravest level and ends with what has none', () => {
  expect(['unknown', 'A', 'QM', 'D', 'B'].toSorted(gravestFirst)).toEqual(['D', 'B', 'A', 'QM', 'unknown']);
});
