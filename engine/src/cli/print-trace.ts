import { GAP_TYPES } from '../engines/traceability/rules.js';
import type { TraceabilityExamination } from '../engines/traceability/run.js';
import type { LinkOpinions } from '../engines/traceability/second-links.js';
import type { Coverage, MatrixStatus, TraceabilityAnalysis } from '../engines/traceability/traceability.js';
import type { ArtifactType } from '../facts/artifacts/artifact.js';
import type { Extraction } from '../facts/artifacts/statement.js';
import { type AssumedBecause, assumedLinks } from '../facts/artifacts/trace-link.js';
import { type AffectedItem, type Finding, SEVERITIES, type Severity } from '../findings/finding.js';
import type { NotDue } from '../findings/not-due.js';
import { countSeverities } from '../findings/severities.js';
import { say } from '../sentences/sentence.js';
import { type Line, printModel, printNotAssessed, printNotDue, printNotes } from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, oneLine, painter, type Style, widthOf, wrap } from './terminal.js';
import { severityName, type Words } from './words.js';

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
  for (const { type, status } of examination.matrixStatuses()) {
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
  ...(['upstream', 'downstream', 'verification', 'verificationInclIndirect', 'evidence'] as const),
  ...(['overall', 'endToEnd'] as const),
] as const;
const MATRIX = ['complete', 'partial', 'missing', 'orphan'] as const;

/** Proposed links of which a language model says that they are some; a person makes them. */
function printProposed(
  { title, line }: { readonly title: (text: string) => void; readonly line: Line },
  { proposed }: TraceResult,
  { width, words }: { readonly width: number; readonly words: Words },
): void {
  if (!proposed) return;
  const { links, looked, statement } = proposed;
  const likely = links.filter(({ answer }) => answer === 'yes');
  title(words(say('terminal.links-by-model', { count: likely.length })));
  line(words(say('terminal.links-looked-at', { looked: looked.artifacts, all: looked.of })));
  for (const { proposed: one, shared = '' } of likely) {
    const { sourceId, type, targetId } = one.link;
    const text = `${sourceId} ${type.replaceAll('_', ' ')} ${targetId}: ${oneLine(shared)}`;
    for (const part of wrap(text, width - 2)) line(`  ${part}`);
  }
  printModel(line, statement, words);
}

/** A rule that documents name ("AI-13"); the others are names for programs, in JSON. */
const RULE = /^[A-Z]+-\d/;
const gapTypeOf = (criterionId: string) =>
  GAP_TYPES.filter((one) => one === criterionId).map((one) => say(`terminal.gap-type.${one}`));

const LINKS_SHOWN = 20;
const because = (assumed: AssumedBecause) => say(`terminal.assumed-by.${assumed}`);

/** Links that nothing states, with why they are taken to be meant; returns how many. */
function printAssumed(
  { title, line }: { readonly title: (text: string) => void; readonly line: Line },
  { extraction }: TraceResult,
  { width, words }: { readonly width: number; readonly words: Words },
): number {
  const links = assumedLinks(extraction.links);
  if (links.length === 0) return 0;
  title(words(say('terminal.assumed-links', { count: links.length })));
  line(words(say('terminal.assumed-intro')));
  for (const { sourceId, type, targetId, assumed } of links.slice(0, LINKS_SHOWN)) {
    const text = `${oneLine(sourceId)} ${type.replaceAll('_', ' ')} ${oneLine(targetId)}: ${words(because(assumed))}`;
    for (const part of wrap(text, width - 2)) line(`  ${part}`);
  }
  if (links.length > LINKS_SHOWN)
    line(`  ${words(say('terminal.more-places', { count: links.length - LINKS_SHOWN }))}`);
  return links.length;
}

/** Prints gaps, coverage and the summary of the matrix for a person. */
export function printTrace(output: Output, result: TraceResult, words: Words): void {
  const { analysis, extraction, findings, notAssessed } = result;
  const paint = painter(output);
  const width = widthOf(output);
  const line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(paint('bold', text));
    line('─'.repeat(Math.min(width, text.length)));
  };
  title(words(say('terminal.gaps', { count: findings.length })));
  for (const finding of findings) {
    const { criterionId, kind, severity, affected = [] } = finding;
    line(
      `${paint(SEVERITY_STYLE[severity], words(severityName(severity)).padEnd(8))}  ${paint('bold', fit(finding.title, 90))}  ${[...gapTypeOf(criterionId).map(words), ...(RULE.test(kind) ? [kind] : [])].join(', ')}`,
    );
    for (const text of [finding.observed, `→ ${finding.recommendation}`]) {
      for (const part of wrap(text, width - 10)) line(`          ${part}`);
    }
    const places = affected.length > 1 ? affected : finding.evidence.slice(0, 1);
    for (const one of places.slice(0, PLACES_SHOWN)) {
      const place = placeOf(one, words);
      if (place === '') continue;
      const text = 'id' in one ? `${one.id}: ${place}` : place;
      line(paint('grey', `          ${fit(text, width - 10)}`));
    }
    if (places.length > PLACES_SHOWN)
      line(
        paint(
          'grey',
          `          ${words(say('terminal.more-places', { count: places.length - PLACES_SHOWN }))}`,
        ),
      );
  }
  for (const [type, count] of Object.entries(analysis.unlisted)) {
    if (count > 0) line(words(say('terminal.more-of', { count, type })));
  }

  printProposed({ title, line }, result, { width, words });
  printNotDue({ title, line, width, words }, result.notDue);

  const assumed = printAssumed({ title, line }, result, { width, words });

  title(words(say('terminal.coverage')));
  for (const metric of METRICS) {
    const label = words(say(`terminal.metric.${metric}`));
    line(`${label.padEnd(32)}${printCoverage(analysis.coverage[metric], words)}`);
  }
  if (assumed > 0) {
    const share = ((100 * assumed) / Math.max(1, analysis.totalLinks)).toFixed(1);
    line(words(say('terminal.counted-with', { assumed, links: analysis.totalLinks, share })));
  }

  title(words(say('terminal.trace-matrix')));
  line(`${''.padEnd(32)}${MATRIX.map((one) => words(say(`terminal.matrix.${one}`)).padStart(9)).join('')}`);
  for (const [type, counts] of Object.entries(result.matrix)) {
    const cells = MATRIX.map((one) => counts[one]);
    line(
      `${typeName(type as ArtifactType, words).padEnd(32)}${cells.map((one) => String(one).padStart(9)).join('')}`,
    );
  }

  if (extraction.notes.length > 0) {
    title(words(say('terminal.about-reading')));
    for (const [code, count] of Object.entries(extraction.noteCounts)) {
      const [first] = extraction.notes.filter((note) => note.code === code);
      const place = first ? [first.documentId, words.place(first.location)].filter(Boolean).join(', ') : '';
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
  printNotes({ title, line, width, words }, told);
  printNotAssessed({ title, line, width, words }, notAssessed);
  line();
  const severities = countSeverities(findings);
  line(paint('bold', words(say('terminal.summary'))));
  const size = say('terminal.trace-size', {
    artifacts: analysis.totalArtifacts,
    links: analysis.totalLinks,
    documents: result.documents.length,
  });
  line(`  ${words(size)}`);
  const counts = SEVERITIES.map((one) => `${severities[one]} ${words(severityName(one))}`);
  line(`  ${words(say('terminal.gaps-counted', { counts }))}`);
}

const typeName = (type: ArtifactType, words: Words): string =>
  words.language === 'de' ? words(say(`artifacts.${type}`)) : type.replaceAll('_', ' ');

function placeOf(
  { documentId, location }: Pick<AffectedItem, 'documentId' | 'location'>,
  words: Words,
): string {
  return [documentId ?? '', location ? words.place(location) : ''].filter(Boolean).join(', ');
}

function printCoverage({ numerator, denominator, percentage }: Coverage, words: Words): string {
  const share =
    percentage === null ? words(say('terminal.verdict.not_applicable')) : `${percentage.toFixed(1)} %`;
  return `${share.padStart(8)} ${words(say('terminal.counts', { met: numerator, total: denominator }))}`;
}
