import { MARK } from './edges.js';
import { addGap, type Findings } from './findings.js';
import { degree, neighbours } from './graph.js';
import { FLAG, ROLE } from './nodes.js';
import { propagateHighest } from './propagate.js';
import type { SpecificationItems } from './specification-items.js';
import { inLoop, levelOf, owes, type TraceGraph } from './trace-graph.js';
import type { Verification } from './verification.js';

/** Stages of a path below a goal. */
const STAGE = { none: 0, functional: 1, technical: 2, design: 3, test: 4, result: 5 } as const;
const WORST = { low: 1, medium: 2, high: 3, critical: 4 } as const;

export interface Chains {
  /** By goal: 1 where a complete path leads down to a passed test and nothing critical is below. */
  readonly endToEnd: Uint8Array;
}

/**
 * Looks for a complete path below every goal: functional, technical and any further requirements, then a design
 * element, a test and a positive result of the lowest one (domain E.4). A workspace that knows no technical
 * requirement at all needs none. A goal gets a gap only where nothing of weight is reported below it. Linear.
 */
export function examineChains(
  graph: TraceGraph,
  verification: Verification,
  { findings, items }: { readonly findings: Findings; readonly items: SpecificationItems | undefined },
): Chains {
  const { nodes } = graph;
  const reached = stagesReached(graph, verification);
  const worst = worstBelow(graph, findings);
  const endToEnd = new Uint8Array(nodes.ids.length);
  for (let node = 0; node < nodes.defined; node++) {
    if (nodes.role[node] !== ROLE.goal || !owes(graph, node)) continue;
    const stage = reached[node]!;
    endToEnd[node] = Number(stage === STAGE.result && worst[node]! < WORST.critical);
    if (stage === STAGE.result || worst[node]! >= WORST.medium || items?.is(node)) continue;
    // That it is refined into nothing is reported already, however low.
    if (degree(graph.refinement.backward, node) === 0 && !inLoop(graph, node)) continue;
    addGap(findings, 'chain_gap', { node, level: levelOf(graph, node), stage });
  }
  return { endToEnd };
}

/** By node: the furthest stage that a path down from it reaches. */
function stagesReached(graph: TraceGraph, verification: Verification): Uint8Array {
  const { nodes, refinement, components } = graph;
  const technicalInUse = nodes.role.some(
    (role, node) =>
      role === ROLE.requirement &&
      nodes.lowestRank[node] === 2 &&
      nodes.highestRank[node] === 2 &&
      owes(graph, node),
  );
  const reached = new Uint8Array(nodes.ids.length);
  for (let i = nodes.ids.length - 1; i >= 0; i--) {
    const node = components.order[i]!;
    const role = nodes.role[node]!;
    if (role === ROLE.stub) reached[node] = STAGE.functional;
    if (role > ROLE.requirement) continue;
    let furthest: number = STAGE.none;
    if (role === ROLE.requirement && (nodes.flags[node]! & FLAG.informational) === 0) {
      const mayBeLowest = nodes.highestRank[node]! >= 2 || !technicalInUse;
      furthest = mayBeLowest ? stageOfLowest(graph, verification, node) : STAGE.functional;
    }
    const { offsets, targets, edges } = refinement.backward;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      if (refinement.marks[edges[e]!]! & MARK.levelSkip) continue;
      furthest = Math.max(furthest, reached[targets[e]!]!);
    }
    reached[node] = furthest;
  }
  return reached;
}

/** How far the path gets that ends with this requirement. */
function stageOfLowest({ relations }: TraceGraph, verification: Verification, node: number): number {
  if (degree(relations.realised_by.forward, node) === 0) return STAGE.technical;
  if (!verification.direct[node]) return STAGE.design;
  const tests = neighbours(relations.verified_by.forward, node);
  // Verified without a test: by evidence that is positive.
  if (tests.length === 0) return STAGE.result;
  return tests.some((test) => verification.verdictOf(test) === 'positive') ? STAGE.result : STAGE.test;
}

/** By node: the worst severity reported on it or on anything below it. */
function worstBelow({ nodes, relations }: TraceGraph, { gaps }: Findings): Uint8Array {
  const worst = new Uint8Array(nodes.ids.length);
  for (const { node, severity } of gaps) worst[node] = Math.max(worst[node]!, WORST[severity]);
  propagateHighest(worst, [
    relations.refines.forward,
    relations.realised_by.backward,
    relations.verified_by.backward,
    relations.evidenced_by.backward,
  ]);
  return worst;
}
