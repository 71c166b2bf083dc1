import {
  type CompletenessAnalysis,
  type CompletenessInput,
  type CompletenessStage,
  checkCompleteness,
} from '@normtrace/engine';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type StageShares, tellProgress, tellRun } from '../engine/run-news.js';
import { modelOfTask, type TaskModel } from '../models/model-question.js';

export interface CompletenessTaskInput extends Omit<CompletenessInput, 'documents' | 'signal' | 'model'> {
  readonly documents: readonly PackedDocument[];
  /** The language model that may be asked; none: rules alone. */
  readonly model?: TaskModel | undefined;
}

const SHARES: StageShares<'packed' | CompletenessStage> = {
  packed: [0, 25],
  passages: [25, 35],
  conditions: [35, 50],
  documents: [50, 80],
  // Without a model these pass at once.
  opinions: [80, 95],
  findings: [95, 99],
};

/** Checks parsed documents against their templates; the engine has compared every quote with its text. */
export const checkCompletenessTask: EngineTask<CompletenessTaskInput, CompletenessAnalysis> = {
  name: 'checkCompleteness',
  work: async ({ model, ...input }, context) => {
    const progress = tellProgress(context, SHARES);
    const documents = await unpackDocuments(input.documents, context, (_, done, total) =>
      progress('packed', done, total),
    );
    const result = await checkCompleteness({
      ...input,
      documents,
      signal: context.signal,
      ...(model ? { model: modelOfTask(model, context) } : {}),
      ...tellRun(context, SHARES),
    });
    return { result };
  },
};
