import { printLocation } from '../documents/location.js';
import type { TraceabilityExamination } from '../engines/traceability/run.js';
import type { LinkOpinions } from '../engines/traceability/second-links.js';
import type { Coverage, MatrixStatus, TraceabilityAnalysis } from '../engines/traceability/traceability.js';
import type { ArtifactType } from '../facts/artifacts/artifact.js';
import type { Extraction } from '../facts/artifacts/statement.js';
import { type AssumedBecause, assumedLinks } from '../facts/artifacts/trace-link.js';
import type { AffectedItem, Finding, Severity } from '../findings/finding.js';
import type { NotDue } from '../findings/not-due.js';
import { countSeverities } from '../findings/severities.js';
import { counted, type Line, printModel, printNotDue, printNotes } from './print-findings.js';
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
  /** One for each cause. */
  readonly findings: readonly Finding[];
  /** By reason; in no count of gaps. */
  readonly notDue: readonly NotDue[];
  readonly matrix: MatrixSummary;
  readonly notAssessed: readonly NotAssessed[];
  /** Proposed links that a language model was asked about. */
  readonly proposed?: LinkOpinions;
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
/** Artifacts of a cause that are printed with their places. */
const PLACES_SHOWN = 5;
const METRICS = [
  ['upstream', 'Linked upwards'],
  ['downstream', 'Refined or allocated'],
  ['verification', 'Verified'],
  ['verificationInclIndirect', 'Verified, also indirectly'],
  ['evidence', 'Tests with a passed result'],
  ['overall', 'Overall'],
  ['endToEnd', 'Goals traced to a passed test'],
] as const;

/** Proposed links of which a language model says that they are some; a person makes them. */
function printProposed(
  { title, line }: { readonly title: (text: string) => void; readonly line: Line },
  { proposed }: TraceResult,
  width: number,
): void {
  if (!proposed) return;
  const { links, looked, statement } = proposed;
  const likely = links.filter(({ answer }) => answer === 'yes');
  title(`Links that rules propose and a language model confirms (${likely.length})`);
  line(
    `${looked.artifacts} of ${counted(looked.of, 'artifact')} with proposals looked at; no link is made of it.`,
  );
  for (const { proposed: one, shared = '' } of likely) {
    const { sourceId, type, targetId } = one.link;
    const text = `${sourceId} ${type.replaceAll('_', ' ')} ${targetId}: ${oneLine(shared)}`;
    for (const part of wrap(text, width - 2)) line(`  ${part}`);
  }
  printModel(line, statement);
}

const LINKS_SHOWN = 20;
const BECAUSE: Readonly<Record<AssumedBecause, string>> = {
  number: 'by its number',
  text: 'by nearly the same words',
  place: 'by where it stands',
};

/** Links that nothing states, with why they are taken to be meant; returns how many. */
function printAssumed(
  { title, line }: { readonly title: (text: string) => void; readonly line: Line },
  { extraction }: TraceResult,
  width: number,
): number {
  const links = assumedLinks(extraction.links);
  if (links.length === 0) return 0;
  title(`Assumed links (${links.length})`);
  line('Nothing states them. They count like the others until somebody has looked.');
  for (const { sourceId, type, targetId, assumed } of links.slice(0, LINKS_SHOWN)) {
    const text = `${oneLine(sourceId)} ${type.replaceAll('_', ' ')} ${oneLine(targetId)}: ${BECAUSE[assumed]}`;
    for (const part of wrap(text, width - 2)) line(`  ${part}`);
  }
  if (links.length > LINKS_SHOWN) line(`  … and ${links.length - LINKS_SHOWN} more; --format json lists all`);
  return links.length;
}

/** Prints gaps, coverage and the summary of the matrix for a person. */
export function printTrace(output: Output, result: TraceResult): void {
  const { analysis, extraction, findings, notAssessed } = result;
  const paint = painter(output);
  const width = widthOf(output);
  const line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(paint('bold', text));
    line('─'.repeat(Math.min(width, text.length)));
  };
  title(`Gaps (${findings.length})`);
  for (const finding of findings) {
    const { criterionId, kind, severity, affected = [] } = finding;
    line(
      `${paint(SEVERITY_STYLE[severity], severity.padEnd(8))}  ${paint('bold', fit(finding.title, 90))}  ${criterionId === kind ? kind : `${criterionId}/${kind}`}`,
    );
    for (const text of [finding.observed, `→ ${finding.recommendation}`]) {
      for (const part of wrap(text, width - 10)) line(`          ${part}`);
    }
    const places = affected.length > 1 ? affected : finding.evidence.slice(0, 1);
    for (const one of places.slice(0, PLACES_SHOWN)) {
      const place = placeOf(one);
      if (place === '') continue;
      const text = 'id' in one ? `${one.id}: ${place}` : place;
      line(paint('grey', `          ${fit(text, width - 10)}`));
    }
    if (places.length > PLACES_SHOWN)
      line(paint('grey', `          … and ${places.length - PLACES_SHOWN} more; --format json lists all`));
  }
  for (const [type, count] of Object.entries(analysis.unlisted)) {
    if (count > 0) line(`… and ${count} more of ${type}`);
  }

  printProposed({ title, line }, result, width);
  printNotDue({ title, line, width }, result.notDue);

  const assumed = printAssumed({ title, line }, result, width);

  title('Coverage');
  for (const [metric, label] of METRICS)
    line(`${label.padEnd(32)}${printCoverage(analysis.coverage[metric])}`);

  if (assumed > 0) {
    const share = ((100 * assumed) / Math.max(1, analysis.totalLinks)).toFixed(1);
    line(`Counted with ${counted(assumed, 'assumed link')} of ${analysis.totalLinks} (${share} %)`);
  }

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
  const { critical, high, medium, low } = countSeverities(findings);
  line(paint('bold', 'Summary'));
  line(
    `  ${analysis.totalArtifacts} artifacts, ${analysis.totalLinks} links in ${result.documents.length} documents`,
  );
  line(`  Gaps: ${critical} critical, ${high} high, ${medium} medium, ${low} low`);
}

function placeOf({ documentId, location }: Pick<AffectedItem, 'documentId' | 'location'>): string {
  return [documentId ?? '', location ? printLocation(location) : ''].filter(Boolean).join(', ');
}

function printCoverage({ numerator, denominator, percentage }: Coverage): string {
  const share = percentage === null ? 'n/a' : `${percentage.toFixed(1)} %`;
  return `${share.padStart(8)}  (${numerator} of ${denominator})`;
}
