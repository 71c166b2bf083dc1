import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import { examineIntegrity } from './asil-rules.js';
import { examineChains } from './chains.js';
import { measureCoverage } from './coverage.js';
import { examineDecompositions } from './decomposition-rules.js';
import { canonicalEdges } from './edges.js';
import { addRemark, type Findings } from './findings.js';
import { examineHazards } from './hazard-rules.js';
import { examineItems } from './item-gaps.js';
import { examineLinks } from './link-gaps.js';
import { matrixRows } from './matrix.js';
import { collectNodes } from './nodes.js';
import { examineObligations, remarkOnArtifacts, requirementsWithoutTest } from './obligations.js';
import { type TracePairs, tracePairs } from './pairs.js';
import { reportAnalysis } from './report.js';
import { resolveLinks } from './resolve.js';
import { traceGraph } from './trace-graph.js';
import { type TraceMap, traceMap } from './trace-map.js';
import type { MatrixRow, TraceabilityAnalysis, TraceabilityInput } from './traceability.js';
import { examineVerification } from './verification.js';

/**
 * Examines the trace of one workspace: the six types of gap with their kinds, integrity levels, coverage (domain E).
 * Pure and deterministic; time and memory grow linearly with artifacts and links. Any input gives an analysis.
 */
export function analyseTraceability(input: TraceabilityInput): TraceabilityAnalysis {
  return examineTraceability(input).analysis;
}

/** An analysis with the trace matrix that belongs to it; the rows are made when they are asked for. */
export interface TraceabilityExamination {
  readonly analysis: TraceabilityAnalysis;
  /** Goals and requirements in the order of the artifacts. */
  readonly matrixLength: number;
  /** Rows from `offset`, at most `limit` of them. */
  matrixRows(page?: { readonly offset?: number; readonly limit?: number }): IterableIterator<MatrixRow>;
  /** What all rows are and how far they are traced, without their links. */
  matrixStatuses(): IterableIterator<Pick<MatrixRow, 'type' | 'status'>>;
  /** Ids of requirements that no test reaches, neither their own nor one of what is below them; in their order. */
  withoutTest(): readonly string[];
  /** All of it as numbers, for pictures and lists. */
  map(): TraceMap;
  /** Who reaches whom between artifacts of certain types, row by row. */
  pairs(sets: {
    readonly rows: readonly ArtifactType[];
    readonly columns: readonly ArtifactType[];
  }): TracePairs;
}

/** `analyseTraceability` with the trace matrix. */
export function examineTraceability(input: TraceabilityInput): TraceabilityExamination {
  const { links, options = {} } = input;
  const resolved = resolveLinks(collectNodes(input), input);
  const findings: Findings = { nodes: resolved.nodes, gaps: [], remarks: new Map() };
  const { relations, defects, items } = canonicalEdges(links, resolved, findings);
  const graph = traceGraph(resolved.nodes, relations, links);

  const verification = examineVerification(graph, options.configuration);
  const obligations = examineObligations(graph, verification, { findings, defects, options, items });
  examineLinks(graph, findings, { defects, obligations });
  if (items) examineItems(graph, items, findings);
  examineIntegrity(graph, findings);
  examineDecompositions(graph, findings);
  examineHazards(graph, findings);
  const chains = examineChains(graph, verification, { findings, items });

  for (const { written, node, other } of resolved.respelled) {
    addRemark(findings, 'id_normalised', { node: other, related: [node], missing: written });
  }
  for (const { node, otherText, differing } of resolved.nodes.duplicates) {
    if (!otherText || items?.is(node)) continue;
    addRemark(findings, differing ? 'duplicate_id_other_asil' : 'duplicate_id', { node });
  }
  remarkOnArtifacts(graph, findings);

  const coverage = measureCoverage(graph, obligations, { verification, chains });
  const basis = { obligations, verification, gaps: findings.gaps, items };
  return {
    analysis: reportAnalysis(graph, findings, { totalLinks: resolved.seen, coverage, options }),
    ...matrixRows(graph, basis),
    withoutTest: () => requirementsWithoutTest(graph, obligations, verification),
    map: () => traceMap(graph, basis),
    pairs: (sets) => tracePairs(graph, sets),
  };
}
