import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import type { CoverageSignals } from './coverage-signals.js';

const Weights = z.strictObject({
  /** Log-odds of "missing" where every signal has its mean. */
  bias: z.number(),
  /** Score from which a criterion counts as probably missing. */
  threshold: z.number().min(0).max(1),
  /** Score up to which a criterion counts as probably treated: that of the surest share where the model was fitted. */
  treated: z.number().min(0).max(1),
  /** By signal: its mean and deviation where the model was fitted, and the weight of one deviation. */
  signals: z.partialRecord(
    z.enum(['standing', 'wordExclusivity', 'meaningExclusivity']),
    z.strictObject({ mean: z.number(), deviation: z.number().positive(), weight: z.number() }),
  ),
});

const CoverageModelFile = z.strictObject({
  provenance: z.string(),
  embedded: Weights,
  lexical: Weights,
});

/** A logistic model over `CoverageSignals`, once with embeddings and once without. */
export type CoverageModel = z.infer<typeof CoverageModelFile>;
export type CoverageWeights = z.infer<typeof Weights>;

/** A guess from ranks and margins. It orders work; it never proves that something is there or not. */
export interface CoverageEstimate {
  /** 0 (surely treated) to 1 (surely missing). */
  readonly missingScore: number;
  readonly probablyMissing: boolean;
  readonly probablyTreated: boolean;
  /** What the guess was made of, for the method statement. */
  readonly signals: CoverageSignals;
}

let shipped: CoverageModel | undefined;

/** The model in `data/retrieval/coverage-model.yaml` (read once). */
export function shippedCoverageModel(): CoverageModel {
  shipped ??= parseCoverageModel(
    readFileSync(new URL('../../data/retrieval/coverage-model.yaml', import.meta.url), 'utf8'),
  );
  return shipped;
}

/** Throws when the text is not a coverage model. */
export function parseCoverageModel(yaml: string): CoverageModel {
  return CoverageModelFile.parse(load(yaml));
}

/**
 * How likely it is that nothing treats a criterion, by a small logistic model that was fitted on other standards
 * than yours (its file says which). A signal that cannot be known counts as average.
 */
export function estimateCoverage(
  signals: CoverageSignals,
  model: CoverageModel = shippedCoverageModel(),
): CoverageEstimate {
  const weights = signals.meaningExclusivity === undefined ? model.lexical : model.embedded;
  const missingScore = 1 / (1 + Math.exp(-missingLogOdds(signals, weights)));
  return {
    missingScore,
    probablyMissing: missingScore >= weights.threshold,
    probablyTreated: missingScore <= weights.treated,
    signals,
  };
}

function missingLogOdds(signals: CoverageSignals, { bias, signals: weighted }: CoverageWeights): number {
  let sum = bias;
  for (const [name, { mean, deviation, weight }] of Object.entries(weighted)) {
    const value = signals[name as keyof CoverageSignals];
    if (value !== undefined) sum += (weight * (value - mean)) / deviation;
  }
  return sum;
}
