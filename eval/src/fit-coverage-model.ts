import type { CoverageSignals, CoverageWeights } from '@normtrace/engine';
import { mean } from './metrics.js';

/** A judged criterion: its signals and whether nothing covers it. */
export interface Decision {
  readonly signals: CoverageSignals;
  readonly missing: boolean;
}

type SignalName = keyof CoverageSignals;

/** Strength of the pull of every weight towards 0, as a share of the number of decisions. */
const RIDGE = 0.1;
/** The share of the decisions that is surest to be treated. Transfers better than a precision wanted: fifty decisions give few. */
const SUREST = 0.15;

/**
 * Fits a logistic model of "missing" on the named signals by Newton's method with a ridge, and the threshold with the
 * best F1 to be expected if its probabilities are right. Decisions that lack one of the signals are left out.
 */
export function fitCoverageWeights(
  decisions: readonly Decision[],
  names: readonly SignalName[],
): CoverageWeights {
  const known = decisions.filter(({ signals }) => names.every((name) => signals[name] !== undefined));
  const columns = names.map((name) => {
    const values = known.map(({ signals }) => signals[name]!);
    const average = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - average) ** 2))) || 1;
    return { name, average, deviation, values: values.map((value) => (value - average) / deviation) };
  });
  const rows = known.map((_, row) => [1, ...columns.map((column) => column.values[row]!)]);
  const weights = newton(
    rows,
    known.map(({ missing }) => (missing ? 1 : 0)),
  );
  const chances = rows.map((row) => probability(row, weights));
  return {
    bias: weights[0]!,
    threshold: expectedBestThreshold(chances),
    treated: [...chances].sort((a, b) => a - b)[Math.floor(chances.length * SUREST)]!,
    signals: Object.fromEntries(
      columns.map(({ name, average, deviation }, index) => [
        name,
        { mean: average, deviation, weight: weights[index + 1]! },
      ]),
    ),
  };
}

/**
 * The threshold whose expected F1 is best for criteria that are missing with these probabilities. Smoother than the best
 * threshold for the answers themselves, and it transfers better.
 */
function expectedBestThreshold(probabilities: readonly number[]): number {
  const descending = [...probabilities].sort((a, b) => b - a);
  const expected = descending.reduce((sum, chance) => sum + chance, 0);
  let best = { f: -1, threshold: 1 };
  let right = 0;
  descending.forEach((threshold, index) => {
    right += threshold;
    const f = (2 * right) / (index + 1 + expected);
    if (f > best.f) best = { f, threshold };
  });
  return best.threshold;
}

function probability(row: readonly number[], weights: readonly number[]): number {
  return 1 / (1 + Math.exp(-row.reduce((sum, value, index) => sum + value * weights[index]!, 0)));
}

function newton(rows: readonly (readonly number[])[], labels: readonly number[]): number[] {
  const size = rows[0]!.length;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < 50; step++) {
    const gradient = weights.map((weight, index) => (index === 0 ? 0 : -RIDGE * rows.length * weight));
    const curvature = weights.map((_, index) =>
      weights.map((_, other) => (index === other && index > 0 ? RIDGE * rows.length : 0)),
    );
    rows.forEach((row, number) => {
      const chance = probability(row, weights);
      for (let i = 0; i < size; i++) {
        gradient[i]! += (labels[number]! - chance) * row[i]!;
        for (let j = 0; j < size; j++) curvature[i]![j]! += chance * (1 - chance) * row[i]! * row[j]!;
      }
    });
    const change = solve(curvature, gradient);
    weights = weights.map((weight, index) => weight + change[index]!);
    if (Math.max(...change.map(Math.abs)) < 1e-10) break;
  }
  return weights;
}

/** Solves a small system of linear equations (Gauss with pivoting). */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot;
    for (let row = pivot + 1; row < size; row++) {
      if (Math.abs(rows[row]![pivot]!) > Math.abs(rows[best]![pivot]!)) best = row;
    }
    [rows[pivot], rows[best]] = [rows[best]!, rows[pivot]!];
    for (let row = 0; row < size; row++) {
      if (row === pivot) continue;
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!;
      for (let column = pivot; column <= size; column++)
        rows[row]![column]! -= factor * rows[pivot]![column]!;
    }
  }
  return rows.map((row, index) => row[size]! / row[index]!);
}
