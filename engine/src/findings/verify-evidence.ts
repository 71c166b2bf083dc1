import { blockAt } from '../documents/block-at.js';
import type { Block, Document } from '../documents/document.js';
import { hiddenWithin } from '../documents/hidden-text.js';
import type { Evidence } from './finding.js';

/** A quote that does not stand where it is said to stand: a defect of the engine, never of the documents. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
}

/**
 * Checks that every quote is the exact text of its range and lies within one paragraph or one cell. Nothing that a
 * reader does not see speaks for or against a criterion: it may only be shown as context.
 * Throws `EvidenceError` otherwise. The message names the place, not the content.
 */
export function verifyEvidence(evidence: Iterable<Evidence>, documents: ReadonlyMap<string, Document>): void {
  for (const { documentId, start, end, quote, role } of evidence) {
    const document = documents.get(documentId);
    const at = `characters ${start} to ${end} of document "${documentId}"`;
    if (!document) throw new EvidenceError(`Evidence names a document that was not given: ${at}.`);
    if (quote === '' || document.text.slice(start, end) !== quote) {
      throw new EvidenceError(`A quote is not what stands at ${at}.`);
    }
    const block = blockAt(document, start);
    if (!block || !isWithinOnePlace(block, start, end)) {
      throw new EvidenceError(`A quote leaves its paragraph or cell: ${at}.`);
    }
    if (role !== 'context' && hiddenWithin(block, { start, end }).length > 0) {
      throw new EvidenceError(`A quote is evidence, but its reader does not see it: ${at}.`);
    }
  }
}

function isWithinOnePlace(block: Block, start: number, end: number): boolean {
  if (start < block.start || end > block.end) return false;
  return !block.cells || block.cells.some((cell) => cell.start <= start && end <= cell.end);
}
