import { type Asil, asilRank } from '../../asil/asil.js';
import { checkDecomposition, isDecomposedPart } from '../../asil/decomposition.js';
import { MARK } from './edges.js';
import { addGap, addRemark, type Findings } from './findings.js';
import { FLAG, ROLE } from './nodes.js';
import { owes, type TraceGraph } from './trace-graph.js';

/** Shared elements are looked for as long as there is budget: the search is the only one that is not linear. */
const STEPS_PER_EDGE = 64;

/** Decompositions of goals and requirements: AI-03, 04, 05, 06, 07, 11 (domain E.6). */
export function examineDecompositions(graph: TraceGraph, findings: Findings): void {
  const { nodes, integrity } = graph;
  const { scale } = nodes;
  const analysed = withIndependenceEvidence(graph);
  const shared = sharedElementFinder(graph);
  for (let node = 0; node < nodes.defined; node++) {
    const role = nodes.role[node]!;
    if ((role !== ROLE.goal && role !== ROLE.requirement) || !owes(graph, node)) continue;
    const code = integrity[node]!;
    const parent = scale.codes[code]!.asil;
    if (!parent || scale.ownLevel[code] === 0) continue;
    const parts = decompositionOf(graph, node, parent);
    if (parts.length === 0) continue;
    const level = scale.severityLevel[code]!;
    const defects = checkDecomposition(
      parent,
      parts.map((part) => scale.codes[nodes.stated[part]!]!.asil!),
    );
    const others = parts.filter((part) => {
      const original = scale.codes[nodes.stated[part]!]!.asil!.original;
      return original && original !== (parent.original ?? parent.own) && !isOfOtherParent(graph, part);
    });
    for (const kind of defects)
      if (kind !== 'AI-04' || others.length > 0)
        addGap(findings, kind, { node, level, related: kind === 'AI-04' ? others : parts });
    // Without a valid scheme there is nothing to be independent.
    if (defects.includes('AI-03') || defects.includes('AI-05')) continue;
    const element = shared(parts, asilRank(parent.own));
    if (element === 'too many') addRemark(findings, 'shared_elements_not_examined', { node });
    else if (element) addGap(findings, 'AI-06', { node, level, related: element });
    if (!analysed[node] && !parts.some((part) => analysed[part])) {
      addGap(findings, 'AI-07', { node, level, related: parts });
    }
  }
}

/**
 * Children that make up a decomposition (domain E.6): linked by `decomposes_to`, or with a bracket and less than the
 * parent's level; X(X) only beside its QM(X). Children linked so that all carry the full level without bracket are
 * an ordinary refinement.
 */
function decompositionOf({ nodes, refinement }: TraceGraph, node: number, parent: Asil): readonly number[] {
  const { scale } = nodes;
  const { offsets, targets, edges } = refinement.backward;
  const parts: number[] = [];
  const full: number[] = [];
  let stated = false;
  let decomposed = false;
  let partnered = false;
  for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
    const child = targets[e]!;
    const asil = scale.codes[nodes.stated[child]!]!.asil;
    if (!asil || nodes.flags[child]! & FLAG.informational) continue;
    const linked = (refinement.marks[edges[e]!]! & MARK.decomposition) !== 0;
    if (linked || isDecomposedPart(parent, asil)) {
      parts.push(child);
      stated ||= linked;
      decomposed ||= asil.original !== undefined || asilRank(asil.own) < asilRank(parent.own);
      partnered ||= asil.own === 'QM' && asil.original !== undefined;
    } else if (asil.original !== undefined) full.push(child);
  }
  if (!decomposed) return [];
  const all = partnered ? [...parts, ...full] : parts;
  // What refines a part of another parent keeps its notation, and is no part of this one.
  const isRefined = all.length === 1 && !stated && isInherited({ nodes, refinement }, all[0]!);
  return isRefined ? [] : all;
}

/** The bracket of a part is the level of one of its goals: it serves several of them, and the highest one counts. */
function isOfOtherParent({ nodes, refinement }: TraceGraph, part: number): boolean {
  const { codes } = nodes.scale;
  const original = codes[nodes.stated[part]!]!.asil?.original;
  const { offsets, targets } = refinement.forward;
  let parents = 0;
  let isOriginal = false;
  for (let e = offsets[part]!; e < offsets[part + 1]!; e++) {
    const asil = codes[nodes.stated[targets[e]!]!]!.asil;
    if (!asil) continue;
    parents++;
    isOriginal ||= (asil.original ?? asil.own) === original;
  }
  return parents > 1 && isOriginal;
}

/** One of the parents has the same level and bracket. */
function isInherited(
  { nodes, refinement }: Pick<TraceGraph, 'nodes' | 'refinement'>,
  child: number,
): boolean {
  const { offsets, targets } = refinement.forward;
  for (let e = offsets[child]!; e < offsets[child + 1]!; e++)
    if (nodes.stated[targets[e]!] === nodes.stated[child]) return true;
  return false;
}

/** By node: 1 where evidence of independence is linked. */
function withIndependenceEvidence({ nodes, relations }: TraceGraph): Uint8Array {
  const kinds = new Set(nodes.rules.independence_evidence);
  const analysed = new Uint8Array(nodes.ids.length);
  const { offsets, targets } = relations.evidenced_by.backward;
  for (let node = 0; node < nodes.defined; node++) {
    if (offsets[node] === offsets[node + 1]) continue;
    const kind = nodes.artifacts[node]!.kind;
    if (kind === undefined || !kinds.has(kind.trim().toLowerCase())) continue;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) analysed[targets[e]!] = 1;
  }
  return analysed;
}

/**
 * Finds a design element that two sides of a decomposition share: the element first, then the parts. Parts on one element are
 * one side; where the sides that are left have elements of their own and still add up to the level, nothing is shared. An element that
 * carries the whole level counts for a part that has no other.
 */
function sharedElementFinder({ nodes, relations }: TraceGraph) {
  const { offsets, targets } = relations.realised_by.forward;
  const { backward } = relations.realised_by;
  const { codes } = nodes.scale;
  /** What both sides use and a requirement of the whole level is allocated to, as a common cut-off switch. */
  const carriesAll = (element: number, level: number): boolean => {
    for (let e = backward.offsets[element]!; e < backward.offsets[element + 1]!; e++) {
      const asil = codes[nodes.stated[backward.targets[e]!]!]!.asil;
      if (asil && asil.original === undefined && asilRank(asil.own) >= level) return true;
    }
    return false;
  };
  /** By element: which of the parts was the first there. */
  const host = new Int32Array(nodes.ids.length);
  const seenFor = new Int32Array(nodes.ids.length);
  let group = 0;
  let steps = STEPS_PER_EDGE * (nodes.ids.length + targets.length) + 1_000_000;
  return (parts: readonly number[], level: number): readonly number[] | 'too many' | undefined => {
    group++;
    const joined = parts.map((_, at) => at);
    const sideOf = (at: number): number => {
      let side = at;
      while (joined[side] !== side) side = joined[side] = joined[joined[side]!]!;
      return side;
    };
    let found: readonly number[] | undefined;
    for (const [at, part] of parts.entries()) {
      const own: number[] = [];
      const common: number[] = [];
      for (let e = offsets[part]!; e < offsets[part + 1]!; e++) {
        const element = targets[e]!;
        steps -= 1 + backward.offsets[element + 1]! - backward.offsets[element]!;
        if (steps <= 0) return 'too many';
        (carriesAll(element, level) ? common : own).push(element);
      }
      for (const element of own.length > 0 ? own : common) {
        if (seenFor[element] === group) {
          found ??= [element, parts[host[element]!]!, part];
          joined[sideOf(at)] = sideOf(host[element]!);
        } else {
          seenFor[element] = group;
          host[element] = at;
        }
      }
    }
    if (!found) return undefined;
    const carried = new Map<number, number>();
    for (const [at, part] of parts.entries()) {
      const rank = asilRank(codes[nodes.stated[part]!]!.asil!.own);
      carried.set(sideOf(at), Math.max(carried.get(sideOf(at)) ?? 0, rank));
    }
    const sum = [...carried.values()].reduce((all, rank) => all + rank, 0);
    return carried.size > 1 && sum >= level ? undefined : found;
  };
}
