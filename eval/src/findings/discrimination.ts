import type { FindingsEvaluation } from './evaluate.js';

/** Whether scores fall with the number of defects, said in sentences. */
export function figuresOfScores({ scored }: FindingsEvaluation): string[] {
  const counted = scored.filter((one) => one.defects !== undefined);
  const mixes = counted.filter(({ defects }) => defects !== 1);
  if (mixes.length < 3) return [];
  return ['gap 26262-3', 'completeness'].map((engine) => {
    const scores = (variants: typeof counted) =>
      variants.map(({ results }) => results.scores.get(engine) ?? 0);
    const own = scores(mixes);
    const isFalling = own.every((score, at) => at === 0 || score < own[at - 1]!);
    const correlation = rankCorrelation(
      counted.map(({ defects }) => defects!),
      scores(counted),
    );
    return `Score of ${engine}: ${mixes.map(({ name }, at) => `${name} ${own[at]!.toFixed(1)}`).join(', ')}${isFalling ? ', falling' : ', not falling throughout'}; rank correlation with the number of defects over ${counted.length} variants ${correlation.toFixed(2)}.`;
  });
}

/** Spearman's, with mean ranks for ties; 0 where one side does not vary. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const middle = (a.length + 1) / 2;
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, rank, at) => sum + (rank - middle) * (other[at]! - middle), 0);
  const spread = Math.sqrt(product(x, x) * product(y, y));
  return spread === 0 ? 0 : product(x, y) / spread;
}

function ranks(values: readonly number[]): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}
