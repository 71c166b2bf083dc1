import { unpackDocument } from '../documents/parsed-document.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type Passage, toPassages } from './passages.js';

/** Takes a parsed document (see `packDocument`) into passages, in a process: long ones take a while to unpack. */
export const findPassagesTask: EngineTask<Uint8Array, readonly Passage[]> = {
  name: 'findPassages',
  processorSeconds: 120,
  work: async (packed) => ({ result: toPassages(await unpackDocument(packed)) }),
};
