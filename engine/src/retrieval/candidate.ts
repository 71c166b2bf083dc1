import type { Passage } from '../corpus/passages/passage.js';

/** A passage that may show that a criterion is met, with how near it is. */
export interface Candidate {
  readonly passage: Passage;
  /** Fused score; comparable within one criterion only. */
  readonly score: number;
  /** 1 for the nearest passage of the criterion. */
  readonly rank: number;
}

/**
 * Turns texts into vectors. Implementations must be deterministic: the same text gives the same vector.
 * Vectors are unit length, so that the dot product is the cosine.
 */
export interface EmbeddingModel {
  /** Part of every cache key and of the result's method statement. */
  readonly id: string;
  readonly dimensions: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}
