import { gunzipSync, gzipSync } from 'node:zlib';
import type { BlockDraft } from '../block.js';
import type { TextPlace } from './text-places.js';

/** A page as its picture shows it: turned so that most of its text reads from left to right. Points. */
export interface PageShape {
  readonly width: number;
  readonly height: number;
  /** Quarter turns clockwise from the page as the file has it, before its own rotation; what `drawPage` has to be told. */
  readonly turn: 0 | 1 | 2 | 3;
}

/** A piece of a line with the text that stands there. Shares of the page from 0 to 1, from its top left. */
export interface PageLine {
  /** Position in `Document.blocks`. */
  readonly block: number;
  /** Half-open range in `Document.text`. */
  readonly start: number;
  readonly end: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Quarter turns against the clock of the direction in which it is read; absent: from left to right. */
  readonly turn?: 1 | 2 | 3;
  /** Where each UTF-16 unit of the text begins along the line, in thousandths of its length; absent where it is not known. */
  readonly lefts?: readonly number[];
}

/** Raised when side objects written before cannot be read any more. */
const VERSION = 1;
const HEAD_BYTES = 4;

interface Head {
  readonly version: number;
  readonly pages: readonly PageShape[];
  /** Where the lines of each page end, in bytes behind the head. */
  readonly ends: readonly number[];
}

/** Pages and lines of a draft as one object, each page compressed by itself. Undefined where no places were kept. */
export function packPages({
  pages,
  blocks,
}: {
  readonly pages?: readonly PageShape[];
  readonly blocks: readonly BlockDraft[];
}): Uint8Array | undefined {
  if (!pages) return undefined;
  const lines = pages.map((): PageLine[] => []);
  const add = (block: number, start: number, places: readonly TextPlace[] = []): void => {
    for (const place of places) {
      const page = place.line.page - 1;
      lines[page]!.push(lineOf(place, pages[page]!, { block, start }));
    }
  };
  let start = 0;
  for (const [index, { text, cells, places }] of blocks.entries()) {
    if (!cells) {
      add(index, start, places);
      start += text.length + 1;
      continue;
    }
    // As `assembleBlocks` joins them: cells by a tab, blocks by a line feed.
    for (const cell of cells) {
      add(index, start, cell.places);
      start += cell.text.length + 1;
    }
    if (cells.length === 0) start++;
  }
  const packed = lines.map((page) => gzipSync(JSON.stringify(page), { level: 4 }));
  const ends: number[] = [];
  for (const { length } of packed) ends.push((ends.at(-1) ?? 0) + length);
  const head = gzipSync(JSON.stringify({ version: VERSION, pages, ends } satisfies Head));
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeUInt32LE(head.length);
  return new Uint8Array(Buffer.concat([length, head, ...packed]));
}

function lineOf(
  { from, to, at, line }: TextPlace,
  { width, height }: PageShape,
  { block, start }: { readonly block: number; readonly start: number },
): PageLine {
  const { x0, y0, x1, y1, turn } = line;
  const lefts = line.lefts === undefined ? undefined : leftsOf(line.lefts);
  // The piece may be a part of its line only: its box is that of its own letters then.
  const first = lefts?.[at] ?? 0;
  const last = lefts?.[at + to - from] ?? 1;
  const along = { from: Math.min(first, last), to: Math.max(first, last) };
  const box = within({ x0, y0, x1, y1 }, turn, along);
  const length = along.to - along.from || 1;
  return {
    block,
    start: start + from,
    end: start + to,
    x: rounded(box.x0 / width),
    y: rounded(box.y0 / height),
    width: rounded((box.x1 - box.x0) / width),
    height: rounded((box.y1 - box.y0) / height),
    ...(turn === 0 ? {} : { turn }),
    ...(lefts
      ? {
          lefts: lefts
            .slice(at, at + to - from)
            .map((left) => Math.round((1000 * (left - along.from)) / length)),
        }
      : {}),
  };
}

/** Ascending, as shares; undefined for text that runs from right to left, whose letters would be marked wrongly. */
function leftsOf(packed: string): readonly number[] | undefined {
  const lefts = Array.from({ length: packed.length }, (_, at) => packed.charCodeAt(at) / 0xffff);
  for (let at = 1; at < lefts.length; at++) {
    // Accents and kerned letters may begin a little before the letter they stand behind.
    if (lefts[at]! < lefts[at - 1]! - 0.02) return undefined;
    lefts[at] = Math.max(lefts[at]!, lefts[at - 1]!);
  }
  return lefts;
}

interface Corners {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The stretch of a line from one share of its length to another. */
function within(
  box: Corners,
  turn: 0 | 1 | 2 | 3,
  { from, to }: { readonly from: number; readonly to: number },
): Corners {
  const { x0, y0, x1, y1 } = box;
  const [w, h] = [x1 - x0, y1 - y0];
  if (turn === 0) return { ...box, x0: x0 + w * from, x1: x0 + w * to };
  if (turn === 1) return { ...box, y0: y1 - h * to, y1: y1 - h * from };
  if (turn === 2) return { ...box, x0: x1 - w * to, x1: x1 - w * from };
  return { ...box, y0: y0 + h * from, y1: y0 + h * to };
}

const rounded = (share: number): number => Math.round(share * 1e5) / 1e5;

/** What `packPages` made of a document. */
export interface PackedPages {
  readonly pages: readonly PageShape[];
  /** The pieces of lines of a page (from 1) in the order of the document. */
  linesOf(page: number): readonly PageLine[];
}

/** Undefined where another version wrote it: the document has to be read again. */
export function openPages(object: Uint8Array): PackedPages | undefined {
  const bytes = Buffer.from(object.buffer, object.byteOffset, object.byteLength);
  const begin = HEAD_BYTES + bytes.readUInt32LE(0);
  const head = JSON.parse(gunzipSync(bytes.subarray(HEAD_BYTES, begin)).toString()) as Head;
  if (head.version !== VERSION) return undefined;
  return {
    pages: head.pages,
    linesOf: (page) => {
      const from = begin + (head.ends[page - 2] ?? 0);
      const packed = bytes.subarray(from, begin + (head.ends[page - 1] ?? 0));
      return packed.length === 0 ? [] : (JSON.parse(gunzipSync(packed).toString()) as PageLine[]);
    },
  };
}
