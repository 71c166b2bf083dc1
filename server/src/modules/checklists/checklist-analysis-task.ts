import {
  type ChecklistAnalysis,
  type ChecklistInput,
  type ChecklistStage,
  checkChecklist,
} from '@normtrace/engine';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type StageShares, tellProgress, tellRun } from '../engine/run-news.js';

export interface ChecklistTaskInput extends Omit<ChecklistInput, 'documents' | 'signal'> {
  readonly documents: readonly PackedDocument[];
}

const SHARES: StageShares<'packed' | ChecklistStage> = {
  packed: [0, 25],
  passages: [25, 35],
  artifacts: [35, 45],
  words: [45, 60],
  items: [60, 99],
  opinions: [99, 99],
};

/** Answers a checklist from parsed documents; the engine has compared every quote with its text. */
export const checkChecklistTask: EngineTask<ChecklistTaskInput, ChecklistAnalysis> = {
  name: 'checkChecklist',
  work: async (input, context) => {
    const progress = tellProgress(context, SHARES);
    const documents = await unpackDocuments(input.documents, context, (_, done, total) =>
      progress('packed', done, total),
    );
    const result = await checkChecklist({
      ...input,
      documents,
      signal: context.signal,
      ...tellRun(context, SHARES),
    });
    return { result };
  },
};
