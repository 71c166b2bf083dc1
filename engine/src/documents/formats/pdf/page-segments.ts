import { TINY_POINTS } from '../../colours.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import { type Font, fontReader } from './fonts.js';
import type { HiddenSegment, Rule, Segment, Tag } from './page-content.js';
import { boundsOf } from './page-drawing.js';
import type { Frame, Quadrant } from './page-frame.js';
import type { Pdfium, Pointer } from './pdfium.js';
import { leftsOf, normaliseCharacters } from './text-normalisation.js';

/** Segments per frame: a page may carry text in several directions. */
export interface TurnedSegments {
  readonly quadrant: Quadrant;
  readonly segments: Segment[];
  /** Of each segment, where places are kept: the left edges of its letters, see `LinePlace`. */
  readonly lefts: (string | undefined)[];
  /** Number of characters, to find the direction of most text. */
  characters: number;
}

/** All text of a page. */
export interface PageText {
  readonly groups: TurnedSegments[];
  /** Text that nobody sees, each as in its own frame. */
  readonly hidden: HiddenSegment[];
  /** Characters drawn, without spaces, and those whose letters the file does not tell. */
  readonly drawn: number;
  readonly unmapped: number;
}

interface SegmentInput {
  readonly pdfium: Pdfium;
  readonly page: Pointer;
  readonly frames: readonly [Frame, Frame, Frame, Frame];
  /** Vertical ruling lines as seen in each frame: a segment does not reach across one. */
  readonly verticals: (quadrant: Quadrant) => readonly Rule[];
  /** Structure element of a text object by its marked-content id, in tagged files. */
  readonly tagOf?: (contentId: number) => Tag | undefined;
  /** Text objects that nobody sees. */
  readonly hiddenObjects: ReadonlyMap<Pointer, HiddenReason>;
  /** Whether the places of letters are kept. */
  readonly keepPlaces: boolean;
}

/** Style of one text object, which is drawn with one font at one size on one baseline. */
interface Style {
  readonly object: Pointer;
  readonly size: number;
  readonly font: Font;
  readonly frame: Frame;
  readonly baseline: number;
  readonly tag: Tag | undefined;
  readonly hidden: HiddenReason | undefined;
}

/** A segment while it grows. */
interface OpenSegment {
  start: number;
  x0: number;
  x1: number;
  y: number;
  size: number;
  readonly frame: Frame;
  readonly tag: Tag | undefined;
  readonly hidden: HiddenReason | undefined;
  boldCharacters: number;
  italicCharacters: number;
  monospacedCharacters: number;
  characters: number;
}

/** PDFium marks a hyphen at the end of a line by this code and leaves out the line break after it. */
const LINE_END_HYPHEN = 0x02;
/** Wider gaps than this part (in ems) end a segment: they part columns, not words. */
const WIDEST_WORD_GAP = 1;
/** So many characters of a font are asked whether it tells their letters; all of them once one does not. */
const FONT_SAMPLE = 40;
const REPLACEMENT = 0xfffd;
const HYPHEN = 0x2d;
const SPACE = 0x20;

/** Reads all text of a page, grouped by direction, each group in the order in which the page draws it. */
export function readSegments(input: SegmentInput): PageText {
  const { pdfium, page } = input;
  const { api, scratch } = pdfium;
  const textPage = api.FPDFText_LoadPage(page);
  if (!textPage) return { groups: [], hidden: [], drawn: 0, unmapped: 0 };
  try {
    const count = api.FPDFText_CountChars(textPage);
    const groups = new Map<Quadrant, TurnedSegments>();
    const hidden: HiddenSegment[] = [];
    let drawn = 0;
    let unmapped = 0;
    const readStyle = styleReader(input, textPage);
    // Every word is written behind a space that is taken out where the word joins the one before.
    const codes = room(count * 3 + 16);
    const lefts = input.keepPlaces ? roomForLefts(count * 3 + 16) : undefined;
    let length = 0;
    let open: OpenSegment | undefined;
    let style: Style | undefined;
    let wordStart = -1;
    let wordLast = -1;
    let wordSpace = 0;
    let spaceBefore = false;

    const endSegment = (end: number): void => {
      if (!open) return;
      const { frame } = open;
      let group = groups.get(frame.quadrant);
      if (!group) {
        group = { quadrant: frame.quadrant, segments: [], lefts: [], characters: 0 };
        groups.set(frame.quadrant, group);
      }
      const raw = decode(open.start, end);
      const text = normaliseCharacters(raw);
      const isOnPage =
        open.x1 > 0 && open.x0 < frame.width && open.y > 0 && open.y - open.size < frame.height;
      const reason = isOnPage ? open.hidden : 'off-page';
      if (text !== '') {
        const segment: Segment = {
          text,
          x0: open.x0,
          x1: open.x1,
          y: open.y,
          size: open.size,
          bold: open.boldCharacters > open.characters * 0.8,
          italic: open.italicCharacters > open.characters * 0.8,
          monospaced: open.monospacedCharacters > open.characters * 0.8,
          ...(open.tag ? { tag: open.tag } : {}),
        };
        if (reason) hidden.push({ ...segment, reason });
        else {
          group.characters += open.characters;
          group.segments.push(segment);
          if (lefts) group.lefts.push(leftsOf(raw, text, packLefts(lefts.subarray(open.start, end), open)));
        }
      }
      open = undefined;
    };

    const endWord = (): void => {
      if (wordStart < 0 || !style) return;
      const { frame } = style;
      api.FPDFText_GetLooseCharBox(textPage, wordStart, scratch);
      if (wordLast !== wordStart) api.FPDFText_GetLooseCharBox(textPage, wordLast, scratch + 16);
      const floats = pdfium.floats();
      const first = scratch >> 2;
      const last = wordLast !== wordStart ? first + 4 : first;
      const a = frame.x(floats[first]!, floats[first + 1]!);
      const b = frame.x(floats[first + 2]!, floats[first + 3]!);
      const c = frame.x(floats[last]!, floats[last + 1]!);
      const d = frame.x(floats[last + 2]!, floats[last + 3]!);
      const x0 = Math.min(a, b, c, d);
      const x1 = Math.max(a, b, c, d);
      if (open && joins(open, { x0, style }, input.verticals(frame.quadrant))) {
        if (!spaceBefore && x0 - open.x1 <= 0.25 * Math.max(open.size, style.size)) {
          codes.copyWithin(wordSpace, wordSpace + 1, length);
          lefts?.copyWithin(wordSpace, wordSpace + 1, length);
          length--;
        } else if (lefts) lefts[wordSpace] = open.x1;
        open.x1 = Math.max(open.x1, x1);
        if (style.size > open.size * 1.05) {
          open.size = style.size;
          open.y = style.baseline;
        }
      } else {
        endSegment(wordSpace);
        open = {
          start: wordSpace + 1,
          x0,
          x1,
          y: style.baseline,
          size: style.size,
          frame,
          tag: style.tag,
          hidden: style.hidden,
          boldCharacters: 0,
          italicCharacters: 0,
          monospacedCharacters: 0,
          characters: 0,
        };
      }
      const characters = wordLast - wordStart + 1;
      open.characters += characters;
      if (style.font.bold) open.boldCharacters += characters;
      if (style.font.italic) open.italicCharacters += characters;
      if (style.font.monospaced) open.monospacedCharacters += characters;
      wordStart = -1;
      spaceBefore = false;
    };

    for (let index = 0; index < count; index++) {
      let code = api.FPDFText_GetUnicode(textPage, index);
      // Fonts that do not tell their letters give the numbers of their glyphs, small ones first.
      if (code < SPACE && api.FPDFText_HasUnicodeMapError(textPage, index) === 1) {
        drawn++;
        unmapped++;
      }
      if (code <= SPACE || code === 0xa0) {
        if (code === LINE_END_HYPHEN) code = HYPHEN;
        else {
          endWord();
          if (code === SPACE || code === 0xa0 || code === 9) spaceBefore = true;
          continue;
        }
      }
      const object = api.FPDFText_GetTextObject(textPage, index);
      if (!style || object !== style.object) {
        endWord();
        style = readStyle(object, index);
      }
      drawn++;
      const { font } = style;
      if (code === REPLACEMENT) unmapped++;
      else if (font.tried < FONT_SAMPLE || font.unmapped > 0) {
        font.tried++;
        if (api.FPDFText_HasUnicodeMapError(textPage, index) === 1) {
          font.unmapped++;
          unmapped++;
        }
      }
      if (wordStart < 0) {
        wordStart = index;
        wordSpace = length;
        codes[length++] = SPACE;
      }
      wordLast = index;
      if (lefts) {
        api.FPDFText_GetLooseCharBox(textPage, index, scratch);
        const floats = pdfium.floats();
        const at = scratch >> 2;
        const a = style.frame.x(floats[at]!, floats[at + 1]!);
        const b = style.frame.x(floats[at + 2]!, floats[at + 3]!);
        lefts[length] = Math.min(a, b);
        if (code > 0xffff) lefts[length + 1] = lefts[length]!;
      }
      if (code > 0xffff) {
        codes[length++] = 0xd800 + ((code - 0x10000) >> 10);
        code = 0xdc00 + ((code - 0x10000) & 0x3ff);
      }
      codes[length++] = code;
    }
    endWord();
    endSegment(length);
    return { groups: [...groups.values()], hidden, drawn, unmapped };
  } finally {
    api.FPDFText_ClosePage(textPage);
  }
}

function styleReader(input: SegmentInput, textPage: Pointer): (object: Pointer, index: number) => Style {
  const { pdfium, frames, tagOf, hiddenObjects } = input;
  const { api, scratch } = pdfium;
  const readFont = fontReader(pdfium);
  return (object, index) => {
    api.FPDFText_GetMatrix(textPage, index, scratch);
    const floats = pdfium.floats();
    const at = scratch >> 2;
    const frame = frames[quadrantOf(floats[at]!, floats[at + 1]!)];
    const scale = Math.hypot(floats[at + 2]!, floats[at + 3]!);
    api.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8);
    const doubles = pdfium.doubles();
    const baseline = frame.y(doubles[scratch >> 3]!, doubles[(scratch >> 3) + 1]!);
    const size = Math.round(api.FPDFText_GetFontSize(textPage, index) * scale * 10) / 10;
    return {
      object,
      size,
      hidden: hiddenObjects.get(object) ?? (isTiny(pdfium, object, size) ? 'tiny' : undefined),
      font: readFont(api.FPDFTextObj_GetFont(object)),
      frame,
      baseline,
      tag: tagOf?.(api.FPDFPageObj_GetMarkedContentID(object)),
    };
  };
}

/** Fonts of drawn glyphs may have any size: what counts is how high the letters are. */
function isTiny(pdfium: Pdfium, object: Pointer, size: number): boolean {
  if (size > TINY_POINTS) return false;
  const { y0, y1, x0, x1 } = boundsOf(pdfium, object);
  return Math.min(y1 - y0, x1 - x0) <= 1.5 * TINY_POINTS;
}

/** Direction of text from its matrix; slanted text counts to the nearest direction. */
function quadrantOf(a: number, b: number): Quadrant {
  if (Math.abs(a) >= Math.abs(b)) return a >= 0 ? 0 : 2;
  return b > 0 ? 1 : 3;
}

/** Whether a word stands right behind a segment on the same line, with neither a wide gap nor a ruling between. */
function joins(
  open: OpenSegment,
  word: { readonly x0: number; readonly style: Style },
  verticals: readonly Rule[],
): boolean {
  const { style } = word;
  if (open.hidden !== style.hidden) return false;
  if (open.frame !== style.frame || open.tag?.element !== style.tag?.element) return false;
  const size = Math.max(open.size, style.size);
  const offset = Math.abs(style.baseline - open.y);
  const raised = Math.min(open.size, style.size) < 0.9 * size;
  if (offset > (raised ? 0.55 : 0.2) * size) return false;
  const gap = word.x0 - open.x1;
  if (gap < -0.5 * size || gap > WIDEST_WORD_GAP * size) return false;
  if (gap < 0.2 * size) return true;
  return !verticals.some(
    (rule) =>
      rule.at > open.x1 - 1 &&
      rule.at < word.x0 + 1 &&
      rule.from < open.y - 0.2 * size &&
      rule.to > open.y - 0.3 * size,
  );
}

/** Room for the UTF-16 codes of one page, used again for every page. */
let shared = Buffer.alloc(1 << 16);

function room(codes: number): Uint16Array {
  if (shared.length < codes * 2) shared = Buffer.alloc(codes * 4);
  return new Uint16Array(shared.buffer, shared.byteOffset, shared.length >> 1);
}

function decode(start: number, end: number): string {
  return shared.toString('utf16le', start * 2, end * 2);
}

/** Room for the left edges of the letters of one page, one beside each code. */
let sharedLefts = new Float32Array(0);

function roomForLefts(codes: number): Float32Array {
  if (sharedLefts.length < codes) sharedLefts = new Float32Array(codes * 2);
  return sharedLefts;
}

/** As shares of the width of the segment, two bytes each, in a string: documents have millions of letters. */
function packLefts(lefts: Float32Array, { x0, x1 }: { readonly x0: number; readonly x1: number }): string {
  const packed = Buffer.allocUnsafe(lefts.length * 2);
  const width = Math.max(x1 - x0, 0.01);
  for (let at = 0; at < lefts.length; at++) {
    const share = Math.min(Math.max((lefts[at]! - x0) / width, 0), 1);
    packed.writeUInt16LE(Math.round(share * 0xffff), at * 2);
  }
  return packed.toString('utf16le');
}
