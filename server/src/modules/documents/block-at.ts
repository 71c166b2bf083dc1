import type { Block } from '@normtrace/engine';

/** The block that holds a position, else the last one before it. */
export function blockAt(blocks: readonly Block[], position: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle]!.start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
