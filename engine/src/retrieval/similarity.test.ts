import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exclusivity, type Matrix, rowOf, standardise } from './similarity.js';

const matrix = (rows: readonly (readonly number[])[]): Matrix => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  values: Float64Array.from(rows.flat()),
});

test('standardised values have mean 0 and deviation 1, whatever their scale', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(values, (given) => {
      fc.pre(Math.max(...given) - Math.min(...given) > 1e-3);
      const result = standardise(given);
      const mean = result.reduce((sum, value) => sum + value, 0) / result.length;
      const variance = result.reduce((sum, value) => sum + (value - mean) ** 2, 0) / result.length;
      expect(mean).toBeCloseTo(0, 6);
      expect(variance).toBeCloseTo(1, 6);
    }),
  );
});

test('values without spread, without members or without anything are 0', () => {
  expect([...standardise([3, 3, 3])]).toEqual([0, 0, 0]);
  expect([...standardise([1, 2], () => false)]).toEqual([0, 0]);
  expect([...standardise([])]).toEqual([]);
});

test('only counted members are used and set', () => {
  const result = standardise([1, Number.NaN, 3], (index) => index !== 1);
  expect([...result]).toEqual([-1, 0, 1]);
});

test('a text near to everything is exclusive to nothing, a text near to one query is exclusive to it', () => {
  const similarities = matrix([
    [0.9, 0.9],
    [0.9, 0.1],
    [0.88, 0.12],
    [0.91, 0.1],
  ]);
  const [hub, own] = rowOf(exclusivity(similarities), 0);
  expect(own).toBeGreaterThan(1.5);
  expect(Math.abs(hub!)).toBeLessThan(0.6);
});

test('queries that are far away do not change what is exclusive', () => {
  const near = [[0.8], [0.5], [0.45], [0.4], [0.38], [0.36], [0.3]];
  const few = exclusivity(matrix(near)).values[0]!;
  const many = exclusivity(matrix([...near, ...Array.from({ length: 50 }, () => [0.3])])).values[0]!;
  expect(Math.abs(many - few)).toBeLessThan(0.2);
});

test('fewer than three queries compete for nothing', () => {
  expect([...exclusivity(matrix([[0.9], [0.1]])).values]).toEqual([0, 0]);
  expect(exclusivity(matrix([])).values.length).toBe(0);
});

test('the order of the queries does not matter', () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), {
    minLength: 3,
    maxLength: 12,
  });
  fc.assert(
    fc.property(rows, (given) => {
      const forward = exclusivity(matrix(given));
      const backward = exclusivity(matrix([...given].reverse()));
      for (let row = 0; row < given.length; row++) {
        const mirrored = rowOf(backward, given.length - 1 - row);
        rowOf(forward, row).forEach((value, column) => {
          expect(value).toBeCloseTo(mirrored[column]!, 9);
        });
      }
    }),
  );
});
