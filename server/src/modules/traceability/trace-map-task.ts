import type { Coverage, TraceabilityExamination, TraceMap } from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { readTrace, type TraceColumns } from './read-trace.js';
import { BETWEEN } from './trace-columns.js';

export interface TraceMapInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
}

/** A map whose ids travel as one text. */
export interface PackedMap extends Omit<TraceMap, 'ids'>, WholeTrace {
  readonly ids: string;
}

/** What is told of the whole trace. */
export interface WholeTrace {
  readonly totalGaps: number;
  /** Share in percent; null where nothing is owed. */
  readonly coverage: number | null;
  readonly endToEnd: Coverage;
}

/** Examines a trace and answers it as numbers. */
export const traceMapTask: EngineTask<TraceMapInput, PackedMap> = {
  name: 'traceMap',
  processorSeconds: 120,
  work: async ({ columns, options }) => {
    const examination = await examine(readTrace(columns), { ...options, listedPerType: 0 });
    return { result: packedMap(examination) };
  },
};

export function packedMap(examination: TraceabilityExamination): PackedMap {
  const { ids, ...map } = examination.map();
  const { totalGaps, coverage } = examination.analysis;
  const whole = { totalGaps, coverage: coverage.overall.percentage, endToEnd: coverage.endToEnd };
  return { ...map, ...whole, ids: ids.join(BETWEEN) };
}
