import { ASIL_LEVELS } from '../../asil/asil.js';
import { isDecomposedPart } from '../../asil/decomposition.js';
import { againstRatings, isBelowEvent } from '../../contradictions/level-rules.js';
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
  const own = scale.codes[stated]!.asil;
  const given = scale.codes[computed]!.asil?.own;
  const difference = own && given && againstRatings(own, given);
  if (!difference) return;
  const level = scale.ownLevel[computed]!;
  if (difference === 'too_high') {
    addGap(findings, 'AI-13-conservative', { node, level, required: computed });
    return;
  }
  const affected = [...neighbours(refinement.backward, node)].filter((goal) => {
    const claimed = scale.codes[nodes.stated[goal]!]!.asil;
    return claimed !== undefined && isBelowEvent(claimed, given!);
  });
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
  if (!isBelowEvent(own, ASIL_LEVELS[level]!)) return;
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
