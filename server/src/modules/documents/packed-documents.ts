import type { AnalysedDocument } from '@normtrace/engine';
import type { TaskContext } from '../../platform/processes/serve-tasks.js';
import { unpackDocument } from './parsed-document.js';

/** A document version on its way into a process of the engine. */
export type PackedDocument = Omit<AnalysedDocument, 'document'> & {
  /** See `packDocument`. */
  readonly packed: Uint8Array;
};

/** Unpacks one after the other; ends with the task's signal. */
export async function unpackDocuments(
  packedDocuments: readonly PackedDocument[],
  { signal }: TaskContext,
  progress: (stage: 'documents', done: number, total: number) => void,
): Promise<readonly AnalysedDocument[]> {
  const documents: AnalysedDocument[] = [];
  for (const { packed, ...about } of packedDocuments) {
    progress('documents', documents.length, packedDocuments.length);
    documents.push({ ...about, document: await unpackDocument(packed) });
    signal.throwIfAborted();
  }
  return documents;
}
