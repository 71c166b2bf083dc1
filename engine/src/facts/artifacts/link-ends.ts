import type { LinkEnds } from './trace-link.js';

/** Ends of links that are still being found. */
export interface EndList {
  add(source: number, target: number): void;
  /** All that were added. */
  whole(): LinkEnds;
}

/** An empty list. */
export function endList(): EndList {
  let sources = new Int32Array(1024);
  let targets = new Int32Array(1024);
  let size = 0;
  return {
    add(source, target) {
      if (size === sources.length) {
        sources = doubled(sources);
        targets = doubled(targets);
      }
      sources[size] = source;
      targets[size] = target;
      size++;
    },
    whole: () => ({ sources: sources.subarray(0, size), targets: targets.subarray(0, size) }),
  };
}

/** The same with as much room again. */
export function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * numbers.length);
  longer.set(numbers);
  return longer;
}
