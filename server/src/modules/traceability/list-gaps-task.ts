import type { TraceabilityAnalysis } from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import type { TraceOptions } from './examine-trace-task.js';
import type { PackedRows } from './packed-rows.js';
import type { TraceColumns } from './read-trace.js';

export interface ListGapsInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** `gaps`: as `ListedGap`, with requirements that no test reaches after the others. `analysis`: as `AnalysedGap`. */
  readonly as: 'gaps' | 'analysis';
}

export interface ListedGaps {
  /** Without its gaps. */
  readonly analysis: TraceabilityAnalysis;
  /** All gaps as the API shows them, most severe first. */
  readonly rows: PackedRows;
}

/** Loaded when it is asked for: no other task needs the schemas of the API. */
export const listGapsTask: EngineTask<ListGapsInput, ListedGaps> = {
  name: 'listGaps',
  processorSeconds: 120,
  work: async (input, context) => (await import('./list-gaps.js')).listGaps(input, context),
};
