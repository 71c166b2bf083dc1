import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import { componentsOf } from './cycles.js';
import type { TraceGraph } from './trace-graph.js';

/** Which artifacts reach which others going down: through refinement, realisation, verification and evidence. */
export interface TracePairs {
  readonly rowIds: readonly string[];
  readonly columnIds: readonly string[];
  /** One per row, in order: positions of the columns that it reaches. Valid until the next row is asked for. */
  rows(): IterableIterator<Int32Array>;
}

/** Rows that go down together, one bit each. */
const BATCH = 32;

/**
 * The full matrix of two sets of artifacts, a batch of rows at a time: memory is linear in artifacts, links and
 * columns, whatever the number of pairs. Loops are no obstacle.
 */
export function tracePairs(
  graph: TraceGraph,
  { rows, columns }: { readonly rows: readonly ArtifactType[]; readonly columns: readonly ArtifactType[] },
): TracePairs {
  const { nodes, relations } = graph;
  const down = [
    relations.refines.backward,
    relations.realised_by.forward,
    relations.verified_by.forward,
    relations.evidenced_by.forward,
  ];
  const rowNodes = nodesOf(graph, rows);
  const columnNodes = nodesOf(graph, columns);
  return {
    rowIds: rowNodes.map((node) => nodes.ids[node]!),
    columnIds: columnNodes.map((node) => nodes.ids[node]!),
    *rows() {
      const components = componentsOf(nodes.ids.length, down);
      const masks = new Int32Array(nodes.ids.length);
      const hits = Array.from({ length: BATCH }, () => new Int32Array(columnNodes.length));
      const counts = new Int32Array(BATCH);
      for (let first = 0; first < rowNodes.length; first += BATCH) {
        const batch = Math.min(BATCH, rowNodes.length - first);
        masks.fill(0);
        for (let bit = 0; bit < batch; bit++) masks[rowNodes[first + bit]!]! |= 1 << bit;
        passDown(masks, components.order);
        counts.fill(0);
        for (let column = 0; column < columnNodes.length; column++) {
          let mask = masks[columnNodes[column]!]!;
          while (mask !== 0) {
            const bit = 31 - Math.clz32(mask);
            mask &= ~(1 << bit);
            // An artifact does not reach itself by being itself.
            if (rowNodes[first + bit] !== columnNodes[column]) hits[bit]![counts[bit]!++] = column;
          }
        }
        for (let bit = 0; bit < batch; bit++) yield hits[bit]!.subarray(0, counts[bit]!);
      }

      /** Each node hands its rows to all below; the members of a loop share theirs. */
      function passDown(mask: Int32Array, order: Int32Array): void {
        let end = order.length;
        while (end > 0) {
          const component = components.of[order[end - 1]!]!;
          const start = end - components.sizes[component]!;
          let together = 0;
          for (let i = start; i < end; i++) together |= mask[order[i]!]!;
          if (together !== 0) {
            for (let i = start; i < end; i++) {
              const node = order[i]!;
              mask[node] = together;
              for (let d = 0; d < down.length; d++) {
                const { offsets, targets } = down[d]!;
                const last = offsets[node + 1]!;
                for (let e = offsets[node]!; e < last; e++) mask[targets[e]!]! |= together;
              }
            }
          }
          end = start;
        }
      }
    },
  };
}

function nodesOf({ nodes }: TraceGraph, types: readonly ArtifactType[]): number[] {
  const wanted = new Set(types);
  const found: number[] = [];
  for (let node = 0; node < nodes.defined; node++) {
    if (wanted.has(nodes.artifacts[node]!.type)) found.push(node);
  }
  return found;
}
