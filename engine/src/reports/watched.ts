import type { Block } from './layout/block.js';

/** Hears how much of a file is written, and of how much; the whole is told last. */
export type ToldOfWriting = (written: number, total: number) => void;

/** Times that are told, about. */
const STEPS = 100;

/** A table takes as long as it has rows. */
const weightOf = (block: Block): number => (block.kind === 'table' ? 1 + block.rows.length : 1);

/** The blocks of a report while they are written. Where somebody wants to hear of it they are made once before, to be counted. */
export function* watched(write: () => Iterable<Block>, told?: ToldOfWriting): Generator<Block> {
  if (!told) {
    yield* write();
    return;
  }
  let total = 0;
  for (const block of write()) total += weightOf(block);
  let written = 0;
  let next = 0;
  for (const block of write()) {
    yield block;
    written += weightOf(block);
    if (written < next && written < total) continue;
    told(written, total);
    next = written + total / STEPS;
  }
}
