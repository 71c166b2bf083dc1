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
type Metric = (typeof METRICS)[number];
type Counts = Record<Metric, { numerator: number; denominator: number }>;

/** Counts obligations and those that are met (domain E.9), whole and by integrity class. Linear. */
export function measureCoverage(
  graph: TraceGraph,
  { owed, met }: Obligations,
  { verification, chains }: { readonly verification: Verification; readonly chains: Chains },
): { readonly whole: CoverageMetrics; readonly byIntegrity: Record<IntegrityClass, CoverageMetrics> } {
  const { nodes, integrity } = graph;
  const whole = noCounts();
  const byClass = INTEGRITY_CLASSES.map(noCounts);
  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    const role = nodes.role[node]!;
    const code = integrity[node]!;
    const ofClass = byClass[code === 0 ? 5 : 4 - nodes.scale.severityLevel[code]!]!;
    const count = (metric: Metric, isMet: boolean) => {
      for (const counts of [whole, ofClass]) {
        counts[metric].denominator++;
        if (isMet) counts[metric].numerator++;
      }
    };
    const isOwed = owed[node]!;
    const isMet = met[node]!;
    // Evidence owes a source too, but is no part of the metric.
    if (isOwed & OWES.upstream && role !== ROLE.evidence) count('upstream', (isMet & OWES.upstream) !== 0);
    if (isOwed & OWES.downstream) count('downstream', (isMet & OWES.downstream) !== 0);
    if (isOwed & OWES.verification) {
      const direct = (isMet & OWES.verification) !== 0;
      count('verification', direct);
      count('verificationInclIndirect', direct || verification.indirect[node] === 1);
    }
    if (isOwed & OWES.evidence) count('evidence', (isMet & OWES.evidence) !== 0);
    if (role === ROLE.goal) count('endToEnd', chains.endToEnd[node] === 1);
  }
  const byIntegrity = Object.fromEntries(
    INTEGRITY_CLASSES.map((name, index) => [name, metricsOf(byClass[index]!)]),
  ) as Record<IntegrityClass, CoverageMetrics>;
  return { whole: metricsOf(whole), byIntegrity };
}

/** Half up to one decimal, in whole numbers; null for a share of nothing. */
export function percentage(numerator: number, denominator: number): number | null {
  if (denominator === 0) return null;
  return Math.floor((2000 * numerator + denominator) / (2 * denominator)) / 10;
}

function metricsOf(counts: Counts): CoverageMetrics {
  const sums = [counts.upstream, counts.downstream, counts.verification, counts.evidence];
  const sum = (key: 'numerator' | 'denominator') => sums.reduce((total, one) => total + one[key], 0);
  return {
    upstream: coverage(counts.upstream),
    downstream: coverage(counts.downstream),
    verification: coverage(counts.verification),
    verificationInclIndirect: coverage(counts.verificationInclIndirect),
    evidence: coverage(counts.evidence),
    overall: coverage({ numerator: sum('numerator'), denominator: sum('denominator') }),
    endToEnd: coverage(counts.endToEnd),
  };
}

function coverage({ numerator, denominator }: { numerator: number; denominator: number }): Coverage {
  return { numerator, denominator, percentage: percentage(numerator, denominator) };
}

function noCounts(): Counts {
  return Object.fromEntries(METRICS.map((metric) => [metric, { numerator: 0, denominator: 0 }])) as Counts;
}
