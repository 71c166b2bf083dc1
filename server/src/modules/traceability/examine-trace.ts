import type { Statement } from '../../platform/database/database.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { Engine } from '../engine/engine.js';
import type { ExaminedTrace, TraceAnalysisTaskInput } from '../engine/examine-trace-task.js';
import {
  type PlaceRow,
  type PlacesRow,
  type StoredExtraction,
  selectHalves,
  selectPlaces,
  type TraceRow,
} from './trace.repository.js';

/** A trace that was examined, with the place of each of its listed gaps. */
export interface StoredTraceExamination extends ExaminedTrace {
  readonly extraction: StoredExtraction | null;
  /** By listed gap, in their order; null where people added what it is about. */
  readonly places: readonly (PlaceRow | null)[];
}

/** Answers that take longer are given up; the largest workspaces take some seconds. */
export const PATIENCE_MILLISECONDS = 60_000;

type Half = Promise<TraceRow[]>;

/** How often it begins again when the trace is swapped before all of it and the places of its gaps were read. */
const ATTEMPTS = 5;

/**
 * Examines the stored trace of a workspace in a process and finds the places of its gaps, all of one state of the trace.
 * Throws 404 when the workspace is not visible.
 * @param read One statement in the scope of who asks.
 */
export async function examineStoredTrace(
  read: <Row>(statement: Statement) => Promise<Row[]>,
  engine: Pick<Engine, 'run'>,
  asked: Omit<TraceAnalysisTaskInput, 'columns'> & {
    readonly workspaceId: string;
    readonly signal: AbortSignal;
  },
): Promise<StoredTraceExamination> {
  const { workspaceId, signal, ...task } = asked;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [[ofArtifacts], [ofLinks]] = await Promise.all(
      selectHalves(workspaceId).map((half) => read<TraceRow>(half)) as [Half, Half],
    );
    if (!ofArtifacts || !ofLinks) throw notFound('workspace');
    const { extraction, ...columns } = { ...ofArtifacts, ...ofLinks };
    if (ofArtifacts.extraction?.revision !== extraction?.revision) continue;
    const examined = await engine.run('examineTrace', { columns, ...task }, { signal, group: workspaceId });
    const [found] = await read<PlacesRow>(selectPlaces(workspaceId, examined.shownBy));
    if (found && found.revision === (extraction?.revision ?? 0)) {
      return { ...examined, extraction, places: found.places };
    }
  }
  throw new ApiError('SERVICE_UNAVAILABLE', 'The trace changes all the time. Try again in a moment.');
}
