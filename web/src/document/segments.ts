import type { Api } from '../api/client.ts';

/** What a range of a document is shown as. `id` names it among all marks of the document. */
export interface Mark {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** How it speaks of what it quotes; or that somebody commented on it. */
  readonly role: Api['DocumentMarks']['marks'][number]['role'] | 'comment';
}

export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly marks: readonly Mark[];
}

/**
 * A text that begins at `start` of its document, cut where marks begin and end. A mark is cut at the ends of the text; one that
 * does not touch it is left out. Together the segments are the text.
 */
export function segmentsOf(text: string, start: number, marks: readonly Mark[]): readonly Segment[] {
  const end = start + text.length;
  const here = marks.filter((mark) => mark.start < end && mark.end > start);
  if (here.length === 0) return [{ text, start, marks: [] }];
  const cuts = new Set([start, end]);
  for (const mark of here) {
    cuts.add(Math.max(mark.start, start));
    cuts.add(Math.min(mark.end, end));
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1]!;
    return {
      text: text.slice(from - start, to - start),
      start: from,
      marks: here.filter((mark) => mark.start <= from && mark.end >= to),
    };
  });
}

/** Index of the block that holds this place of the document; of the one before it where it lies between two. */
export function blockAt(blocks: readonly { readonly start: number }[], offset: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (blocks[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** `12345-12401` of an address; undefined for anything else. */
export function readRange(text: string | null): { readonly start: number; readonly end: number } | undefined {
  const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(text ?? '') ?? [];
  if (start === undefined || end === undefined || Number(end) <= Number(start)) return undefined;
  return { start: Number(start), end: Number(end) };
}
