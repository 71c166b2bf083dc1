/** Edges from node to node in rows: the targets of node `i` are `targets[offsets[i]] … targets[offsets[i + 1] - 1]`. */
export interface Adjacency {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

/** The other direction of an adjacency. */
export interface BackwardAdjacency extends Adjacency {
  /** Position of each edge in the forward direction. */
  readonly edges: Int32Array;
}

/** One relation in both directions; every pair of nodes is in it once. */
export interface Relation {
  readonly forward: Adjacency;
  readonly backward: BackwardAdjacency;
  /** By forward position: marks of all statements of the edge together. */
  readonly marks: Uint8Array;
  /** By forward position: the first link that states it. */
  readonly links: Int32Array;
}

/** Edges as they were found, with repetitions; arrays of the same length. */
export interface EdgeList {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly marks: Uint8Array;
  /** By edge: the link that states it; its own position where this is absent. */
  readonly links?: Int32Array;
  /** Number of edges. */
  readonly size: number;
}

/** Edges of several relations, one list for all of them. */
export interface MixedEdges extends Omit<EdgeList, 'size'> {
  /** By edge: which relation it is of; others than there are counts for are left out. */
  readonly kinds: Uint8Array;
  /** Number of edges of each. */
  readonly counts: readonly number[];
}

/**
 * Sorts edges into rows and lets repetitions collapse, their marks joined. Linear; keeps the order of first mention. Uses up `from` and
 * `to`, which hold the other direction afterwards.
 */
export function buildRelation(nodes: number, { size, ...edges }: EdgeList): Relation {
  return buildRelations(nodes, { ...edges, kinds: new Uint8Array(size), counts: [size] })[0]!;
}

/** The same of several relations at once: the edges are looked at twice, however many relations they are of. */
export function buildRelations(nodes: number, edges: MixedEdges): readonly Relation[] {
  const { from, to, kinds, counts } = edges;
  const all = kinds.length;
  const relations = counts.length;
  // A row for each node of each relation, those of one relation after those of the one before.
  const starts = new Int32Array(relations * nodes + 1);
  for (let e = 0; e < all; e++) if (kinds[e]! < relations) starts[kinds[e]! * nodes + from[e]! + 1]!++;
  for (let i = 0; i < relations * nodes; i++) starts[i + 1]! += starts[i]!;
  const size = starts[relations * nodes]!;
  const next = starts.slice(0, relations * nodes);
  const targets = new Int32Array(size);
  const marks = new Uint8Array(size);
  const links = new Int32Array(size);
  // Rows whose targets only rise, as those of most exports do, repeat none.
  const isRising = counts.map(() => true);
  for (let e = 0; e < all; e++) {
    const kind = kinds[e]!;
    if (kind >= relations) continue;
    const row = kind * nodes + from[e]!;
    const at = next[row]!++;
    const target = to[e]!;
    if (at > starts[row]! && targets[at - 1]! >= target) isRising[kind] = false;
    targets[at] = target;
    marks[at] = edges.marks[e]!;
    links[at] = edges.links ? edges.links[e]! : e;
  }
  return isRising.map((rises, kind) => {
    const offsets = starts.slice(kind * nodes, (kind + 1) * nodes + 1);
    const first = offsets[0]!;
    const end = offsets[nodes]!;
    if (first > 0) for (let i = 0; i <= nodes; i++) offsets[i]! -= first;
    const rows = {
      offsets,
      targets: targets.subarray(first, end),
      marks: marks.subarray(first, end),
      links: links.subarray(first, end),
    };
    const into = { sources: from.subarray(first, end), edges: to.subarray(first, end) };
    return bothWays(rises ? rows : withoutRepetitions(rows), into);
  });
}

/** Edges in rows, with their marks and links. */
type Rows = Adjacency & Pick<Relation, 'marks' | 'links'>;

/** Room for the other direction. */
interface Room {
  readonly sources: Int32Array;
  readonly edges: Int32Array;
}

const bothWays = ({ marks, links, ...forward }: Rows, into: Room): Relation => ({
  forward,
  backward: reverse(forward, into),
  marks,
  links,
});

/** Each edge where it is first mentioned, in the arrays given: there are never more than have been read. */
function withoutRepetitions({ offsets: starts, targets, marks, links }: Rows): Rows {
  const nodes = starts.length - 1;
  const offsets = new Int32Array(nodes + 1);
  const positions = new Int32Array(nodes).fill(-1);
  let count = 0;
  for (let i = 0; i < nodes; i++) {
    offsets[i] = count;
    const first = count;
    for (let at = starts[i]!; at < starts[i + 1]!; at++) {
      const target = targets[at]!;
      const mark = marks[at]!;
      const known = positions[target]!;
      if (known >= first) {
        marks[known]! |= mark;
        continue;
      }
      positions[target] = count;
      targets[count] = target;
      marks[count] = mark;
      links[count] = links[at]!;
      count++;
    }
  }
  offsets[nodes] = count;
  return {
    offsets,
    targets: targets.subarray(0, count),
    marks: marks.subarray(0, count),
    links: links.subarray(0, count),
  };
}

/** The same edges the other way round. */
function reverse({ offsets, targets }: Adjacency, into: Room): BackwardAdjacency {
  const nodes = offsets.length - 1;
  const starts = new Int32Array(nodes + 1);
  for (let e = 0; e < targets.length; e++) starts[targets[e]! + 1]!++;
  for (let i = 0; i < nodes; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice(0, nodes);
  const sources = into.sources.subarray(0, targets.length);
  const edges = into.edges.subarray(0, targets.length);
  for (let i = 0; i < nodes; i++) {
    for (let e = offsets[i]!; e < offsets[i + 1]!; e++) {
      const at = next[targets[e]!]!++;
      sources[at] = i;
      edges[at] = e;
    }
  }
  return { offsets: starts, targets: sources, edges };
}

/** A relation without the edges for which `drop` says so. */
export function withoutEdges(relation: Relation, drop: (from: number, to: number) => boolean): Relation {
  const { offsets, targets } = relation.forward;
  const from = new Int32Array(targets.length);
  const to = new Int32Array(targets.length);
  const marks = new Uint8Array(targets.length);
  const links = new Int32Array(targets.length);
  let size = 0;
  for (let i = 0; i < offsets.length - 1; i++) {
    for (let e = offsets[i]!; e < offsets[i + 1]!; e++) {
      if (drop(i, targets[e]!)) continue;
      from[size] = i;
      to[size] = targets[e]!;
      marks[size] = relation.marks[e]!;
      links[size++] = relation.links[e]!;
    }
  }
  return buildRelation(offsets.length - 1, { from, to, marks, links, size });
}

/** Number of neighbours. */
export function degree({ offsets }: Adjacency, node: number): number {
  return offsets[node + 1]! - offsets[node]!;
}

/** Neighbours as a view: valid as long as the graph, not to be changed. */
export function neighbours({ offsets, targets }: Adjacency, node: number): Int32Array {
  return targets.subarray(offsets[node]!, offsets[node + 1]!);
}
