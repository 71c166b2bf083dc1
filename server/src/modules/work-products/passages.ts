import type { Block, Document, Location } from '@normtrace/engine';

/** A part of a document by which it is found: some lines of one page or sheet. */
export interface Passage {
  /** Half-open range in the text of the document. */
  readonly start: number;
  readonly end: number;
  readonly location: Location;
  readonly text: string;
}

/** Letters after which a passage ends with the block that it has come to. */
const LETTERS = 600;
/** What repeats on every page, and what says where something stands. */
const LEFT_OUT: readonly Block['kind'][] = ['page_header', 'page_footer', 'toc_entry'];

/** The text of a document in parts that begin anew with headings, pages and sheets. */
export function toPassages({ blocks, text }: Pick<Document, 'blocks' | 'text'>): readonly Passage[] {
  const passages: { start: number; end: number; location: Location }[] = [];
  let open: (typeof passages)[number] | undefined;
  for (const { kind, start, end, location } of blocks) {
    if (LEFT_OUT.includes(kind)) {
      open = undefined;
      continue;
    }
    if (text.slice(start, end).trim() === '') continue;
    const goesOn =
      open !== undefined &&
      kind !== 'heading' &&
      open.end - open.start < LETTERS &&
      open.location.page === location.page &&
      open.location.sheet === location.sheet;
    if (goesOn) {
      open!.end = Math.max(open!.end, end);
    } else {
      open = { start, end, location };
      passages.push(open);
    }
  }
  // PostgreSQL keeps no zero characters; positions stay.
  return passages.map((one) => ({ ...one, text: text.slice(one.start, one.end).replaceAll('\0', ' ') }));
}
