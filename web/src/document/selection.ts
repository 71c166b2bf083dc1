import type { Block } from './block-view.tsx';
import { blockAt } from './segments.ts';

/** What somebody selected in a document: a range of its text, and its words. */
export interface Selected {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Within one paragraph or one cell, as quotes are. */
  readonly isOnePlace: boolean;
  /** Where it ends on the screen. */
  readonly right: number;
  readonly bottom: number;
}

/** The element that shows a piece of the document's text and nothing before it, with where that begins. */
function holderOf(node: Node): { readonly element: HTMLElement; readonly start: number } | undefined {
  const element = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(
    '[data-text-start]',
  );
  return element ? { element, start: Number(element.dataset.textStart) } : undefined;
}

/** Place in the document of a place on the screen. */
function placeOf(node: Node, offset: number): number | undefined {
  const holder = holderOf(node);
  if (!holder) return undefined;
  const before = document.createRange();
  before.setStart(holder.element, 0);
  before.setEnd(node, offset);
  return holder.start + before.toString().length;
}

/** The paragraph or cell at a place of the document. */
function pieceAt(blocks: readonly Block[], place: number): Pick<Block, 'start' | 'end' | 'text'> | undefined {
  const block = blocks[blockAt(blocks, place)];
  return block?.cells?.find(({ start, end }) => start <= place && place <= end) ?? block;
}

/** What is selected within `within`, which shows a document in any mode; undefined where nothing is, or it reaches beyond. */
export function selectedIn(within: Element, blocks: readonly Block[]): Selected | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!within.contains(range.startContainer) || !within.contains(range.endContainer)) return undefined;
  let start = placeOf(range.startContainer, range.startOffset);
  let end = placeOf(range.endContainer, range.endOffset);
  if (start === undefined || end === undefined || end <= start) return undefined;
  const piece = pieceAt(blocks, start);
  const isOnePlace = piece !== undefined && end <= piece.end;
  const text = isOnePlace ? piece.text.slice(start - piece.start, end - piece.start) : selection.toString();
  if (isOnePlace) {
    start += text.length - text.trimStart().length;
    end -= text.length - text.trimEnd().length;
  }
  if (end <= start || text.trim() === '') return undefined;
  const boxes = range.getClientRects();
  const box = boxes[boxes.length - 1] ?? range.getBoundingClientRect();
  return { start, end, text: text.trim(), isOnePlace, right: box.right, bottom: box.bottom };
}
