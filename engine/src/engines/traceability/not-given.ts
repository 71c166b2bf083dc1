import type { FoundGap } from './findings.js';
import { degree } from './graph.js';
import { ROLE } from './nodes.js';
import type { GapKind } from './rules.js';
import { owes, type TraceGraph } from './trace-graph.js';
import type { TraceGap } from './traceability.js';

/**
 * Which gaps are there only because what would be linked was not given: no artifact of the kind is among the documents. An
 * artifact that is linked to nothing at all stays a gap of its own. Linear once, then constant.
 */
export function notGiven(graph: TraceGraph): (gap: FoundGap) => TraceGap['because'] {
  const { nodes, refinement } = graph;
  let [requirements, tests, design, analyses, results] = [false, false, false, false, false];
  let [highest, lowest] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  const dependent = new Set(nodes.rules.independence_evidence);
  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    const role = nodes.role[node]!;
    requirements ||= role === ROLE.requirement;
    tests ||= role === ROLE.test;
    design ||= role === ROLE.design;
    results ||= nodes.artifacts[node]!.result !== undefined || role === ROLE.evidence;
    analyses ||= dependent.has(nodes.artifacts[node]!.kind?.trim().toLowerCase() ?? '');
    if (role !== ROLE.goal && role !== ROLE.requirement) continue;
    highest = Math.min(highest, nodes.lowestRank[node]!);
    lowest = Math.max(lowest, nodes.highestRank[node]!);
  }
  const linked = linkedByType(graph);
  const isUnread = (kind: GapKind, node: number): boolean => {
    const of = linked.get(nodes.artifacts[node]!.type);
    if (!of) return false;
    if (kind === 'no_fsr') return of.all >= FEWEST_GOALS && of.down === 0;
    if (of.all < FEWEST) return false;
    if (kind === 'no_parent' || kind === 'AI-12') return of.up === 0 && nodes.highestRank[node]! > highest;
    if (kind === 'not_refined_nor_allocated') return of.down === 0;
    return kind === 'none' && of.verified === 0 && tests;
  };
  const isNotGiven = (kind: GapKind, node: number): boolean => {
    if (kind === 'no_parent') {
      const isTop = nodes.role[node] === ROLE.requirement && nodes.highestRank[node]! <= highest;
      return isTop && degree(refinement.backward, node) > 0;
    }
    if (kind === 'no_fsr') return !requirements;
    if (kind === 'not_refined_nor_allocated') return !design && nodes.lowestRank[node]! >= lowest;
    // No test has a result anywhere: the report was not given.
    if (kind === 'no_evidence') return !results;
    return kind === 'AI-07' && !analyses;
  };
  return ({ kind, node }) => {
    if (isNotGiven(kind, node)) return 'none_given';
    if (isUnread(kind, node)) return 'no_link_read';
    // Nobody can say what is verified: no test was given, of anything.
    if (kind !== 'none' || tests) return undefined;
    return nodes.artifacts[node]!.verificationMethod === undefined ? 'none_given' : 'planned';
  };
}

/** So many of a type without any link are no chance any more; goals are few. */
const FEWEST = 3;
const FEWEST_GOALS = 2;

interface Linked {
  all: number;
  /** To what is above. */
  up: number;
  /** To what is below, or to an element. */
  down: number;
  verified: number;
}

/** How many artifacts of each type have links of each direction. */
function linkedByType(graph: TraceGraph): ReadonlyMap<string, Linked> {
  const { nodes, refinement, relations } = graph;
  const types = new Map<string, Linked>();
  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    const { type } = nodes.artifacts[node]!;
    let of = types.get(type);
    if (!of) {
      of = { all: 0, up: 0, down: 0, verified: 0 };
      types.set(type, of);
    }
    of.all++;
    if (degree(refinement.forward, node) > 0) of.up++;
    if (degree(refinement.backward, node) > 0 || degree(relations.realised_by.forward, node) > 0) of.down++;
    if (degree(relations.verified_by.forward, node) > 0) of.verified++;
  }
  return types;
}
