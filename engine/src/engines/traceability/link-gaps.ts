import { say } from '../../sentences/sentence.js';

import { addGap, type Findings } from './findings.js';
import type { LinkDefect } from './link-defect.js';
import { type Obligations, OWES } from './obligations.js';
import { inLoop, levelOf, type TraceGraph } from './trace-graph.js';

/** Gaps for links that are no edges, for skipped levels and for loops (domain E.2, E.4). */
export function examineLinks(
  graph: TraceGraph,
  findings: Findings,
  { defects, obligations }: { readonly defects: readonly LinkDefect[]; readonly obligations: Obligations },
): void {
  for (const { kind, node, other, missing, link, upward } of defects) {
    const orphan = obligations.owed[node]! & ~obligations.met[node]! & OWES.upstream;
    const note = upward && orphan && !inLoop(graph, node) ? { note: say('trace.no-other-parent') } : {};
    addGap(findings, kind, {
      node,
      level: levelOf(graph, node),
      link,
      ...(other !== undefined ? { related: [other] } : {}),
      ...(missing !== undefined ? { missing } : {}),
      ...note,
    });
  }
  examineLoops(graph, findings);
}

/** One gap for each loop, on its first member, with the severity of its highest. */
function examineLoops(graph: TraceGraph, findings: Findings): void {
  const { of, sizes } = graph.components;
  const members = new Map<number, number[]>();
  for (let node = 0; node < of.length; node++) {
    if (sizes[of[node]!]! < 2) continue;
    const known = members.get(of[node]!);
    if (known) known.push(node);
    else members.set(of[node]!, [node]);
  }
  for (const related of members.values()) {
    const level = related.reduce((highest, node) => Math.max(highest, levelOf(graph, node)), 0);
    addGap(findings, 'cycle', { node: related[0]!, level, related });
  }
}
