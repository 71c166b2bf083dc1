import {
  type ChecklistAnalysis,
  type ChecklistInput,
  type ChecklistStage,
  checkChecklist,
  findingOfItem,
} from '@normtrace/engine';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type StageShares, tell, tellProgress } from '../engine/run-news.js';

export interface ChecklistTaskInput extends Omit<ChecklistInput, 'documents' | 'signal'> {
  readonly documents: readonly PackedDocument[];
}

const SHARES: StageShares<'packed' | ChecklistStage> = {
  packed: [0, 25],
  passages: [25, 35],
  artifacts: [35, 45],
  words: [45, 60],
  items: [60, 99],
};

/** Answers a checklist from parsed documents; the engine has compared every quote with its text. */
export const checkChecklistTask: EngineTask<ChecklistTaskInput, ChecklistAnalysis> = {
  name: 'checkChecklist',
  work: async (input, context) => {
    const progress = tellProgress(context, SHARES);
    const documents = await unpackDocuments(input.documents, context, (_, done, total) =>
      progress('packed', done, total),
    );
    const items = new Map(input.checklist.items.map((item) => [item.id, item]));
    const known = new Set(input.known?.map(({ itemId }) => itemId));
    const result = await checkChecklist({
      ...input,
      documents,
      signal: context.signal,
      onProgress: (event) => {
        progress(event.type === 'item' ? 'items' : event.stage, event.done, event.total);
        if (event.type !== 'item') return;
        const { item } = event;
        const finding = findingOfItem(items.get(item.itemId)!, item);
        if (finding) tell(context, { kind: 'finding', finding });
        if (!known.has(item.itemId)) tell(context, { kind: 'unit', unit: item });
      },
    });
    return { result };
  },
};
