import { DEFAULT_LIMITS } from '../documents/reading-limits.js';
import { type ReadingChild, startReadingChild } from '../documents/reading-process/reading-child.js';

let started: ReadingChild[] = [];

/**
 * Starts a reading process before the modules of a command are loaded, which takes as long as its start: both are ready together. It ends
 * with this process when no document is read after all.
 */
export function startFirstProcess(program?: URL): void {
  const child = startReadingChild(DEFAULT_LIMITS, program);
  child.rest();
  started = [child];
}

/** What was started, for the one reader that uses it. */
export function takeFirstProcess(): readonly ReadingChild[] {
  const taken = started;
  started = [];
  return taken;
}
