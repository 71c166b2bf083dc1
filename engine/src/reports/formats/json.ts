import type { Report } from '../report.js';

/** The report as JSON, by `docs/report.schema.json`; findings and results one a line. */
export function* toJson(report: Report): Generator<string> {
  const { parts, ...head } = report;
  yield `${JSON.stringify(head).slice(0, -1)},"parts":[`;
  for (const [index, { findings, results, trace, ...part }] of parts.entries()) {
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(part).slice(0, -1)},"findings":[`;
    yield* list(findings);
    yield '],"results":[';
    yield* list(results);
    if (trace) {
      const { matrix, ...measures } = trace;
      yield `],"trace":${JSON.stringify(measures).slice(0, -1)},"matrix":[`;
      yield* list(matrix);
      yield ']}}';
    } else yield ']}';
  }
  yield ']}\n';
}

function* list(items: readonly unknown[]): Generator<string> {
  for (const [index, item] of items.entries()) yield `${index > 0 ? ',' : ''}\n${JSON.stringify(item)}`;
}
