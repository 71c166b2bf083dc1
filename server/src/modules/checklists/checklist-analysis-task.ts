import {
  type ChecklistAnalysis,
  type ChecklistInput,
  type ChecklistStage,
  checkChecklist,
} from '@normtrace/engine';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type StageShares, tellProgress, tellRun } from '../engine/run-news.js';
import { modelOfTask, type TaskModel } from '../models/model-question.js';

export interface ChecklistTaskInput extends Omit<ChecklistInput, 'documents' | 'signal' | 'model'> {
  readonly documents: readonly PackedDocument[];
  /** The language model that may be asked; none: rules alone. */
  readonly model?: TaskModel | undefined;
}

const SHARES: StageShares<'packed' | ChecklistStage> = {
  packed: [0, 25],
  passages: [25, 35],
  artifacts: [35, 45],
  words: [45, 60],
  items: [60, 85],
  // Without a model these pass at once.
  opinions: [85, 99],
};

/** Answers a checklist from parsed documents; the engine has compared every quote with its text. */
export const checkChecklistTask: EngineTask<ChecklistTaskInput, ChecklistAnalysis> = {
  name: 'checkChecklist',
  work: async ({ model, ...input }, context) => {
    const progress = tellProgress(context, SHARES);
    const documents = await unpackDocuments(input.documents, context, (_, done, total) =>
      progress('packed', done, total),
    );
    const result = await checkChecklist({
      ...input,
      documents,
      signal: context.signal,
      ...(model ? { model: modelOfTask(model, context) } : {}),
      ...tellRun(context, SHARES),
    });
    return { result };
  },
};
