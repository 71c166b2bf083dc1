import { largest } from './largest.js';
import { exclusivityAt, type Matrix, rowOf } from './similarity.js';

/** What ranks and margins say about whether a criterion is treated at all; absent where it cannot be known. */
export interface CoverageSignals {
  /**
   * How far the nearest passage stands out from the others, as a share of what chance gives among so many: about 1
   * when the nearest is no nearer than the nearest of that many unrelated ones.
   */
  readonly standing: number;
  /** Largest exclusivity of the three nearest passages to the criterion by their words; needs three criteria. */
  readonly wordExclusivity?: number;
  /** The same by their embeddings. */
  readonly meaningExclusivity?: number;
}

/** Passages that a person would look at first. */
const LOOKED_AT = 3;

/**
 * Signals of every query. `fused` are z-scores before exclusivity, `scores` what texts are ranked by; all matrices
 * have one row a query and one column a shortlisted text.
 */
export function coverageSignals(matrices: {
  readonly fused: Matrix;
  readonly scores: Matrix;
  readonly cosine: Matrix;
  readonly embedding?: Matrix | undefined;
}): CoverageSignals[] {
  const { fused, scores, cosine, embedding } = matrices;
  const byWords = fused.rows >= 3 ? exclusivityAt(cosine) : undefined;
  const byMeaning = fused.rows >= 3 && embedding ? exclusivityAt(embedding) : undefined;
  const columns = Uint32Array.from({ length: fused.columns }, (_, column) => column);
  const chance = Math.sqrt(2 * Math.log(Math.max(3, fused.columns)));
  return Array.from({ length: fused.rows }, (_, query): CoverageSignals => {
    const nearest = largest(rowOf(scores, query), columns, LOOKED_AT);
    const best = (exclusivity: typeof byWords) => {
      const values = nearest.map((column) => exclusivity?.(query, column) ?? Number.NaN);
      return values.length > 0 && values.every(Number.isFinite) ? Math.max(...values) : undefined;
    };
    const wordExclusivity = best(byWords);
    const meaningExclusivity = best(byMeaning);
    const fusedRow = rowOf(fused, query);
    return {
      standing: nearest.length > 0 ? Math.max(...nearest.map((column) => fusedRow[column]!)) / chance : 0,
      ...(wordExclusivity === undefined ? {} : { wordExclusivity }),
      ...(meaningExclusivity === undefined ? {} : { meaningExclusivity }),
    };
  });
}
