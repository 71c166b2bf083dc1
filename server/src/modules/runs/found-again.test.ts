import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differencesOf, type StandingRow } from './found-again.js';

/** Rows after what has to be written was written. */
function written(standing: readonly StandingRow[], found: readonly string[]): StandingRow[] {
  const { ended, begun } = differencesOf(standing, found);
  const gone = new Set(ended);
  return [
    ...standing.filter(({ ordinal }) => !gone.has(ordinal)),
    ...begun.map(({ at, ordinal }) => ({ ordinal, said: found[at]! })),
  ].sort((a, b) => a.ordinal - b.ordinal);
}

const words = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 12 });

describe('what a run has to write', () => {
  test('gives what it found in its order, however often, with ordinals that differ', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 30 }), (runs) => {
        let rows: StandingRow[] = [];
        for (const found of runs) {
          rows = written(rows, found);
          expect(rows.map(({ said }) => said)).toEqual(found);
          expect(new Set(rows.map(({ ordinal }) => ordinal)).size).toBe(rows.length);
          expect(rows.every(({ ordinal }) => ordinal >= 0 && ordinal < 2 ** 31)).toBe(true);
        }
      }),
    );
  });

  test('is nothing where nothing differs, and one row where one does', () => {
    const before = written([], [...'abcdefgh']);
    expect(differencesOf(before, [...'abcdefgh'])).toEqual({ ended: [], begun: [] });
    const at = (said: string) => before.find((row) => row.said === said)!.ordinal;
    expect(differencesOf(before, [...'abcdXefgh'])).toEqual({
      ended: [],
      begun: [{ at: 4, ordinal: (at('d') + at('e')) / 2 }],
    });
    expect(differencesOf(before, [...'abdefgh']).begun).toEqual([]);
    // One is moved, not all others.
    expect(differencesOf(before, [...'bcdefgha'])).toMatchObject({ ended: [at('a')], begun: [{ at: 7 }] });
  });

  test('is everything where there is no room, which there is afterwards', () => {
    const dense = [...'abcd'].map((said, ordinal) => ({ said, ordinal }));
    const { ended, begun } = differencesOf(dense, [...'abXcd']);
    expect([ended.length, begun.length]).toEqual([4, 5]);
    const roomy = written(dense, [...'abXcd']);
    expect(differencesOf(roomy, [...'abXYcd'])).toMatchObject({ ended: [], begun: [{ at: 3 }] });
  });
});
