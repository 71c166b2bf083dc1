import type { Block } from './block-view.tsx';

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

interface Held {
  readonly element: Element;
  readonly start: number;
  readonly text: string;
}

/** The paragraph or cell of a row of the list that holds a node, with its place in the document. */
function holderOf(node: Node, blocks: readonly Block[]): Held | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('.virtual-row');
  const block = blocks[Number(row?.dataset.index)];
  const shown = row?.querySelector('.block');
  if (!block || !shown) return undefined;
  if (!block.cells) return { element: shown, start: block.start, text: block.text };
  const at = [...shown.children].findIndex((cell) => cell.contains(node));
  const [cell, of] = [shown.children[at], block.cells[at]];
  return cell && of ? { element: cell, start: of.start, text: of.text } : undefined;
}

/** Letters of a paragraph or cell before a place in it. */
function lettersBefore(held: Held, node: Node, offset: number): number {
  const before = document.createRange();
  before.setStart(held.element, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** What is selected within `within`, a list of blocks as text; undefined where nothing is, or it reaches beyond. */
export function selectedIn(within: Element, blocks: readonly Block[]): Selected | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!within.contains(range.startContainer) || !within.contains(range.endContainer)) return undefined;
  const [first, last] = [holderOf(range.startContainer, blocks), holderOf(range.endContainer, blocks)];
  if (!first || !last) return undefined;
  let start = first.start + lettersBefore(first, range.startContainer, range.startOffset);
  let end = last.start + lettersBefore(last, range.endContainer, range.endOffset);
  const isOnePlace = first.element === last.element;
  const text = isOnePlace ? first.text.slice(start - first.start, end - first.start) : selection.toString();
  if (isOnePlace) {
    start += text.length - text.trimStart().length;
    end -= text.length - text.trimEnd().length;
  }
  if (end <= start || text.trim() === '') return undefined;
  const boxes = range.getClientRects();
  const box = boxes[boxes.length - 1] ?? range.getBoundingClientRect();
  return { start, end, text: text.trim(), isOnePlace, right: box.right, bottom: box.bottom };
}
