import type { Adjacency } from './graph.js';

/** Strongly connected components of a graph. */
export interface Components {
  /** Component of each node. */
  readonly of: Int32Array;
  /** Number of nodes by component. */
  readonly sizes: Int32Array;
  /** All nodes; what a node points at comes before it, except within its component. */
  readonly order: Int32Array;
}

/** Tarjan's algorithm without recursion, over the union of the adjacencies given. Linear. */
export function componentsOf(nodes: number, graphs: readonly Adjacency[]): Components {
  const of = new Int32Array(nodes).fill(-1);
  const sizes: number[] = [];
  const order = new Int32Array(nodes);
  let ordered = 0;
  const index = new Int32Array(nodes).fill(-1);
  const low = new Int32Array(nodes);
  const open = new Int32Array(nodes);
  let openSize = 0;
  const path = new Int32Array(nodes);
  const graphAt = new Uint8Array(nodes);
  const edgeAt = new Int32Array(nodes);
  let next = 0;

  for (let root = 0; root < nodes; root++) {
    if (index[root] !== -1) continue;
    let depth = 0;
    path[0] = root;
    index[root] = low[root] = next++;
    open[openSize++] = root;
    edgeAt[root] = graphs[0]!.offsets[root]!;
    while (depth >= 0) {
      const node = path[depth]!;
      const graph = graphs[graphAt[node]!]!;
      if (edgeAt[node]! < graph.offsets[node + 1]!) {
        const target = graph.targets[edgeAt[node]!++]!;
        if (index[target] === -1) {
          index[target] = low[target] = next++;
          open[openSize++] = target;
          edgeAt[target] = graphs[0]!.offsets[target]!;
          path[++depth] = target;
        } else if (of[target] === -1 && index[target]! < low[node]!) low[node] = index[target]!;
        continue;
      }
      const following = graphAt[node]! + 1;
      if (following < graphs.length) {
        graphAt[node] = following;
        edgeAt[node] = graphs[following]!.offsets[node]!;
        continue;
      }
      depth--;
      if (depth >= 0 && low[node]! < low[path[depth]!]!) low[path[depth]!] = low[node]!;
      if (low[node] !== index[node]) continue;
      const component = sizes.length;
      let size = 0;
      for (;;) {
        const member = open[--openSize]!;
        of[member] = component;
        order[ordered++] = member;
        size++;
        if (member === node) break;
      }
      sizes.push(size);
    }
  }
  return { of, sizes: Int32Array.from(sizes), order };
}
