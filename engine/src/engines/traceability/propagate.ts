import type { Adjacency } from './graph.js';

/**
 * Gives every node the highest value of itself and of all nodes from which it can be reached, in place.
 * Values are small (0 to 255); loops do no harm: the highest value goes first and each node takes a value once.
 * @param takes Nodes that take a value from others; all when absent. A node that takes none passes on its own only.
 */
export function propagateHighest(
  values: Uint8Array,
  along: readonly Adjacency[],
  takes?: (node: number) => boolean,
): void {
  const starts = new Int32Array(257);
  for (const value of values) starts[value + 1]!++;
  for (let v = 0; v < 256; v++) starts[v + 1]! += starts[v]!;
  const byValue = new Int32Array(values.length);
  const next = starts.slice(0, 256);
  for (let node = 0; node < values.length; node++) byValue[next[values[node]!]!++] = node;

  const done = new Uint8Array(values.length);
  const queue = new Int32Array(values.length);
  for (let value = 255; value > 0; value--) {
    let size = 0;
    for (let at = starts[value]!; at < starts[value + 1]!; at++) {
      const node = byValue[at]!;
      if (done[node]) continue;
      done[node] = 1;
      queue[size++] = node;
    }
    for (let at = 0; at < size; at++) {
      const node = queue[at]!;
      for (let direction = 0; direction < along.length; direction++) {
        const { offsets, targets } = along[direction]!;
        const end = offsets[node + 1]!;
        for (let e = offsets[node]!; e < end; e++) {
          const target = targets[e]!;
          if (done[target] || (takes && !takes(target))) continue;
          values[target] = value;
          done[target] = 1;
          queue[size++] = target;
        }
      }
    }
  }
}
