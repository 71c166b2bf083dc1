import type { Document } from '../documents/document.js';
import type { Evidence } from './finding.js';

/** A quote that does not stand where it is said to stand: a defect of the engine, never of the documents. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
}

/**
 * Checks that every quote is the exact text of its range and lies within one paragraph or one cell.
 * Throws `EvidenceError` otherwise. The message names the place, not the content.
 */
export function verifyEvidence(evidence: Iterable<Evidence>, documents: ReadonlyMap<string, Document>): void {
  for (const { documentId, start, end, quote } of evidence) {
    const document = documents.get(documentId);
    const at = `characters ${start} to ${end} of document "${documentId}"`;
    if (!document) throw new EvidenceError(`Evidence names a document that was not given: ${at}.`);
    if (quote === '' || document.text.slice(start, end) !== quote) {
      throw new EvidenceError(`A quote is not what stands at ${at}.`);
    }
    if (!isWithinOnePlace(document, start, end)) {
      throw new EvidenceError(`A quote leaves its paragraph or cell: ${at}.`);
    }
  }
}

function isWithinOnePlace({ blocks }: Document, start: number, end: number): boolean {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle]!.start <= start) low = middle;
    else high = middle - 1;
  }
  const block = blocks[low];
  if (!block || start < block.start || end > block.end) return false;
  return !block.cells || block.cells.some((cell) => cell.start <= start && end <= cell.end);
}
