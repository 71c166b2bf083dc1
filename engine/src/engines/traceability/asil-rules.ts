import { asilRank } from '../../asil/asil.js';
import { belowParents, type ComparedParent, isPartOf } from '../../contradictions/level-rules.js';
import type { Artifact } from '../../facts/artifacts/artifact.js';
import { isReasonedLevel, tellsTheDriver } from '../../facts/stated/state-words.js';
import { MARK } from './edges.js';
import { addGap, type Findings } from './findings.js';
import { neighbours } from './graph.js';
import { asilCode, type IntegrityCode, knownLevel, UNKNOWN } from './integrity.js';
import { ROLE } from './nodes.js';
import { levelOf, owes, type TraceGraph } from './trace-graph.js';

/** More parents than this are not named. */
const LISTED_PARENTS = 100;
const QM = asilCode({ own: 'QM' });

/** Rules about one artifact and its direct neighbours: AI-01, 02, 08, 09, 10, 12, 15, 16 (domain E.6). Linear. */
export function examineIntegrity(graph: TraceGraph, findings: Findings): void {
  const { nodes } = graph;
  const markedChildren = countMarkedChildren(graph);
  const kindsOf = parentKinds(graph);
  for (const { node, differing } of nodes.duplicates) {
    if (!differing || !owes(graph, node)) continue;
    addGap(findings, 'AI-10', { node, level: asilRank(differing.grade), levels: differing.levels });
  }
  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    const role = nodes.role[node]!;
    if (nodes.unclear.has(node)) addGap(findings, 'AI-15', { node, level: levelOf(graph, node) });
    if (role === ROLE.requirement || role === ROLE.goal) {
      compareWithParents(graph, findings, { node, kinds: kindsOf(node) });
      examineRefinement(graph, findings, node);
    }
    if (role === ROLE.requirement) examineBracket(graph, findings, { node, markedChildren });
    if (role === ROLE.design) examineElement(graph, findings, node);
  }
}

interface ParentNode extends ComparedParent {
  readonly node: number;
  readonly code: IntegrityCode;
}

/** AI-01, AI-02, AI-09. What is wrong shows in one parent of each kind; only then all of them are looked at. */
function compareWithParents(
  graph: TraceGraph,
  findings: Findings,
  { node, kinds }: { readonly node: number; readonly kinds: readonly ParentNode[] },
): void {
  const { nodes } = graph;
  const { scale } = nodes;
  const own = knownLevel(scale, nodes.stated[node]!)?.level;
  if (!own) {
    const highest = kinds.reduce(
      (best, { code }) => (scale.order[code]! > scale.order[best]! ? code : best),
      UNKNOWN,
    );
    const level = scale.severityLevel[highest]!;
    if (highest === UNKNOWN || level === 0 || nodes.unclear.has(node)) return;
    const related = withCode(parentsOf(graph, node), highest);
    addGap(findings, 'AI-01', { node, level, related, required: highest });
    return;
  }
  // Goals are held against their hazardous events by AI-14.
  const isNoEvent = (parent: ParentNode) => nodes.role[parent.node] !== ROLE.hazard;
  if (belowParents(own, kinds.filter(isNoEvent))) {
    const short = belowParents(own, parentsOf(graph, node).filter(isNoEvent))!;
    const related = short.parents.slice(0, LISTED_PARENTS).map((parent) => parent.node);
    addGap(findings, 'AI-02', {
      node,
      // What only tells the driver, or says why it has less, may have less: it is weighed by its own level.
      level: mayHaveLess(nodes.artifacts[node]!) ? own.rank : asilRank(short.grade),
      related,
      required: short.demanding.code,
    });
    return;
  }
  const compared = kinds.filter(({ level }) => level.scheme === own.scheme);
  if (compared.every((parent) => isPartOf(own, parent))) return;
  const highest = compared.reduce((best, one) => (one.level.rank > best.level.rank ? one : best));
  if (own.rank <= highest.level.rank) return;
  addGap(findings, 'AI-09', {
    node,
    level: asilRank(highest.level.grade),
    related: withCode(parentsOf(graph, node), highest.code),
    required: highest.code,
  });
}

/** It only tells the driver, or its level gives a reason: "A (measure against latent faults)". */
function mayHaveLess({ text = '', asil = '' }: Partial<Artifact>): boolean {
  return tellsTheDriver(text) || isReasonedLevel(asil);
}

/** The first parent of each kind, in their order: of one level, linked alike, a hazardous event or none. */
function parentKinds({ nodes, refinement, integrity }: TraceGraph): (node: number) => readonly ParentNode[] {
  const { offsets, targets } = refinement.forward;
  const seenFor = new Int32Array(4 * nodes.scale.codes.length).fill(-1);
  return (node) => {
    const kinds: ParentNode[] = [];
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      const parent = targets[e]!;
      const code = integrity[parent]!;
      const decomposition = (refinement.marks[e]! & MARK.decomposition) !== 0;
      const kind = 4 * code + 2 * Number(decomposition) + Number(nodes.role[parent] === ROLE.hazard);
      if (seenFor[kind] === node) continue;
      seenFor[kind] = node;
      const known = knownLevel(nodes.scale, code);
      if (known) kinds.push({ node: parent, code, level: known.level, decomposition });
    }
    return kinds;
  };
}

/** Parents whose level is known, with how they are linked. */
function parentsOf({ nodes, refinement, integrity }: TraceGraph, node: number): ParentNode[] {
  const { offsets, targets } = refinement.forward;
  const parents: ParentNode[] = [];
  for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
    const parent = targets[e]!;
    const known = knownLevel(nodes.scale, integrity[parent]!);
    if (!known) continue;
    const decomposition = (refinement.marks[e]! & MARK.decomposition) !== 0;
    parents.push({ node: parent, code: known.code, level: known.level, decomposition });
  }
  return parents;
}

const withCode = (parents: readonly ParentNode[], code: IntegrityCode): number[] =>
  parents
    .filter((parent) => parent.code === code)
    .slice(0, LISTED_PARENTS)
    .map(({ node }) => node);

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
