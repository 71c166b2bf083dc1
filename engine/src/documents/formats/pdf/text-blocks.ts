import { type LeadingId, type ListMarker, leadingId, listMarker, sectionDepth } from './line-starts.js';
import type { Rule, Segment } from './page-content.js';
import type { FlowItem } from './reading-order.js';
import type { Row } from './rows.js';
import type { DocumentStyle } from './style.js';
import { endsInPageNumber, isTocHeading, isTocRow } from './toc.js';

/** One line of a text block. */
export interface Line {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
  readonly element: number | undefined;
  /** List marker or identifier that the line begins with. */
  readonly marker: ListMarker | undefined;
  readonly id: LeadingId | undefined;
}

/** Lines that belong together, before it is known what they are. */
export interface TextBlock {
  readonly lines: Line[];
  readonly page: number;
  readonly marker?: 'bullet' | 'number';
  /** Characters of the bullet before the text of an item. */
  readonly markerLength: number;
  readonly toc: boolean;
  readonly code: boolean;
  readonly id?: LeadingId;
  /** Type of the structure element, in tagged files. */
  readonly tagType?: string;
  /** Distance to the line above in ems; infinite at the top of a column. */
  readonly gapAbove: number;
}

export type PageItem = TextBlock | Exclude<FlowItem, { kind: 'row' }>;

/** What has to be remembered from page to page. */
export interface TextState {
  inToc: boolean;
}

/** Groups the rows of a page into paragraphs, list items, entries of contents and code. */
export function textBlocks(
  flow: readonly FlowItem[],
  page: { readonly number: number; readonly horizontal: readonly Rule[] },
  context: { readonly style: DocumentStyle; readonly state: TextState },
): PageItem[] {
  const { style, state } = context;
  const items: PageItem[] = [];
  let current: TextBlock | undefined;
  let region = -1;
  flow.forEach((item, index) => {
    if (item.kind !== 'row') {
      items.push(item);
      current = undefined;
      return;
    }
    const line = lineOf(item.row);
    if (item.region !== region) current = undefined;
    region = item.region;
    const toc = isTocEntry(item.row, { flow, index }, state);
    const before = current?.lines.at(-1);
    if (current && before && continues(current, line, { ...item, horizontal: page.horizontal, style, toc })) {
      current.lines.push(line);
    } else {
      const marker = toc ? undefined : line.marker;
      const isItem = marker !== undefined && (!marker.weak || startsItem(items, line, before, style));
      const { id } = line;
      current = {
        lines: [line],
        page: page.number,
        markerLength: isItem && marker.kind === 'bullet' ? marker.length : 0,
        toc,
        code: line.monospaced && !style.monospaced && !toc,
        gapAbove: before ? (line.y - before.y) / line.size : Number.POSITIVE_INFINITY,
        ...(isItem ? { marker: marker.kind } : {}),
        ...(id ? { id } : {}),
        ...(item.row.segments[0]!.tag ? { tagType: item.row.segments[0]!.tag.type } : {}),
      };
      items.push(current);
    }
    if (isTocHeading(line.text)) state.inToc = true;
  });
  return items;
}

function lineOf(row: Row): Line {
  const { segments } = row;
  const { text } = row;
  const element = segments[0]!.tag?.element;
  const marker = listMarker(text);
  const id = leadingId(text);
  return {
    text,
    segments,
    x0: row.x0,
    x1: row.x1,
    y: row.y,
    size: row.size,
    bold: segments.every((segment) => segment.bold),
    italic: segments.every((segment) => segment.italic),
    monospaced: segments.every((segment) => segment.monospaced),
    element,
    marker,
    id,
  };
}

/** An entry has a page number; its first line may leave it to the next one. The contents end when no entry follows. */
function isTocEntry(
  row: Row,
  place: { readonly flow: readonly FlowItem[]; readonly index: number },
  state: TextState,
): boolean {
  if (isTocRow(row)) return true;
  if (!state.inToc) return false;
  if (endsInPageNumber(row)) return true;
  if (isTocHeading(row.text)) return false;
  const following = place.flow.slice(place.index + 1, place.index + 4);
  const entries = following.map(
    (item) => item.kind === 'row' && (isTocRow(item.row) || endsInPageNumber(item.row)),
  );
  const next = following[0];
  if (entries[0] && next?.kind === 'row' && next.row.y > row.y && next.row.y - row.y < 2 * row.size)
    return true;
  if (following.length > 0 && !entries.includes(true)) state.inToc = false;
  return false;
}

interface LinePlace {
  readonly row: Row;
  readonly right: number;
  readonly horizontal: readonly Rule[];
  readonly style: DocumentStyle;
  readonly toc: boolean;
}

/** Whether a line goes on with the block above it. */
function continues(block: TextBlock, line: Line, place: LinePlace): boolean {
  const before = block.lines[block.lines.length - 1]!;
  const first = block.lines[0]!;
  const { style } = place;
  if (block.toc || place.toc) return block.toc && place.toc && !/\d\s*$|\b[ivxlc]+\s*$/i.test(before.text);
  if (block.code !== (line.monospaced && !style.monospaced)) return false;
  if (line.element !== before.element) return false;
  if (line.element !== undefined && line.y > before.y) return true;
  const pitch = line.y - before.y;
  if (block.code) return pitch < 2.2 * line.size;
  if (pitch > style.leading * 1.3 * Math.max(line.size, before.size)) return false;
  if (block.lines.length > 1 && pitch > 1.3 * (before.y - block.lines[block.lines.length - 2]!.y) + 1)
    return false;
  if (Math.abs(line.size - before.size) > 0.08 * before.size) return false;
  if (line.bold !== before.bold) return false;
  if (isRuledOff(before, line, place.horizontal)) return false;
  const ended = endsSentence(before.text);
  const short = wouldHaveFitted(before, line, place.right);
  if (startsAnew(line, before, { ended, short, style })) return false;
  if (line.bold || line.size > style.size * 1.1) {
    return (
      sectionDepth(line.text) === undefined || !(ended || short || sectionDepth(first.text) !== undefined)
    );
  }
  if (isCentred(before, line)) return true;
  const room = place.right - before.x1;
  if (short && (ended || room > 0.3 * (place.right - before.x0)) && /^[^\p{Ll}]/u.test(line.text))
    return false;
  const indent = line.x0 - before.x0;
  if (indent > 0.8 * line.size) {
    const hanging = block.lines.length === 1 && (block.marker !== undefined || block.id !== undefined);
    return hanging || /^\p{Ll}/u.test(line.text);
  }
  if (indent < -0.8 * line.size) return block.lines.length === 1 || /^\p{Ll}/u.test(line.text);
  return true;
}

const CLOSING = '"”“’\')]';

/** The last sign before closing quotes and brackets ends a sentence or leads to a list. */
function endsSentence(text: string): boolean {
  let last = text.length - 1;
  while (last > 0 && CLOSING.includes(text[last]!)) last--;
  return '.:;!?…'.includes(text[last]!);
}

/** Lines of different length around one middle, as titles of figures are set. */
function isCentred(before: Line, line: Line): boolean {
  const shift = before.x0 + before.x1 - line.x0 - line.x1;
  return Math.abs(shift) < 3 && Math.abs(before.x0 - line.x0) > line.size;
}

/** A list marker or an identifier begins something new unless prose may simply have wrapped before it. */
function startsAnew(
  line: Line,
  before: Line,
  place: { readonly ended: boolean; readonly short: boolean; readonly style: DocumentStyle },
): boolean {
  const { marker, id } = line;
  if (marker && (!marker.weak || place.ended || place.short || before.marker)) return true;
  return id !== undefined && (id.setOff || place.ended || place.short || place.style.isIdPrefix(id.prefix));
}

/** A weak marker counts at the start of a block; a lone number after an unfinished line does not. */
function startsItem(
  items: readonly PageItem[],
  line: Line,
  before: Line | undefined,
  style: DocumentStyle,
): boolean {
  if (line.bold && !style.bold && sectionDepth(line.text) !== undefined) return false;
  const previous = items[items.length - 1];
  if (previous && 'lines' in previous && previous.marker) return true;
  return before === undefined || /[\p{P}\p{N}\p{L}]$/u.test(before.text);
}

/** The first word of the line would have had room on the line above: so a new paragraph was begun on purpose. */
function wouldHaveFitted(before: Line, line: Line, right: number): boolean {
  const space = line.text.indexOf(' ');
  const share = space < 0 ? 1 : space / line.text.length;
  return before.x1 + (line.x1 - line.x0) * share + 0.8 * line.size < right;
}

function isRuledOff(before: Line, line: Line, horizontal: readonly Rule[]): boolean {
  const bottom = line.y - 0.75 * line.size;
  // Underlines stand right below the baseline; rules between blocks keep a distance.
  const top = before.y + 0.3 * before.size;
  for (const rule of horizontal) {
    if (rule.at <= top) continue;
    if (rule.at >= bottom) return false;
    if (Math.min(rule.to, line.x1) - Math.max(rule.from, line.x0) > 0.5 * (line.x1 - line.x0)) return true;
  }
  return false;
}
