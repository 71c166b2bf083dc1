import { SEVERITIES, type Severity } from '../../findings/finding.js';
import type { measureCoverage } from './coverage.js';
import { describeRemarks, gapDescriber } from './describe.js';
import type { Findings, FoundGap } from './findings.js';
import { GAP_KINDS, GAP_TYPES, type GapType } from './rules.js';
import type { TraceGraph } from './trace-graph.js';
import type { TraceabilityAnalysis, TraceabilityOptions } from './traceability.js';

const LISTED_PER_TYPE = 10_000;

/** Counts all gaps and lists the most severe ones, as plain JSON. */
export function reportAnalysis(
  graph: TraceGraph,
  findings: Findings,
  context: {
    readonly totalLinks: number;
    readonly coverage: ReturnType<typeof measureCoverage>;
    readonly options: TraceabilityOptions;
  },
): TraceabilityAnalysis {
  const { rules, defined } = graph.nodes;
  const { options, coverage } = context;
  const summary = counter<GapType>(GAP_TYPES);
  const severityCounts = counter<Severity>(SEVERITIES);
  const unlisted = counter<GapType>(GAP_TYPES);
  const limit = options.listedPerType ?? LISTED_PER_TYPE;
  const describe = gapDescriber(graph, options);
  const listed: FoundGap[] = [];
  for (const found of inOrder(findings.gaps)) {
    const type = rules.kinds[found.kind].gap;
    severityCounts[found.severity]++;
    if (summary[type]++ < limit) listed.push(found);
    else unlisted[type]++;
  }
  return {
    totalArtifacts: defined,
    totalLinks: context.totalLinks,
    totalGaps: findings.gaps.length,
    summary,
    severityCounts,
    coverage: coverage.whole,
    coverageByIntegrity: coverage.byIntegrity,
    gaps: listed.map(describe),
    unlisted,
    remarks: describeRemarks(graph, findings.remarks),
  };
}

/** By severity, then in the order of the artifacts, then by kind; the sort is stable. */
function inOrder(gaps: readonly FoundGap[]): FoundGap[] {
  const severity = new Map(SEVERITIES.map((name, index) => [name as string, index]));
  const kind = new Map(GAP_KINDS.map((name, index) => [name as string, index]));
  return [...gaps].sort(
    (a, b) =>
      severity.get(a.severity)! - severity.get(b.severity)! ||
      a.node - b.node ||
      kind.get(a.kind)! - kind.get(b.kind)!,
  );
}

function counter<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
