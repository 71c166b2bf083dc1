import { cleanText } from '../../clean-text.js';
import { itemLine } from '../../text-patterns.js';
import { inlineText } from './inline-text.js';
import {
  ATX_HEADING,
  BLANK,
  beginsWithLetter,
  DEFINITION,
  dropIndent,
  FENCE,
  htmlLength,
  ITEM,
  indentOf,
  interruptsParagraph,
  type Line,
  QUOTE,
  RULE,
  UNDERLINE,
} from './lines.js';
import type { Nesting } from './nesting.js';
import { type MarkdownReading, push } from './reading.js';
import { startsTable } from './table.js';

type ReadInside = (reading: MarkdownReading, lines: readonly Line[], nesting: Nesting) => void;

/** Links to ids of specification items are what an item covers. */
const CONTENTS_ENTRY = /^\[(?:(?!\]\()[^~])*\]\(#[^)]*\)$/;

/** All items of one list: the same marker again, at the same level. `readInside` reads what an item holds. */
export function readList(
  reading: MarkdownReading,
  lines: readonly Line[],
  { index, nesting, readInside }: { index: number; nesting: Nesting; readInside: ReadInside },
): number {
  const items: { marker: string; lines: Line[] }[] = [];
  const kind = ITEM.exec(lines[index]!.text)![2]!.at(-1);
  let end = index;
  while (end < lines.length) {
    const found = ITEM.exec(lines[end]!.text);
    if (!found || found[2]!.at(-1) !== kind || RULE.test(lines[end]!.text)) break;
    const item = itemLines(lines, end, found);
    items.push({ marker: /\d/.test(found[2]!) ? `${found[2]} ` : '', lines: item.lines });
    end = item.end;
  }
  const contents = items.length >= 2 && items.every(({ lines: own }) => isContentsEntry(own));
  const inside = { depth: nesting.depth + 1, lists: nesting.lists + 1 };
  for (const item of items) {
    readItem(reading, item, {
      kind: contents ? 'toc_entry' : 'list_item',
      level: inside.lists,
      readInside: (rest) => readInside(reading, rest, inside),
    });
  }
  return end;
}

function itemLines(
  lines: readonly Line[],
  start: number,
  marker: RegExpExecArray,
): { lines: Line[]; end: number } {
  const first = lines[start]!;
  const before = marker[1]!.length + marker[2]!.length;
  const content = first.text.slice(marker[0].length);
  // A tab after the marker counts from the marker's column.
  const spaces = indentOf(' '.repeat(before % 4) + marker[3]!) - (before % 4);
  // Five spaces and more are one space and indented code; none is an item that begins below.
  const width = before + (spaces > 4 || content === '' ? 1 : spaces);
  const inner: Line[] = [
    { text: spaces > 4 ? ' '.repeat(spaces - 1) + content : content, number: first.number },
  ];
  let end = start + 1;
  let lastFilled = end;
  for (; end < lines.length; end++) {
    const { text, number } = lines[end]!;
    if (BLANK.test(text)) {
      if (inner.length === 1 && inner[0]!.text === '') break;
      inner.push({ text: '', number });
      continue;
    }
    if (indentOf(text) >= width) inner.push({ text: dropIndent(text, width), number });
    else if (!ITEM.test(text) && continuesLazily(inner, lines, end))
      inner.push({ text: text.trimStart(), number });
    else break;
    lastFilled = end + 1;
  }
  inner.length -= end - lastFilled;
  return { lines: inner, end };
}

/** The first paragraph of an item is the item; what follows is read as blocks of their own. */
function readItem(
  reading: MarkdownReading,
  item: { marker: string; lines: readonly Line[] },
  {
    kind,
    level,
    readInside,
  }: {
    readonly kind: 'list_item' | 'toc_entry';
    /** In how many lists it stands. */
    readonly level: number;
    readonly readInside: (lines: readonly Line[]) => void;
  },
): void {
  const start = item.lines.findIndex((line) => !BLANK.test(line.text));
  if (start < 0) return;
  if (startsOtherBlock(item.lines, start)) {
    readInside(item.lines);
    return;
  }
  const end = endOfParagraph(item.lines, start);
  const source = item.lines.slice(start, end).map((line) => line.text.trim());
  const text = cleanText(item.marker + inlineText(source.join('\n'), reading.definitions).text);
  push(reading, kind, text, item.lines[start]!.number, level);
  readInside(item.lines.slice(end));
}

function startsOtherBlock(lines: readonly Line[], index: number): boolean {
  const { text } = lines[index]!;
  return (
    indentOf(text) > 3 ||
    (!beginsWithLetter(text) && beginsWithMarker(lines, index)) ||
    UNDERLINE.test(lines[index + 1]?.text ?? '') ||
    startsTable(lines, index)
  );
}

function beginsWithMarker(lines: readonly Line[], index: number): boolean {
  const { text } = lines[index]!;
  return (
    ATX_HEADING.test(text) ||
    FENCE.test(text) ||
    QUOTE.test(text) ||
    RULE.test(text) ||
    ITEM.test(text) ||
    DEFINITION.test(text) ||
    htmlLength(lines, index, false) > 0
  );
}

function isContentsEntry(lines: readonly Line[]): boolean {
  if (!lines[0]!.text.trimStart().startsWith('[')) return false;
  const end = endOfParagraph(lines, 0);
  const text = lines.slice(0, end).map((line) => line.text.trim());
  return CONTENTS_ENTRY.test(text.join(' '));
}

function endOfParagraph(lines: readonly Line[], start: number): number {
  let end = start + 1;
  while (end < lines.length && !interruptsParagraph(lines, end) && !startsTable(lines, end)) end++;
  return end;
}

/** A line without the markers of its container goes on with a paragraph that is open in it. */
export function continuesLazily(inner: readonly Line[], lines: readonly Line[], index: number): boolean {
  const last = inner.at(-1)?.text;
  if (last === undefined || BLANK.test(last) || interruptsParagraph(lines, index)) return false;
  if (itemLine(lines[index]!.text) !== undefined) return false;
  const within = last.replace(/^(?: {0,3}(?:>|[-+*]|\d{1,9}[.)]) *)+/, '');
  return (
    within !== '' &&
    indentOf(last) < 4 &&
    !ATX_HEADING.test(within) &&
    !FENCE.test(within) &&
    !RULE.test(within)
  );
}
