import { describe, expect, it } from 'vitest';
import { parseAsil } from '../asil/asil.js';
import { belowParents, type ComparedLevel, comparedAsil, differingLevels } from './level-rules.js';

const asil = (written: string) => comparedAsil(parseAsil(written)!);
const cal = (rank: number): ComparedLevel => ({ scheme: 'cal', rank, grade: 'B' });
const parent = (id: string, level: ComparedLevel, decomposition = false) => ({ id, level, decomposition });

describe('a level below its parents', () => {
  it.each([
    ['lower', 'C', [parent('1', asil('D'))], '1 of 1, D'],
    ['equal', 'D', [parent('1', asil('D'))], undefined],
    ['a part by its notation, whatever the bracket', 'B(C)', [parent('1', asil('D'))], undefined],
    ['a part by its link', 'B', [parent('1', asil('D'), true)], undefined],
    ['QM against a part counts as what was decomposed', 'QM', [parent('1', asil('B(D)'))], '1 of 1, D'],
    ['another scheme', 'A', [parent('1', cal(4))], undefined],
    [
      'held to the one that demands most',
      'A',
      [parent('1', asil('B')), parent('2', asil('D')), parent('3', asil('A')), parent('4', asil('D'))],
      '2 of 124, D',
    ],
    ['no parent', 'A', [], undefined],
  ])('%s', (_, own, parents, expected) => {
    const short = belowParents(asil(own), parents);
    const ids = short?.parents.map(({ id }) => id).join('');
    expect(short && `${short.demanding.id} of ${ids}, ${short.grade}`).toBe(expected);
  });
});

describe('levels stated of one thing', () => {
  it.each([
    ['the same', ['D', 'D'], undefined],
    ['one place only', ['D'], undefined],
    ['each once, as they come', ['B', 'D', 'B', 'C'], 'B D C: D'],
    ['another bracket', ['B(D)', 'B'], 'B(D) B: D'],
    ['QM with a bracket keeps nothing', ['QM(D)', 'A'], 'QM(D) A: A'],
  ])('%s', (_, written, expected) => {
    const found = differingLevels(written.map((print) => ({ print, level: asil(print) })));
    expect(found && `${found.levels.map(({ print }) => print).join(' ')}: ${found.grade}`).toBe(expected);
  });
});
