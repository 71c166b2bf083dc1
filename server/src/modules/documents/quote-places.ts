import type { Block, Document, Location } from '@normtrace/engine';

/** Longer quotes are cut: they show a place, they do not replace the document. */
const MAX_QUOTE_LENGTH = 1000;

export interface QuotePlace {
  /** Exactly what stands in the range: one paragraph or one cell, or the beginning of it. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly location: Location;
}

/**
 * Narrows ranges of a document to something that can be quoted: within one paragraph, or the cell of a row that holds
 * the wanted words, else its first one with any.
 */
export function quoteFinder({ text, blocks }: Pick<Document, 'text' | 'blocks'>) {
  return (
    range: { readonly start: number; readonly end: number; readonly location: Location },
    wanted?: string,
  ): QuotePlace => {
    const block = blockAt(blocks, range.start);
    let { start, location } = range;
    let end = block ? Math.min(range.end, block.end) : range.end;
    const inRange = block?.cells?.filter((cell) => cell.text !== '' && cell.end > start && cell.start < end);
    if (inRange && inRange.length > 0) {
      const cell = (wanted !== undefined && inRange.find((one) => one.text.includes(wanted))) || inRange[0]!;
      location = cell.location;
      end = Math.min(end, cell.end);
      start = Math.max(start, cell.start);
    }
    end = Math.min(end, start + MAX_QUOTE_LENGTH);
    // Never half of a character.
    if (end > start && /[\uD800-\uDBFF]/.test(text[end - 1]!)) end--;
    return { quote: text.slice(start, end), start, end, location };
  };
}

/** The block that holds a position: blocks lie in order, without overlap. */
function blockAt(blocks: readonly Block[], position: number): Block | undefined {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle]!.start <= position) low = middle;
    else high = middle - 1;
  }
  const block = blocks[low];
  return block && block.start <= position && position <= block.end ? block : undefined;
}
