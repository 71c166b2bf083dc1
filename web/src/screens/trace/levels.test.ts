import { expect, it } from 'vitest';
import { gravestFirst } from './levels.ts';
import { levelInWords } from './types.ts';

it('begins with the gravest level and ends with what has none', () => {
  expect(['unknown', 'A', 'QM', 'D', 'B'].toSorted(gravestFirst)).toEqual(['D', 'B', 'A', 'QM', 'unknown']);
});

it('says whose letter a level is, and leaves what says it already', () => {
  expect(['C', 'B(D)', 'QM', 'ASIL A', 'CAL 3'].map(levelInWords)).toEqual([
    'ASIL C',
    'ASIL B(D)',
    'QM',
    'ASIL A',
    'CAL 3',
  ]);
});
