import { unpackDocument } from '../documents/parsed-document.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type Comparison, compareVersions } from './comparison.js';

export interface CompareVersionsInput {
  /** See `packDocument`. */
  readonly base: Uint8Array;
  readonly head: Uint8Array;
}

/** Compares two versions as they were read. */
export const compareVersionsTask: EngineTask<CompareVersionsInput, Comparison> = {
  name: 'compareVersions',
  processorSeconds: 120,
  work: async ({ base, head }) => {
    const [older, newer] = [await unpackDocument(base), await unpackDocument(head)];
    return { result: compareVersions(older.blocks, newer.blocks) };
  },
};
