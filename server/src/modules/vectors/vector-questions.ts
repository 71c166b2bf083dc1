import type { EngineQuestion } from '../engine/engine-question.js';

/** Vectors that were computed before, by key; undefined for one that is not kept. */
export const keptVectors: EngineQuestion<readonly string[], readonly (Float32Array | undefined)[]> = {
  kind: 'kept vectors',
};
/** To keep new ones. */
export const keepVectors: EngineQuestion<readonly (readonly [key: string, vector: Float32Array])[], void> = {
  kind: 'keep vectors',
};
