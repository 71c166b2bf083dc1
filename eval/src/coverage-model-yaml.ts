import type { CoverageModel, CoverageWeights } from '@normtrace/engine';

/** The file `engine/data/retrieval/coverage-model.yaml`; four digits are more than the data can tell. */
export function coverageModelYaml(model: CoverageModel): string {
  return `# How likely it is that nothing treats a criterion, from ranks and margins alone (CoverageSignals).
# Written by \`npm run eval -- --data <folder> --write-model\`; docs/evaluation.md has the figures.
provenance: >-
  ${model.provenance}
embedded:
${weightsYaml(model.embedded)}
lexical:
${weightsYaml(model.lexical)}
`;
}

function weightsYaml({ bias, threshold, treated, signals }: CoverageWeights): string {
  const rows = Object.entries(signals).map(
    ([name, { mean, deviation, weight }]) =>
      `    ${name}: { mean: ${digits(mean)}, deviation: ${digits(deviation)}, weight: ${digits(weight)} }`,
  );
  return [
    `  bias: ${digits(bias)}`,
    `  threshold: ${digits(threshold)}`,
    `  treated: ${digits(treated)}`,
    '  signals:',
    ...rows,
  ].join('\n');
}

function digits(value: number): string {
  return value.toFixed(4);
}
