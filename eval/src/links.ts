import type { LinkSet } from './gold.js';
import type { Method, MethodRanking } from './methods.js';
import { bestThreshold, mean, meanAveragePrecision, qualityAt, type Scored } from './metrics.js';

export interface LinkFigures {
  readonly set: string;
  readonly averagePrecision: number;
  /** With the threshold that is best on the mean of the other sets; NaN when there is no other set. */
  readonly f1: number;
  readonly f2: number;
}

/** Figures of every set, sources to targets. */
export async function evaluateLinks(sets: readonly LinkSet[], method: Method): Promise<LinkFigures[]> {
  const rankings: MethodRanking[] = [];
  for (const set of sets) rankings.push(await method.rank(set.sources, set.targets, 'links'));
  const pairs = sets.map((set, number) => scorePairs(set, rankings[number]!));
  return sets.map((set, number): LinkFigures => {
    const others = pairs.filter((_, other) => other !== number);
    const transferred = (beta: number) =>
      others.length === 0
        ? Number.NaN
        : qualityAt(pairs[number]!, { threshold: bestThreshold(others, beta), beta }).f;
    return {
      set: set.name,
      averagePrecision: precisionOf(set, rankings[number]!),
      f1: transferred(1),
      f2: transferred(2),
    };
  });
}

/** Mean average precision of one set. */
export async function linkPrecision(set: LinkSet, rank: Method['rank']): Promise<number> {
  return precisionOf(set, await rank(set.sources, set.targets, 'links'));
}

function precisionOf({ truth }: LinkSet, { ranked }: MethodRanking): number {
  return meanAveragePrecision(
    ranked.map((texts) => texts.map(({ text }) => text)),
    truth,
  );
}

export function meanLinkFigures(figures: readonly LinkFigures[]): LinkFigures {
  return {
    set: 'mean',
    averagePrecision: mean(figures.map((one) => one.averagePrecision)),
    f1: mean(figures.map((one) => one.f1)),
    f2: mean(figures.map((one) => one.f2)),
  };
}

/** All pairs of a source and a target; those that were not ranked come last. */
function scorePairs(set: LinkSet, { ranked }: MethodRanking): Scored[] {
  return set.sources.flatMap((_, source) => {
    const scores = new Array<number>(set.targets.length).fill(-Infinity);
    for (const { text, score } of ranked[source]!) scores[text] = score;
    return scores.map((score, target) => ({ score, positive: set.truth[source]!.has(target) }));
  });
}
