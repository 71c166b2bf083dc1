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
    const correlation = (variants: typeof counted, by: 'defects' | 'weight') =>
      rankCorrelation(
        variants.map((one) => one[by]!),
        scores(variants),
      ).toFixed(2);
    const order = mixes.map(({ name }, at) => `${name} ${own[at]!.toFixed(1)}`).join(', ');
    const few =
      counted.length > mixes.length
        ? `; over all ${counted.length}, most of which have one defect, ${correlation(counted, 'defects')} and ${correlation(counted, 'weight')}`
        : '';
    return `Score of ${engine}: ${order}${isFalling ? ', falling' : ', not falling throughout'}; rank correlation with number and weight of the defects over these ${mixes.length}: ${correlation(mixes, 'defects')} and ${correlation(mixes, 'weight')}${few}.`;
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
