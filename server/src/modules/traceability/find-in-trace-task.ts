import {
  type AnalysisScope,
  dueGaps,
  type Evidence,
  type Finding,
  type NotDue,
  outsideByPerson,
  outsideOfProject,
  type TraceabilityAnalysis,
  type TraceGap,
  traceFindings,
} from '@normtrace/engine';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import type { EngineTask } from '../engine/engine-task.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { readTrace, type TraceColumns } from './read-trace.js';
import { askPlaces, type PlaceRow } from './trace-places.js';

export interface FindInTraceInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** Phase of the project and what is not done in it. */
  readonly scope: AnalysisScope;
  /** Documents that may be plans: they say what the project leaves out or has for later. */
  readonly plans: readonly PackedDocument[];
}

export interface FoundInTrace {
  /** Without its gaps. */
  readonly analysis: TraceabilityAnalysis;
  /** One for each cause of the listed gaps, in their order. */
  readonly findings: readonly Finding[];
  /** What is not due: by the word of a person, and by the plans. */
  readonly notDue: readonly NotDue[];
}

/** Examines a trace and makes findings of its gaps, with the places that it asks for. */
export const findInTraceTask: EngineTask<FindInTraceInput, FoundInTrace> = {
  name: 'findInTrace',
  work: async ({ workspaceId, columns, options, scope, plans }, context) => {
    const trace = readTrace(columns);
    const { analysis } = await examine(trace, options);
    const documents = await unpackDocuments(plans, context, () => undefined);
    const outside = documents.length > 0 ? await outsideOfProject(documents, scope) : outsideByPerson(scope);
    const { due: gaps, notDue } = dueGaps(analysis.gaps, outside);
    const places = await askPlaces(gaps, { workspaceId, links: trace.links }, context);
    const findings = traceFindings(gaps, (position) => evidenceOf(gaps[position]!, places[position] ?? null));
    return { result: { analysis: { ...analysis, gaps: [] }, findings, notDue } };
  },
};

/** The quote from the place of a gap; none where a person added what it is about. */
function evidenceOf({ kind }: TraceGap, place: PlaceRow | null): readonly Evidence[] {
  if (!place || place.quote === '') return [];
  const { work_product_id, location, quote, start, end } = place;
  const role = kind === 'negative_result' ? 'counter' : 'context';
  return [{ documentId: work_product_id, location, quote, start, end, role }];
}
