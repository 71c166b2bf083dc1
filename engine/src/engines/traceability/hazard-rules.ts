import { isDecomposedPart } from '../../asil/decomposition.js';
import { addGap, type Findings } from './findings.js';
import { neighbours } from './graph.js';
import { UNKNOWN } from './integrity.js';
import { ROLE } from './nodes.js';
import { owes, type TraceGraph } from './trace-graph.js';

/** AI-13 and AI-14: ratings, the ASIL that they give and the goals that answer them (domain E.3, E.6). Linear. */
export function examineHazards(graph: TraceGraph, findings: Findings): void {
  for (const node of graph.nodes.rated.keys()) {
    if (owes(graph, node)) recompute(graph, findings, node);
  }
  for (let node = 0; node < graph.nodes.defined; node++) {
    if (graph.nodes.role[node] === ROLE.goal && owes(graph, node)) compareWithHazards(graph, findings, node);
  }
}

function recompute({ nodes, refinement }: TraceGraph, findings: Findings, node: number): void {
  const { scale } = nodes;
  const { stated, computed } = nodes.rated.get(node)!;
  if (stated === UNKNOWN || computed === UNKNOWN || scale.scheme[stated] !== 1) return;
  const level = scale.ownLevel[computed]!;
  if (scale.ownLevel[stated] === level) return;
  if (scale.ownLevel[stated]! > level) {
    addGap(findings, 'AI-13-conservative', { node, level, required: computed });
    return;
  }
  const affected = [...neighbours(refinement.backward, node)].filter((goal) =>
    isBelow(claimedLevel(nodes, goal), level),
  );
  addGap(findings, 'AI-13', { node, level, required: computed, affected });
}

/** A goal below what its hazardous events state; one that states nothing counts by its ratings. */
function compareWithHazards({ nodes, refinement }: TraceGraph, findings: Findings, goal: number): void {
  const { scale } = nodes;
  const own = scale.codes[nodes.stated[goal]!]!.asil;
  if (!own) return;
  const demands = [...neighbours(refinement.forward, goal)]
    .filter((node) => nodes.role[node] === ROLE.hazard)
    .map((node) => ({ node, code: demandOf(nodes, node) }))
    .filter(({ code }) => scale.scheme[code] === 1);
  const required = demands.reduce(
    (best, { code }) => (best === UNKNOWN || scale.ownLevel[code]! > scale.ownLevel[best]! ? code : best),
    UNKNOWN,
  );
  const level = scale.ownLevel[required]!;
  if (!isBelow(claimedLevel(nodes, goal), level)) return;
  // They follow the goal and are corrected with it.
  const affected = [...neighbours(refinement.backward, goal)].filter((child) => {
    const asil = scale.codes[nodes.stated[child]!]!.asil;
    return (
      asil !== undefined && scale.ownLevel[nodes.stated[child]!]! < level && !isDecomposedPart(own, asil)
    );
  });
  addGap(findings, 'AI-14', {
    node: goal,
    level,
    related: demands.filter(({ code }) => scale.ownLevel[code] === level).map(({ node }) => node),
    required,
    affected,
  });
}

function demandOf({ rated, stated }: TraceGraph['nodes'], hazard: number): number {
  const known = rated.get(hazard);
  if (!known) return stated[hazard]!;
  return known.stated === UNKNOWN ? known.computed : known.stated;
}

/** The level that a goal claims: before decomposition, where it is decomposed. -1 when it states none. */
function claimedLevel({ scale, stated }: TraceGraph['nodes'], goal: number): number {
  const code = stated[goal]!;
  if (scale.scheme[code] !== 1) return -1;
  return Math.max(scale.ownLevel[code]!, scale.codes[code]!.asil?.original ? scale.severityLevel[code]! : 0);
}

function isBelow(claimed: number, level: number): boolean {
  return claimed >= 0 && claimed < level;
}
