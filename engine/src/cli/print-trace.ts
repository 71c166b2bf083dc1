import { printLocation } from '../documents/location.js';
import type { TraceabilityExamination } from '../engines/traceability/run.js';
import type {
  Coverage,
  MatrixStatus,
  TraceabilityAnalysis,
  TraceGap,
} from '../engines/traceability/traceability.js';
import type { ArtifactType } from '../facts/artifacts/artifact.js';
import type { Extraction } from '../facts/artifacts/statement.js';
import type { Severity } from '../findings/finding.js';
import { printNotes } from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, oneLine, painter, type Style, widthOf, wrap } from './terminal.js';

/** Number of goals and requirements by type and by how far they are traced. */
export type MatrixSummary = Readonly<Partial<Record<ArtifactType, Readonly<Record<MatrixStatus, number>>>>>;

export interface TraceResult {
  readonly documents: readonly {
    readonly id: string;
    readonly documentType?: string;
    /** What the reading had to tell. */
    readonly notes: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly extraction: Extraction;
  readonly analysis: TraceabilityAnalysis;
  readonly matrix: MatrixSummary;
  readonly notAssessed: readonly NotAssessed[];
}

/** Counts the rows of the trace matrix. */
export function matrixSummary(examination: TraceabilityExamination): MatrixSummary {
  const summary: Partial<Record<ArtifactType, Record<MatrixStatus, number>>> = {};
  for (const { type, status } of examination.matrixRows()) {
    summary[type] ??= { complete: 0, partial: 0, missing: 0, orphan: 0 };
    summary[type][status]++;
  }
  return summary;
}

const SEVERITY_STYLE: Readonly<Record<Severity, Style>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'grey',
};
const METRICS = [
  ['upstream', 'Linked upwards'],
  ['downstream', 'Refined or allocated'],
  ['verification', 'Verified'],
  ['verificationInclIndirect', 'Verified, also indirectly'],
  ['evidence', 'Tests with a passed result'],
  ['overall', 'Overall'],
  ['endToEnd', 'Goals traced to a passed test'],
] as const;

/** Prints gaps, coverage and the summary of the matrix for a person. */
export function printTrace(output: Output, result: TraceResult): void {
  const { analysis, extraction, notAssessed } = result;
  const paint = painter(output);
  const width = widthOf(output);
  const line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(paint('bold', text));
    line('─'.repeat(Math.min(width, text.length)));
  };
  title(`Gaps (${analysis.totalGaps})`);
  for (const gap of analysis.gaps) {
    const kind = gap.gapType === gap.kind ? gap.kind : `${gap.gapType}/${gap.kind}`;
    line(
      `${paint(SEVERITY_STYLE[gap.severity], gap.severity.padEnd(8))}  ${paint('bold', fit(gap.artifactId, 60))}  ${kind}`,
    );
    for (const text of [gap.description, `→ ${gap.suggestedAction}`]) {
      for (const part of wrap(text, width - 10)) line(`          ${part}`);
    }
    const place = placeOf(gap);
    if (place !== '') line(paint('grey', `          ${fit(place, width - 10)}`));
  }
  for (const [type, count] of Object.entries(analysis.unlisted)) {
    if (count > 0) line(`… and ${count} more of ${type}`);
  }

  title('Coverage');
  for (const [metric, label] of METRICS)
    line(`${label.padEnd(32)}${printCoverage(analysis.coverage[metric])}`);

  title('Trace matrix');
  line(
    `${''.padEnd(32)}${['complete', 'partial', 'missing', 'orphan'].map((one) => one.padStart(9)).join('')}`,
  );
  for (const [type, counts] of Object.entries(result.matrix)) {
    const cells = [counts.complete, counts.partial, counts.missing, counts.orphan];
    line(`${type.replaceAll('_', ' ').padEnd(32)}${cells.map((one) => String(one).padStart(9)).join('')}`);
  }

  if (extraction.notes.length > 0) {
    title('What to know about the reading');
    for (const [code, count] of Object.entries(extraction.noteCounts)) {
      const [first] = extraction.notes.filter((note) => note.code === code);
      const place = first ? [first.documentId, printLocation(first.location)].filter(Boolean).join(', ') : '';
      for (const text of wrap(`${count} × ${first?.message ?? code} (${place})`, width)) line(text);
    }
    for (const { kind, count, listed } of analysis.remarks) {
      for (const text of wrap(`${count} × ${listed[0]?.text ?? kind}`, width)) line(text);
    }
  }
  const told = result.documents.map(({ id, notes }) => ({
    name: id,
    notes: notes.map((one) => one.message),
  }));
  printNotes({ title, line, width }, told);
  if (notAssessed.length > 0) {
    title(`Not assessed (${notAssessed.length})`);
    for (const file of notAssessed) line(`${oneLine(file.name)}: ${file.reason} ${file.hint}`);
  }
  line();
  const { critical, high, medium, low } = analysis.severityCounts;
  line(paint('bold', 'Summary'));
  line(
    `  ${analysis.totalArtifacts} artifacts, ${analysis.totalLinks} links in ${result.documents.length} documents`,
  );
  line(`  Gaps: ${critical} critical, ${high} high, ${medium} medium, ${low} low`);
}

function placeOf({ documentId, location }: TraceGap): string {
  return [documentId ?? '', location ? printLocation(location) : ''].filter(Boolean).join(', ');
}

function printCoverage({ numerator, denominator, percentage }: Coverage): string {
  const share = percentage === null ? 'n/a' : `${percentage.toFixed(1)} %`;
  return `${share.padStart(8)}  (${numerator} of ${denominator})`;
}
