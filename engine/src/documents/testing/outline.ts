import type { Document } from '../document.js';
import { printLocation } from '../location.js';
import { readDocument } from '../read-document.js';

/** One line per block for a test to compare: kind and level, table, place, text. */
export function outline(document: Document): string[] {
  return document.blocks.map((block) => {
    const table = block.table
      ? ` ${block.table.id}.${block.table.row}${block.table.header ? ' header' : ''}`
      : '';
    const text = block.cells ? block.cells.map((cell) => cell.text).join(' | ') : block.text;
    return `${block.kind}${block.level ?? ''}${table}: ${text}`;
  });
}

/** Places of the blocks as a person reads them. */
export function places(document: Document): string[] {
  return document.blocks.map((block) => printLocation(block.location));
}

export function read(content: string | Uint8Array, fileName: string): Promise<Document> {
  return readDocument(typeof content === 'string' ? Buffer.from(content, 'utf8') : content, { fileName });
}
