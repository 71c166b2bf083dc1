/** A judged item: its score and whether it belongs to what was looked for. */
export interface Scored {
  readonly score: number;
  readonly positive: boolean;
}

/** Precision, recall and F of a decision. */
export interface Quality {
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
}

/** Mean over queries with an answer of the average precision; items that are not ranked count as never found. */
export function meanAveragePrecision(
  rankings: readonly (readonly number[])[],
  truth: readonly ReadonlySet<number>[],
): number {
  const precisions = rankings.flatMap((ranking, query) => {
    const wanted = truth[query]!;
    if (wanted.size === 0) return [];
    let found = 0;
    let sum = 0;
    ranking.forEach((item, position) => {
      if (!wanted.has(item)) return;
      found++;
      sum += found / (position + 1);
    });
    return [sum / wanted.size];
  });
  return mean(precisions);
}

/** Precision, recall and F-beta when everything from `threshold` on is taken. */
export function qualityAt(
  items: readonly Scored[],
  { threshold, beta }: { threshold: number; beta: number },
): Quality {
  let right = 0;
  let taken = 0;
  let positives = 0;
  for (const { score, positive } of items) {
    if (positive) positives++;
    if (score < threshold) continue;
    taken++;
    if (positive) right++;
  }
  const weight = beta * beta;
  return {
    precision: taken === 0 ? 0 : right / taken,
    recall: positives === 0 ? 0 : right / positives,
    f: right === 0 ? 0 : ((1 + weight) * right) / (weight * positives + taken),
  };
}

/** The threshold with the best mean F-beta over several groups of items; the lowest of equally good ones. */
export function bestThreshold(groups: readonly (readonly Scored[])[], beta: number): number {
  const scores = groups.flatMap((items) => items.map((item) => item.score)).sort((a, b) => a - b);
  const step = Math.max(1, Math.floor(scores.length / 500));
  let best = { f: -1, threshold: 0 };
  for (let i = 0; i < scores.length; i += step) {
    const threshold = scores[i]!;
    const f = mean(groups.map((items) => qualityAt(items, { threshold, beta }).f));
    if (f > best.f) best = { f, threshold };
  }
  return best.threshold;
}

/** Area under the ROC curve: the chance that a positive item has a higher score than another; ties count half. */
export function areaUnderCurve(items: readonly Scored[]): number {
  const sorted = [...items].sort((a, b) => a.score - b.score);
  const positives = items.filter((item) => item.positive).length;
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to++;
    for (let i = from; i < to; i++) if (sorted[i]!.positive) rankSum += (from + to + 1) / 2;
    from = to;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * (items.length - positives));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
