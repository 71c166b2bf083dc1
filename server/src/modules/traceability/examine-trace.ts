import type { Statement } from '../../platform/database/database.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { Engine, InputOf, ResultOf } from '../engine/engine.js';
import {
  type PlacesRow,
  type StoredExtraction,
  selectHalves,
  selectPlaces,
  type TraceRow,
} from './trace.repository.js';
import type { PlacesQuestion } from './trace-places.js';

/** Answers that take longer are given up; the largest workspaces take some seconds. */
export const PATIENCE_MILLISECONDS = 60_000;

type Half = Promise<TraceRow[]>;

/** How often it begins again when the trace is swapped before all of it and the places of its gaps were read. */
const ATTEMPTS = 5;

/** Tasks that examine a stored trace and ask where its gaps stand. */
type Examination = 'listGaps' | 'findInTrace';

/**
 * Examines the stored trace of a workspace in a process and finds the places of its gaps, all of one state of the trace.
 * Throws 404 when the workspace is not visible.
 * @param read One statement in the scope of who asks.
 */
export async function examineStoredTrace<Task extends Examination>(
  read: <Row>(statement: Statement) => Promise<Row[]>,
  engine: Pick<Engine, 'run'>,
  asked: {
    readonly task: Task;
    readonly input: Omit<InputOf<Task>, 'columns'>;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly extraction: StoredExtraction | null; readonly result: ResultOf<Task> }> {
  const { task, input, signal } = asked;
  const { workspaceId } = input as { readonly workspaceId: string };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [[ofArtifacts], [ofLinks]] = await Promise.all(
      selectHalves(workspaceId).map((half) => read<TraceRow>(half)) as [Half, Half],
    );
    if (!ofArtifacts || !ofLinks) throw notFound('workspace');
    const { extraction, ...columns } = { ...ofArtifacts, ...ofLinks };
    if (ofArtifacts.extraction?.revision !== extraction?.revision) continue;
    let isSwapped = false;
    const onQuestion = async (question: unknown): Promise<string> => {
      const [found] = await read<PlacesRow>(selectPlaces(workspaceId, question as PlacesQuestion));
      isSwapped ||= found?.revision !== (extraction?.revision ?? 0);
      if (!found || isSwapped) throw new Error('The trace is another one by now.');
      return found.places;
    };
    try {
      const result = await engine.run(task, { ...input, columns } as InputOf<Task>, {
        signal,
        group: workspaceId,
        onQuestion,
      });
      return { extraction, result };
    } catch (error) {
      if (!isSwapped) throw error;
    }
  }
  throw new ApiError('SERVICE_UNAVAILABLE', 'The trace changes all the time. Try again in a moment.');
}
