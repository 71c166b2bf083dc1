import type { Block, Cell, Document } from './document.js';

/** Why a reader of a document does not see a text that is in it. */
export const HIDDEN_REASONS = [
  /** Drawn in the colour of what it stands on: white on white. */
  'same-colour',
  /** Too small to be read: one point, one pixel. */
  'tiny',
  /** Cut off by the area that is drawn. */
  'clipped',
  /** A filled shape or a picture lies over it. */
  'covered',
  /** The file says that the characters are not drawn (PDF text rendering mode 3 or 7). */
  'render-mode',
  /** Recognised from a picture of the page and laid invisible over it (OCR): the reader sees the picture. */
  'recognised',
  /** Beside the page, slide or screen. */
  'off-page',
  /** Fully transparent. */
  'transparent',
  /** Marked as hidden: `w:vanish`, `display: none`, `hidden`, a conditional text that is switched off. */
  'marked-hidden',
  'hidden-row',
  'hidden-column',
  'hidden-sheet',
  'hidden-slide',
  /** On a layer that is switched off (PDF optional content). */
  'hidden-layer',
] as const;
export type HiddenReason = (typeof HIDDEN_REASONS)[number];

/** A half-open range of text that a reader does not see. */
export interface HiddenRange {
  readonly start: number;
  readonly end: number;
  readonly reason: HiddenReason;
}

/** The whole of a text as hidden; nothing for a text without words. */
export function allHidden(text: string, reason: HiddenReason): HiddenRange[] | undefined {
  return text.trim() === '' ? undefined : [{ start: 0, end: text.length, reason }];
}

/** Ranges in order, without overlap; neighbours of one reason become one, also `gap` characters apart (tabs of a row). */
export function mergeRanges(ranges: readonly HiddenRange[], gap = 0): HiddenRange[] {
  const sorted = ranges.filter((one) => one.end > one.start).sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number; reason: HiddenReason }[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    const start = last ? Math.max(range.start, last.end) : range.start;
    if (range.end <= start) continue;
    if (last && start <= last.end + gap && last.reason === range.reason) last.end = range.end;
    else merged.push({ ...range, start });
  }
  return merged;
}

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
