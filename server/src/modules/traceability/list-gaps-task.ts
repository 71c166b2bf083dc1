import type { EngineTask } from '../engine/engine-task.js';
import type { ListedGaps, ListGapsInput } from './list-gaps.js';

/** Loaded when it is asked for: no other task needs the schemas of the API. */
export const listGapsTask: EngineTask<ListGapsInput, ListedGaps> = {
  name: 'listGaps',
  processorSeconds: 120,
  work: async (input, context) => (await import('./list-gaps.js')).listGaps(input, context),
};
