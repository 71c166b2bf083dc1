import { isDecomposedPart } from '../../asil/decomposition.js';
import { MARK } from './edges.js';
import { addGap, type Findings } from './findings.js';
import { neighbours } from './graph.js';
import { asilCode, UNKNOWN } from './integrity.js';
import { ROLE } from './nodes.js';
import { levelOf, owes, type TraceGraph } from './trace-graph.js';

/** More parents than this are not named. */
const LISTED_PARENTS = 100;
const QM = asilCode({ own: 'QM' });

/** Rules about one artifact and its direct neighbours: AI-01, 02, 08, 09, 10, 12, 15, 16 (domain E.6). Linear. */
export function examineIntegrity(graph: TraceGraph, findings: Findings): void {
  const { nodes } = graph;
  const markedChildren = countMarkedChildren(graph);
  for (const { node, levels } of nodes.duplicates) {
    if (levels.length < 2 || !owes(graph, node)) continue;
    const level = Math.max(...levels.map((code) => nodes.scale.severityLevel[code]!));
    addGap(findings, 'AI-10', { node, level, levels });
  }
  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    const role = nodes.role[node]!;
    if (nodes.unclear.has(node)) addGap(findings, 'AI-15', { node, level: levelOf(graph, node) });
    if (role === ROLE.requirement || role === ROLE.goal) {
      compareWithParents(graph, findings, node);
      examineRefinement(graph, findings, node);
    }
    if (role === ROLE.requirement) examineBracket(graph, findings, { node, markedChildren });
    if (role === ROLE.design) examineElement(graph, findings, node);
  }
}

/** AI-01, AI-02, AI-09. */
function compareWithParents(graph: TraceGraph, findings: Findings, node: number): void {
  const { nodes, refinement, integrity } = graph;
  const { scale } = nodes;
  const own = nodes.stated[node]!;
  const { offsets, targets } = refinement.forward;
  let highest = UNKNOWN;
  let highestOwn = -1;
  let violated: number[] | undefined;
  let violatedLevel = 0;
  let demanded = UNKNOWN;
  let everyPart = true;
  for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
    const parent = targets[e]!;
    const above = integrity[parent]!;
    if (above === UNKNOWN) continue;
    if (own === UNKNOWN) {
      if (scale.order[above]! > scale.order[highest]!) highest = above;
      continue;
    }
    if (scale.scheme[above] !== scale.scheme[own]) continue;
    if (scale.ownLevel[above]! > highestOwn) {
      highestOwn = scale.ownLevel[above]!;
      highest = above;
    }
    if (isPart(graph, { child: own, parent: above, mark: refinement.marks[e]! })) continue;
    everyPart = false;
    // Goals are held against their hazardous events by AI-14.
    if (scale.ownLevel[own]! >= scale.ownLevel[above]! || nodes.role[parent] === ROLE.hazard) continue;
    violated ??= [];
    if (violated.length < LISTED_PARENTS) violated.push(parent);
    violatedLevel = Math.max(violatedLevel, scale.severityLevel[above]!);
    if (scale.ownLevel[above]! > scale.ownLevel[demanded]! || demanded === UNKNOWN) demanded = above;
  }
  if (own === UNKNOWN) {
    const level = scale.severityLevel[highest]!;
    if (highest === UNKNOWN || level === 0 || nodes.unclear.has(node)) return;
    const related = parentsWith(graph, node, (code) => code === highest);
    addGap(findings, 'AI-01', { node, level, related, required: highest });
  } else if (violated) {
    addGap(findings, 'AI-02', { node, level: violatedLevel, related: violated, required: demanded });
  } else if (!everyPart && highestOwn >= 0 && scale.ownLevel[own]! > highestOwn) {
    const related = parentsWith(graph, node, (code) => code === highest);
    addGap(findings, 'AI-09', { node, level: scale.severityLevel[highest]!, related, required: highest });
  }
}

function parentsWith(
  { refinement, integrity }: TraceGraph,
  node: number,
  fits: (code: number) => boolean,
): number[] {
  const found: number[] = [];
  for (const parent of neighbours(refinement.forward, node)) {
    if (found.length < LISTED_PARENTS && fits(integrity[parent]!)) found.push(parent);
  }
  return found;
}

/** Whether a child is a part of a decomposition of its parent: by its notation, or linked so and lower or bracketed. */
function isPart(
  { nodes: { scale } }: TraceGraph,
  { child, parent, mark }: { child: number; parent: number; mark: number },
): boolean {
  const childAsil = scale.codes[child]!.asil;
  const parentAsil = scale.codes[parent]!.asil;
  if (!childAsil || !parentAsil) return false;
  if (isDecomposedPart(parentAsil, childAsil)) return true;
  if ((mark & MARK.decomposition) === 0) return false;
  return childAsil.original !== undefined || scale.ownLevel[child]! < scale.ownLevel[parent]!;
}

/** AI-16: everything that an artifact with an integrity level is refined into is QM. */
function examineRefinement(
  { nodes, refinement, integrity }: TraceGraph,
  findings: Findings,
  node: number,
): void {
  const { scale } = nodes;
  const code = integrity[node]!;
  if (scale.scheme[code] !== 1 || scale.ownLevel[code] === 0) return;
  const children = neighbours(refinement.backward, node);
  if (children.length === 0 || !children.every((child) => nodes.stated[child] === QM)) return;
  addGap(findings, 'AI-16', { node, level: scale.severityLevel[code]!, related: children });
}

/** By node: children whose level is written with a bracket. */
function countMarkedChildren({ nodes, refinement }: TraceGraph): Int32Array {
  const counts = new Int32Array(nodes.ids.length);
  const { offsets, targets } = refinement.forward;
  for (let node = 0; node < nodes.defined; node++) {
    if (!nodes.scale.codes[nodes.stated[node]!]!.asil?.original) continue;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) counts[targets[e]!]!++;
  }
  return counts;
}

/** AI-12: a bracket that stands for no decomposition. */
function examineBracket(
  { nodes, refinement, integrity }: TraceGraph,
  findings: Findings,
  { node, markedChildren }: { node: number; markedChildren: Int32Array },
): void {
  const { scale } = nodes;
  const original = scale.codes[nodes.stated[node]!]!.asil?.original;
  if (!original) return;
  const explained = neighbours(refinement.forward, node).some((parent) => {
    const asil = scale.codes[integrity[parent]!]!.asil;
    const outside = nodes.role[parent] === ROLE.stub;
    return outside || markedChildren[parent]! >= 2 || (asil?.original ?? asil?.own) === original;
  });
  if (!explained) {
    addGap(findings, 'AI-12', { node, level: scale.severityLevel[nodes.stated[node]!]! });
  }
}

/** AI-08: a design element below what is allocated to it. */
function examineElement({ nodes, relations, integrity }: TraceGraph, findings: Findings, node: number): void {
  const { scale } = nodes;
  const own = nodes.stated[node]!;
  if (own === UNKNOWN) return;
  const hosted = neighbours(relations.realised_by.backward, node);
  let required = UNKNOWN;
  for (const one of hosted) {
    const code = integrity[one]!;
    if (scale.scheme[code] !== scale.scheme[own]) continue;
    if (required === UNKNOWN || scale.ownLevel[code]! > scale.ownLevel[required]!) required = code;
  }
  const level = scale.ownLevel[required]!;
  if (required === UNKNOWN || scale.ownLevel[own]! >= level) return;
  const related = hosted.filter(
    (one) => scale.scheme[integrity[one]!] === scale.scheme[own] && scale.ownLevel[integrity[one]!] === level,
  );
  addGap(findings, 'AI-08', { node, level, related, required });
}
