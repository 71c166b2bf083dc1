import type { Statement } from '../../platform/database/database.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { Engine } from '../engine/engine.js';
import { answering } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import type { TraceColumns } from './read-trace.js';
import {
  type PlacesRow,
  type StoredExtraction,
  selectHalves,
  selectPlaces,
  type TraceRow,
} from './trace.repository.js';
import { placesOf } from './trace-places.js';

/** Answers that take longer are given up; the largest workspaces take some seconds. */
export const PATIENCE_MILLISECONDS = 60_000;

type Half = Promise<TraceRow[]>;

/** How often it begins again when the trace is swapped before all of it and the places of its gaps were read. */
const ATTEMPTS = 5;

/** What a task needs that examines a stored trace and asks where its gaps stand. */
interface ExaminedInput {
  readonly workspaceId: string;
  readonly columns: TraceColumns;
}

/**
 * Examines the stored trace of a workspace in a process and finds the places of its gaps, all of one state of the trace.
 * Throws 404 when the workspace is not visible.
 * @param read One statement in the scope of who asks.
 */
export async function examineStoredTrace<Input extends ExaminedInput, Result>(
  read: <Row>(statement: Statement) => Promise<Row[]>,
  engine: Pick<Engine, 'run'>,
  asked: {
    readonly task: EngineTask<Input, Result>;
    readonly input: Omit<Input, 'columns'> & Pick<ExaminedInput, 'workspaceId'>;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly extraction: StoredExtraction | null; readonly result: Result }> {
  const { task, input, signal } = asked;
  const { workspaceId } = input;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { extraction, ...columns } = await readStoredTrace(read, workspaceId, { texts: false });
    let isSwapped = false;
    const places = answering(placesOf, async (asked) => {
      const [found] = await read<PlacesRow>(selectPlaces(workspaceId, asked));
      isSwapped ||= found?.revision !== (extraction?.revision ?? 0);
      if (!found || isSwapped) throw new Error('The trace is another one by now.');
      return { places: found.places, versions: found.versions };
    });
    try {
      const result = await engine.run(task, { ...input, columns } as unknown as Input, {
        signal,
        group: workspaceId,
        answers: [places],
      });
      return { extraction, result };
    } catch (error) {
      if (!isSwapped) throw error;
    }
  }
  throw changesAllTheTime();
}

/**
 * The stored trace of a workspace, of one state. Throws 404 when the workspace is not visible.
 * @param read One statement in the scope of who asks.
 */
export async function readStoredTrace(
  read: <Row>(statement: Statement) => Promise<Row[]>,
  workspaceId: string,
  about: { readonly texts: boolean },
): Promise<TraceRow> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [[ofArtifacts], [ofLinks]] = await Promise.all(
      selectHalves(workspaceId, about).map((half) => read<TraceRow>(half)) as [Half, Half],
    );
    if (!ofArtifacts || !ofLinks) throw notFound('workspace');
    if (ofArtifacts.extraction?.revision === ofLinks.extraction?.revision)
      return { ...ofArtifacts, ...ofLinks };
  }
  throw changesAllTheTime();
}

const changesAllTheTime = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', 'The trace changes all the time. Try again in a moment.');
