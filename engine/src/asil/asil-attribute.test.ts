import { describe, expect, it } from 'vitest';
import { parseAsil } from './asil.js';
import { readAsilAttribute, severityLevel } from './asil-attribute.js';
import { checkDecomposition } from './decomposition.js';

describe('ASIL attribute', () => {
  const notations: readonly (readonly [written: string, own: string, original?: string])[] = [
    ['D', 'D'],
    ['d', 'D'],
    ['ASIL D', 'D'],
    ['ASIL-D', 'D'],
    ['ASIL: C', 'C'],
    ['ASIL=A', 'A'],
    ['QM', 'QM'],
    ['ASIL B(D)', 'B', 'D'],
    ['ASIL-B(D)', 'B', 'D'],
    ['B[D]', 'B', 'D'],
    ['ASIL B[D]', 'B', 'D'],
    ['ASIL_B_D', 'B', 'D'],
    ['QM(D)', 'QM', 'D'],
    ['D(D)', 'D', 'D'],
    ['B[B]', 'B', 'B'],
    [' B ( ASIL D ) ', 'B', 'D'],
  ];
  for (const [written, own, original] of notations) {
    it(`reads ${written}`, () => {
      expect(readAsilAttribute(written)).toEqual({
        kind: 'stated',
        asil: original ? { own, original } : { own },
      });
    });
  }

  for (const written of [
    undefined,
    '',
    '  ',
    '–',
    '-',
    'none',
    'n/a',
    'N.A.',
    'not safety related',
    'keine',
  ]) {
    it(`takes ${written === undefined ? 'no attribute' : `"${written}"`} for unknown, not for QM`, () => {
      expect(readAsilAttribute(written)).toEqual({ kind: 'absent' });
    });
  }

  for (const written of [
    'A/B',
    'B–D',
    'ASIL?',
    'ASIL A to D',
    'up to ASIL D',
    'ASIL D ready',
    'B(QM)',
    'E',
    'tbd',
  ]) {
    it(`cannot read "${written}"`, () => {
      expect(readAsilAttribute(written)).toEqual({ kind: 'unclear', written });
    });
  }

  it('grades by what a part was split from, QM(Y) as A, unknown as B', () => {
    const levels = ['QM', 'A', 'B', 'C', 'D', 'B(D)', 'A(C)', 'D(D)', 'QM(D)', 'QM(A)', ''].map((written) =>
      severityLevel(parseAsil(written)),
    );
    expect(levels).toEqual([0, 1, 2, 3, 4, 4, 3, 4, 1, 1, 2]);
  });
});

describe('decomposition (TV-04)', () => {
  const vectors: readonly (readonly [parent: string, parts: string, defects: string])[] = [
    ['D', 'B(D)+A(D)', 'AI-03'],
    ['D', 'C(D)+A(D)', ''],
    ['D', 'B(D)+B(D)', ''],
    ['D', 'D(D)+QM(D)', ''],
    ['D', 'B+B', 'AI-11'],
    ['D', 'B(C)+B(C)', 'AI-04'],
    ['C', 'B(C)+A(C)', ''],
    ['C', 'B(D)+A(D)', 'AI-04'],
    ['B', 'A(B)+A(B)', ''],
    ['B(D)', 'A(D)+A(D)', ''],
    ['B(D)', 'A(B)+A(B)', 'AI-04'],
    ['A', 'A(A)+QM(A)', ''],
    ['D', 'B(D)', 'AI-05'],
    ['D', 'B(D)+A(D)+A(D)', ''],
    ['D', 'C(D)+C(D)', ''],
    ['D', 'C(D)+QM(D)', 'AI-03'],
    // The remaining permitted schemes, and wrong ones that circulate.
    ['C', 'C(C)+QM(C)', ''],
    ['B', 'B(B)+QM(B)', ''],
    ['D', 'D(D)', 'AI-05'],
    ['B', 'A(B)+QM(B)', 'AI-03'],
  ];
  for (const [parent, parts, defects] of vectors) {
    it(`${parent} into ${parts}: ${defects || 'valid'}`, () => {
      const found = checkDecomposition(
        parseAsil(parent)!,
        parts.split('+').map((part) => parseAsil(part)!),
      );
      expect(found.join()).toBe(defects);
    });
  }
});
