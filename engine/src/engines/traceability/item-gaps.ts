import { addGap, type Findings } from './findings.js';
import { neighbours } from './graph.js';
import { FLAG } from './nodes.js';
import type { SpecificationItems } from './specification-items.js';
import { levelOf, type TraceGraph } from './trace-graph.js';

/** Artifacts that a gap lists as wrong with it. */
const MOST_AFFECTED = 100;

/** The defects of the items that no link shows: not covered, defined more than once, covering each other in a loop. */
export function examineItems(graph: TraceGraph, items: SpecificationItems, findings: Findings): void {
  const { nodes } = graph;
  const verifying = new Set(nodes.rules.verifying_items);
  for (let node = 0; node < nodes.defined; node++) {
    if (!items.is(node)) continue;
    const level = levelOf(graph, node);
    if (nodes.restated.has(node)) addGap(findings, 'duplicate_item', { node, level });
    if (nodes.flags[node]! & FLAG.inactive) continue;
    const missing = items.uncovered(node);
    if (missing.length === 0) continue;
    const affected = above(items, node);
    for (const [kind, types] of [
      ['needed_item', missing.filter((type) => !verifying.has(type))],
      ['needed_verification', missing.filter((type) => verifying.has(type))],
    ] as const) {
      if (types.length > 0) addGap(findings, kind, { node, level, missing: types.join(', '), affected });
    }
  }
  for (const related of items.loops) {
    const level = related.reduce((highest, node) => Math.max(highest, levelOf(graph, node)), 0);
    addGap(findings, 'coverage_loop', { node: related[0]!, level, related });
  }
}

/** What an item covers, and what that covers in turn: without it none of them is covered whole. */
function above({ incoming }: SpecificationItems, node: number): readonly number[] {
  const found = new Set([node]);
  for (const one of found) {
    for (const covered of neighbours(incoming.backward, one)) {
      if (found.size <= MOST_AFFECTED) found.add(covered);
    }
  }
  found.delete(node);
  return [...found];
}
