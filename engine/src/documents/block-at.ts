import type { Block, Document } from './document.js';

/** The block that a place of the text stands in: the last one that begins there or before. Undefined without blocks. */
export function blockAt({ blocks }: Document, start: number): Block | undefined {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle]!.start <= start) low = middle;
    else high = middle - 1;
  }
  return blocks[low];
}
