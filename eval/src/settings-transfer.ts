import { type EmbeddingModel, EVIDENCE_RANKING, LINK_RANKING, type RankingSettings } from '@normtrace/engine';
import { evidenceHits } from './coverage.js';
import type { CoverageCorpus, LinkSet } from './gold.js';
import { linkPrecision } from './links.js';
import { rankWith } from './methods.js';
import { mean } from './metrics.js';

/** What a set reaches with settings that were chosen without it. */
export interface TransferFigures {
  readonly set: string;
  /** With the settings of the grid that are best on the mean of the other sets. */
  readonly chosenElsewhere: number;
  readonly chosen: RankingSettings;
  /** With the settings that the engine ships. */
  readonly shipped: number;
  /** With the best settings of the grid for this very set: what choosing on it would claim. */
  readonly bestOnItself: number;
}

const WEIGHTS = [
  { cosine: 0.4, bm25: 0, embedding: 0.6 },
  { cosine: 0.25, bm25: 0.25, embedding: 0.5 },
  { cosine: 0.3, bm25: 0.3, embedding: 0.4 },
  { cosine: 0.2, bm25: 0.2, embedding: 0.6 },
];

/** Mean average precision of link sets, settings chosen on the other sets. */
export async function transferLinkSettings(
  sets: readonly LinkSet[],
  model: EmbeddingModel,
): Promise<TransferFigures[]> {
  const grid = WEIGHTS.flatMap((weights) =>
    [0, 0.15, 0.3, 0.5, 0.65].map((exclusivity) => ({ ...LINK_RANKING, weights, exclusivity })),
  );
  const names = sets.map(({ name }) => name);
  return transfer(names, { grid, shipped: LINK_RANKING }, async (settings, number) =>
    linkPrecision(sets[number]!, rankWith(settings, model)),
  );
}

/** hit@3 of coverage corpora, settings chosen on the other corpora. */
export async function transferEvidenceSettings(
  corpora: readonly CoverageCorpus[],
  model: EmbeddingModel,
): Promise<TransferFigures[]> {
  const grid = WEIGHTS.flatMap((weights) =>
    [0, 0.15, 0.3].flatMap((exclusivity) =>
      [0, 0.15, 0.3].map((context) => ({ ...EVIDENCE_RANKING, weights, exclusivity, context })),
    ),
  );
  const names = corpora.map(({ name }) => name);
  return transfer(names, { grid, shipped: EVIDENCE_RANKING }, async (settings, number) =>
    evidenceHits(corpora[number]!, rankWith(settings, model)),
  );
}

async function transfer(
  names: readonly string[],
  { grid, shipped }: { grid: readonly RankingSettings[]; shipped: RankingSettings },
  measure: (settings: RankingSettings, set: number) => Promise<number>,
): Promise<TransferFigures[]> {
  const figures: number[][] = [];
  for (const settings of grid) {
    const row: number[] = [];
    for (const set of names.keys()) row.push(await measure(settings, set));
    figures.push(row);
  }
  const results: TransferFigures[] = [];
  for (const [set, name] of names.entries()) {
    const elsewhere = figures.map((row) => mean(row.filter((_, other) => other !== set)));
    const best = elsewhere.indexOf(Math.max(...elsewhere));
    results.push({
      set: name,
      chosenElsewhere: figures[best]![set]!,
      chosen: grid[best]!,
      shipped: await measure(shipped, set),
      bestOnItself: Math.max(...figures.map((row) => row[set]!)),
    });
  }
  return results;
}
