import type { StageShares } from '../engine/run-news.js';

/** Steps of a rendering, with the share of the whole that each begins and ends with. */
export const RENDERING_STAGES = ['reading', 'composing', 'writing', 'storing'] as const;
export type RenderingStage = (typeof RENDERING_STAGES)[number];

export const RENDERING_SHARES: StageShares<RenderingStage> = {
  reading: [0, 10],
  composing: [10, 20],
  writing: [20, 95],
  storing: [95, 99],
};
