import type { Chains } from './chains.js';
import { ROLE } from './nodes.js';
import { type Obligations, OWES } from './obligations.js';
import { owes, type TraceGraph } from './trace-graph.js';
import {
  type Coverage,
  type CoverageMetrics,
  INTEGRITY_CLASSES,
  type IntegrityClass,
} from './traceability.js';
import type { Verification } from './verification.js';

const METRICS = [
  ...(['upstream', 'downstream', 'verification', 'verificationInclIndirect'] as const),
  ...(['evidence', 'endToEnd'] as const),
] as const;
/** Where each metric stands in a row of counts: the numerator, after it the denominator. */
const AT = Object.fromEntries(METRICS.map((metric, index) => [metric, 2 * index])) as Record<
  (typeof METRICS)[number],
  number
>;

/** Counts obligations and those that are met (domain E.9), whole and by integrity class. Linear. */
export function measureCoverage(
  graph: TraceGraph,
  { owed, met }: Obligations,
  { verification, chains }: { readonly verification: Verification; readonly chains: Chains },
): { readonly whole: CoverageMetrics; readonly byIntegrity: Record<IntegrityClass, CoverageMetrics> } {
  const { nodes, integrity } = graph;
  const width = 2 * METRICS.length;
  const table = new Int32Array(width * INTEGRITY_CLASSES.length);
  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    const role = nodes.role[node]!;
    const code = integrity[node]!;
    const row =
      width * (code === 0 ? INTEGRITY_CLASSES.indexOf('unknown') : 4 - nodes.scale.severityLevel[code]!);
    const isOwed = owed[node]!;
    const isMet = met[node]!;
    const direct = (isMet & OWES.verification) !== 0;
    // Evidence owes a source too, but is no part of the metric.
    if (isOwed & OWES.upstream && role !== ROLE.evidence)
      count(row + AT.upstream, (isMet & OWES.upstream) !== 0);
    if (isOwed & OWES.downstream) count(row + AT.downstream, (isMet & OWES.downstream) !== 0);
    if (isOwed & OWES.verification) {
      count(row + AT.verification, direct);
      count(row + AT.verificationInclIndirect, direct || verification.indirect[node] === 1);
    }
    if (isOwed & OWES.evidence) count(row + AT.evidence, (isMet & OWES.evidence) !== 0);
    if (role === ROLE.goal) count(row + AT.endToEnd, chains.endToEnd[node] === 1);
  }
  const rows = INTEGRITY_CLASSES.map((_, index) => table.subarray(index * width, (index + 1) * width));
  const whole = Int32Array.from({ length: width }, (_, at) => rows.reduce((sum, row) => sum + row[at]!, 0));
  const byIntegrity = Object.fromEntries(
    INTEGRITY_CLASSES.map((name, index) => [name, metricsOf(rows[index]!)]),
  ) as Record<IntegrityClass, CoverageMetrics>;
  return { whole: metricsOf(whole), byIntegrity };

  function count(at: number, isMet: boolean): void {
    table[at + 1]!++;
    if (isMet) table[at]!++;
  }
}

/** Half up to one decimal, in whole numbers; null for a share of nothing. */
export function percentage(numerator: number, denominator: number): number | null {
  if (denominator === 0) return null;
  return Math.floor((2000 * numerator + denominator) / (2 * denominator)) / 10;
}

function metricsOf(row: Int32Array): CoverageMetrics {
  const summed = [AT.upstream, AT.downstream, AT.verification, AT.evidence];
  const sum = (offset: number) => summed.reduce((total, at) => total + row[at + offset]!, 0);
  return {
    upstream: coverage(row[AT.upstream]!, row[AT.upstream + 1]!),
    downstream: coverage(row[AT.downstream]!, row[AT.downstream + 1]!),
    verification: coverage(row[AT.verification]!, row[AT.verification + 1]!),
    verificationInclIndirect: coverage(
      row[AT.verificationInclIndirect]!,
      row[AT.verificationInclIndirect + 1]!,
    ),
    evidence: coverage(row[AT.evidence]!, row[AT.evidence + 1]!),
    overall: coverage(sum(0), sum(1)),
    endToEnd: coverage(row[AT.endToEnd]!, row[AT.endToEnd + 1]!),
  };
}

function coverage(numerator: number, denominator: number): Coverage {
  return { numerator, denominator, percentage: percentage(numerator, denominator) };
}
