import type { Block, Cell } from './block.js';
import type { Document } from './document.js';

/** Ranges of hidden text that a half-open range touches. */
export function hiddenWithin(block: Block, range: { readonly start: number; readonly end: number }) {
  return (block.hidden ?? []).filter((one) => one.start < range.end && range.start < one.end);
}

export const hasHiddenText = (document: Document): boolean =>
  document.blocks.some((block) => block.hidden !== undefined);

const views = new WeakMap<Document, Document>();

/**
 * A document as its reader sees it. Blocks of hidden text only are left out; hidden words among visible ones are
 * spaces. Ranges stay those of the whole document, so that quotes can be compared with it. The document itself where
 * nothing is hidden.
 */
export function visibleDocument(document: Document): Document {
  if (!hasHiddenText(document)) return document;
  let view = views.get(document);
  if (!view) {
    view = withoutHidden(document);
    views.set(document, view);
  }
  return view;
}

/** The same document with nothing marked as hidden: what it would say if all of it could be seen. */
export function unhiddenDocument(document: Document): Document {
  if (!hasHiddenText(document)) return document;
  const blocks = document.blocks.map(({ hidden: _, ...block }) => block);
  return { ...document, blocks };
}

function withoutHidden(document: Document): Document {
  const blocks: Block[] = [];
  const pieces: string[] = [];
  let written = 0;
  for (const block of document.blocks) {
    if (!block.hidden) {
      blocks.push({ ...block, index: blocks.length });
      continue;
    }
    for (const { start, end } of block.hidden) {
      pieces.push(document.text.slice(written, start), ' '.repeat(end - start));
      written = end;
    }
    const text = blanked(block);
    if (text.trim() === '') continue;
    const cells = block.cells?.map(
      (cell): Cell => ({ ...cell, text: text.slice(cell.start - block.start, cell.end - block.start) }),
    );
    // A cell of spaces is an empty cell.
    const kept = cells?.map((cell) =>
      cell.text.trim() === '' ? { ...cell, text: '', end: cell.start } : cell,
    );
    blocks.push({ ...block, index: blocks.length, text, ...(kept ? { cells: kept } : {}) });
  }
  pieces.push(document.text.slice(written));
  return { ...document, text: pieces.join(''), blocks };
}

function blanked({ text, start, hidden = [] }: Block): string {
  const pieces: string[] = [];
  let written = 0;
  for (const range of hidden) {
    pieces.push(text.slice(written, range.start - start), ' '.repeat(range.end - range.start));
    written = range.end - start;
  }
  pieces.push(text.slice(written));
  return pieces.join('');
}
