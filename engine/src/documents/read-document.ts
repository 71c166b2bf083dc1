import { assembleDocument } from './assemble-document.js';
import type { Document } from './document.js';
import { type ReadOptions, readDraft } from './read-draft.js';

/**
 * Reads a document in this process: format by content, blocks in reading order, language.
 * For files from outside use `createDocumentReader`, which does the same in a limited child process.
 * Throws `DocumentError`, or the reason of `signal`.
 */
export async function readDocument(bytes: Uint8Array, options: ReadOptions): Promise<Document> {
  return assembleDocument(await readDraft(bytes, options));
}
