import {
  type Evidence,
  type Finding,
  type TraceabilityAnalysis,
  type TraceGap,
  traceFindings,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { readTrace, type TraceColumns } from './read-trace.js';
import { askPlaces, type PlaceRow } from './trace-places.js';

export interface FindInTraceInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
}

export interface FoundInTrace {
  /** Without its gaps. */
  readonly analysis: TraceabilityAnalysis;
  /** One for each cause of the listed gaps, in their order. */
  readonly findings: readonly Finding[];
}

/** Examines a trace and makes findings of its gaps, with the places that it asks for. */
export const findInTraceTask: EngineTask<FindInTraceInput, FoundInTrace> = {
  name: 'findInTrace',
  work: async ({ workspaceId, columns, options }, context) => {
    const trace = readTrace(columns);
    const { analysis } = await examine(trace, options);
    const { gaps } = analysis;
    const places = await askPlaces(gaps, { workspaceId, links: trace.links }, context);
    const findings = traceFindings(gaps, (position) => evidenceOf(gaps[position]!, places[position] ?? null));
    return { result: { analysis: { ...analysis, gaps: [] }, findings } };
  },
};

/** The quote from the place of a gap; none where a person added what it is about. */
function evidenceOf({ kind }: TraceGap, place: PlaceRow | null): readonly Evidence[] {
  if (!place || place.quote === '') return [];
  const { work_product_id, location, quote, start, end } = place;
  const role = kind === 'negative_result' ? 'counter' : 'context';
  return [{ documentId: work_product_id, location, quote, start, end, role }];
}
