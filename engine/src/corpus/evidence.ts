import { blockAt } from '../documents/block-at.js';
import type { Block, Document } from '../documents/document.js';
import { hiddenWithin } from '../documents/hidden-text.js';
import type { Evidence } from '../findings/finding.js';
import { asSentence, type Prose } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';
import type { Passage } from './passages/passage.js';

/** Quotes longer than this are cut at a word around what matters. */
const LONGEST_QUOTE = 320;

/** A stretch of one paragraph or one cell. Half-open, in the document's text. */
export interface Segment {
  readonly start: number;
  readonly end: number;
}

/**
 * Evidence for a place: its exact words, cut to a readable length around `focus`, never across a cell, and never with
 * words that a reader does not see.
 */
export function quote(
  document: Document,
  passage: Passage,
  place: Segment,
  rest: { readonly role: Evidence['role']; readonly note?: Prose; readonly focus?: Segment },
): Evidence {
  const own = document.blocks[passage.blockIndex]!;
  // A cell of a row may be one that covers it from above.
  const isOwn = own.start <= place.start && place.end <= own.end;
  const block = isOwn ? own : (blockAt(document, place.start) ?? own);
  const focus = rest.focus ?? place;
  const seen = block.hidden ? seenPiece(block, place, focus) : place;
  const within = block.cells ? withinOneCell(block.cells, seen, focus) : seen;
  const { start, end } = trimmed(document.text, shortened(document.text, within, focus));
  const cell = block.cells?.find((one) => one.start <= start && end <= one.end);
  return {
    documentId: passage.documentId,
    location: cell?.location ?? passage.location,
    quote: document.text.slice(start, end),
    start,
    end,
    role: rest.role,
    ...(rest.note === undefined ? {} : worded({ note: asSentence(rest.note) })),
  };
}

/** The same words in another light. */
export const noted = (evidence: Evidence, role: Evidence['role'], note: Prose): Evidence => ({
  ...evidence,
  role,
  ...worded({ note: asSentence(note) }),
});

/** Words of a row may be found across its cells: what stands in the cell that they begin in, else in the first one that they reach. */
function withinOneCell(cells: readonly Segment[], place: Segment, focus: Segment): Segment {
  if (cells.some((one) => one.start <= place.start && place.end <= one.end)) return place;
  const at = Math.min(Math.max(focus.start, place.start), place.end);
  const cell =
    cells.find((one) => one.start <= at && at < one.end) ??
    cells.find((one) => one.start < place.end && place.start < one.end);
  if (!cell) return place;
  return { start: Math.max(place.start, cell.start), end: Math.min(place.end, cell.end) };
}

/** The visible piece of a place that `focus` begins in, else the longest one. */
function seenPiece(block: Block, place: Segment, focus: Segment): Segment {
  const pieces: Segment[] = [];
  let start = place.start;
  for (const range of hiddenWithin(block, place)) {
    if (range.start > start) pieces.push({ start, end: range.start });
    start = Math.max(start, range.end);
  }
  if (start < place.end) pieces.push({ start, end: place.end });
  const focused = pieces.find((piece) => piece.start <= focus.start && focus.start < piece.end);
  if (focused && focused.end - focused.start > 1) return focused;
  return pieces.reduce<Segment>(
    (longest, piece) => (piece.end - piece.start > longest.end - longest.start ? piece : longest),
    { start: place.start, end: place.start },
  );
}

function shortened(text: string, place: Segment, focus: Segment): Segment {
  if (place.end - place.start <= LONGEST_QUOTE) return place;
  const middle = Math.min(Math.max(focus.start, place.start), place.end);
  let start = Math.max(place.start, middle - LONGEST_QUOTE / 2);
  let end = Math.min(place.end, start + LONGEST_QUOTE);
  start = Math.max(place.start, end - LONGEST_QUOTE);
  if (start > place.start) {
    const space = text.slice(start, start + 40).search(/\s/);
    if (space >= 0) start += space + 1;
  }
  if (end < place.end) {
    const space = text.slice(end - 40, end).search(/\s\S*$/);
    if (space >= 0) end = end - 40 + space;
  }
  return { start, end };
}

function trimmed(text: string, { start, end }: Segment): Segment {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from]!)) from++;
  while (to > from && /\s/.test(text[to - 1]!)) to--;
  return { start: from, end: to };
}
