import { talksToAuthor } from '../../corpus/passages/guidance.js';
import { roleOfText } from '../../corpus/passages/passages-of.js';
import { roleOfHeading } from '../../corpus/passages/section-roles.js';
import type { Block } from '../../documents/document.js';
import { ATX_HEADING } from '../../documents/formats/markdown/lines.js';
import { statementsOf } from '../../documents/formats/markdown/statements.js';
import { isCaption } from '../../documents/text-patterns.js';
import { plainRange, plainText, withoutMarkup } from './markdown-text.js';
import { readProse } from './prose-statements.js';
import { LONGEST_CONTEXT } from './read-statements.js';
import { readField } from './scan-fields.js';
import {
  clearAbove,
  HASH,
  type Line,
  locationOf,
  NO_LIST,
  type Paragraph,
  pushAbove,
  type Scan,
  SPACE,
  settleAbove,
} from './scan-state.js';

const PICTURE = '![';

export function begin(scan: Scan, kind: Paragraph['kind'], { start, end, number }: Line): void {
  flush(scan);
  const { paragraph } = scan;
  paragraph.kind = kind;
  paragraph.number = number;
  paragraph.from = start;
  paragraph.end = end;
  paragraph.lines = 1;
}

/** A line that goes on with what is open, or begins a paragraph. */
export function goOn(scan: Scan, line: Line): void {
  const { paragraph } = scan;
  if (paragraph.lines === 0) {
    scan.list = NO_LIST;
    begin(scan, 'paragraph', line);
  } else {
    paragraph.end = line.end;
    paragraph.lines++;
  }
}

export function flush(scan: Scan): void {
  if (scan.paragraph.lines === 0) return;
  readParagraph(scan, scan.paragraph);
  scan.paragraph.lines = 0;
}

function readParagraph(scan: Scan, { number, kind, from, end, lines }: Paragraph): void {
  const { text } = scan;
  // A line break in HTML is one in the text.
  const isOneLine = lines === 1 && (kind === 'list_item' || !text.slice(from, end).includes('<'));
  if (isOneLine) {
    if (kind === 'list_item' && readField(scan, scan.paragraph)) return;
    const plain = plainRange(text, from, end);
    const isItem = kind === 'list_item' || isMarked(plain);
    readText(scan, { kind: isItem ? 'list_item' : kind, text: plain, line: number, from, end });
    return;
  }
  const source = text
    .slice(from, end)
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
  if (source.includes('|')) scan.needsReader = true;
  if (kind === 'list_item') {
    readText(scan, { kind, text: plainText(source), line: number, from, end });
    return;
  }
  for (const { text: statement, line, marked } of statementsOf(withoutMarkup(source))) {
    readText(scan, {
      kind: marked ? 'list_item' : kind,
      text: statement,
      line: number + line,
      from,
      end,
    });
  }
}

function isMarked(text: string): boolean {
  return /^\(?[a-z0-9]{1,4}[.)] /.test(text);
}

interface Text {
  readonly kind: Block['kind'];
  readonly text: string;
  readonly line: number;
  readonly from: number;
  readonly end: number;
}

function readText(scan: Scan, { kind, text, line, from, end }: Text): void {
  if (text === '') return;
  if (talksToAuthor(text) || (text.length < 300 && scan.text.startsWith(PICTURE, from)))
    scan.needsReader = true;
  if (scan.silent || roleOfText(text) || (kind === 'paragraph' && isCaption(text))) return;
  const block = { index: -1, kind, text, start: from, end, location: locationOf(scan, line) };
  readProse(scan.reading, scan.state, block);
  if (text.length !== end - from) widenQuotes(scan, block);
  pushAbove(scan, block);
}

/** Places inside a text that is not as in the file are those of the whole text. */
function widenQuotes({ state, reading }: Scan, { location, start, end }: Block): void {
  for (const statement of [state.open, reading.statements.at(-1)]) {
    if (!statement) continue;
    if (statement.asilPlace?.location === location) statement.asilPlace = { location, start, end };
    const { references } = statement;
    for (let at = references.length - 1; at >= 0 && references[at]!.quote.location === location; at--) {
      references[at] = { ...references[at]!, quote: { location, start, end } };
    }
  }
}

/** `## Title`, with a closing row of signs or without. */
export function readHeadingLine(scan: Scan, line: Line): void {
  flush(scan);
  scan.list = NO_LIST;
  const { text } = scan;
  let { start, end } = line;
  while (text.charCodeAt(start) === HASH) start++;
  const level = start - line.start;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  if (level > 6 || !isBlank(text.charCodeAt(start)) || text.charCodeAt(end - 1) === HASH) {
    const match = ATX_HEADING.exec(text.slice(line.start, line.end));
    if (match) enterSection(scan, { level: match[1]!.length, title: plainText(match[2] ?? ''), line });
    else scan.needsReader = true;
    return;
  }
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  enterSection(scan, { level, title: plainRange(text, start, end), line });
}

function isBlank(code: number): boolean {
  return code === SPACE || code === 9;
}

function enterSection(
  scan: Scan,
  { level, title, line }: { readonly level: number; readonly title: string; readonly line: Line },
): void {
  if (title === '') return;
  // What stands before a heading is no context of a table below it, unless the heading is too long to be one.
  if (title.length > LONGEST_CONTEXT) settleAbove(scan);
  else clearAbove(scan);
  const { sections } = scan;
  while (sections.length > 0 && sections.at(-1)!.level >= level) sections.pop();
  const parents = sections.at(-1)?.titles;
  const titles = parents ? parents.concat(title) : [title];
  const role = roleOfHeading(title);
  sections.push({ level, titles, role });
  const location = parents ? { section: parents, line: line.number } : { line: line.number };
  scan.titles = titles;
  scan.silent = role !== undefined || sections.some((section) => section.role?.subtree);
  const block: Block = {
    index: -1,
    kind: 'heading',
    level,
    text: title,
    start: line.start,
    end: line.end,
    location,
  };
  readProse(scan.reading, scan.state, block);
  scan.above.row = undefined;
  pushAbove(scan, block);
}
