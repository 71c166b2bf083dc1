import { cleanCode } from '../../documents/clean-text.js';
import { FENCE, RULE } from '../../documents/formats/markdown/lines.js';
import type { Location } from '../../documents/location.js';
import { codeStatements } from './code-statements.js';
import { extractionWords } from './extraction-words.js';
import { finishStatement } from './read-statements.js';
import { newRanges, type ReferenceRanges } from './reference-ranges.js';
import {
  BAR,
  endOfLine,
  HASH,
  isLetter,
  isPlainItem,
  type Line,
  locationOf,
  NO_LIST,
  newScan,
  nextLine,
  type Scan,
  TOP_ITEM,
} from './scan-state.js';
import { readRows } from './scan-table.js';
import { begin, flush, goOn, readHeadingLine } from './scan-text.js';
import type { Statements } from './statement.js';
import type { StatementReading } from './statement-reading.js';

/** The text of a Markdown file. */
export interface MarkdownText {
  readonly id: string;
  readonly text: string;
  readonly documentType?: string;
}

/** Quotes, HTML, definitions, underlined headings, code by indentation. */
const NEEDS_READER = /^ {0,3}(?:>|<[a-zA-Z!?/]|\[[^\]]+\]:|=+\s*$|-{2,}\s*$)|^(?:\t| {4,})/;
const ITEM = /^( *)([-+*]|\d{1,9}[.)])( +)(?=\S)/;
const EMPTY_ITEM = /^(?:[-+*]|\d{1,9}[.)])\s*$/;
/** An item that begins with something else than text: a list, a heading, code, a quote, HTML, a definition. */
const ITEM_OF_BLOCKS = /^(?:[-+*#>]|\d{1,9}[.)](?:\s|$)|`{3}|~{3}|<[a-zA-Z!?/]|\[[^\]]+\]:|\||=|-)/;
/** Deeper ones are the reader's business, which refuses them from some depth on. */
const DEEPEST_LIST = 20;

/**
 * Pass 1 straight from the text of Markdown files, for large ones: what `readStatements` finds in the document that
 * the reader makes of them, without making it. Ranges are those of the file's text. Undefined for a file that needs
 * the whole rules of Markdown; then the document has to be read. Linear.
 */
export function scanMarkdown(files: readonly MarkdownText[]): Statements | undefined {
  const words = extractionWords();
  const all: Statements & { ranges: ReferenceRanges[] } = {
    documents: files.map(({ id, documentType }) => ({
      id,
      format: 'markdown',
      ...(documentType === undefined ? {} : { documentType }),
    })),
    statements: [],
    sentences: [],
    demands: [],
    ranges: [],
  };
  for (const [index, { text }] of files.entries()) {
    const ranges = newRanges(text);
    const reading: StatementReading = {
      index,
      source: all.documents[index]!,
      words,
      blocks: [],
      statements: all.statements,
      sentences: all.sentences,
      ranges,
    };
    all.ranges.push(ranges);
    const first = all.statements.length;
    const demands = scanFile(reading, text);
    if (!demands) return undefined;
    if (all.statements.length === first)
      for (const location of demands) all.demands.push({ document: index, location });
    for (let at = first; at < all.statements.length; at++) finishStatement(all.statements[at]!, reading);
  }
  return all;
}

/** Places of demands outside of artifacts; undefined where the file needs the reader. */
function scanFile(reading: StatementReading, text: string): readonly Location[] | undefined {
  // Front matter, and line ends other than those of most systems.
  if (text.startsWith('---') || hasOtherLineEnds(text)) return undefined;
  const scan = newScan(reading, text);
  let number = 0;
  for (let start = 0; start < text.length && !scan.needsReader; ) {
    number++;
    const end = endOfLine(text, start);
    const code = text.charCodeAt(start);
    if (end === start) flush(scan);
    else if (isLetter(code)) goOn(scan, { start, end, number });
    else if (code === HASH) readHeadingLine(scan, { start, end, number });
    else if (isPlainItem(text, start)) {
      scan.list = TOP_ITEM;
      begin(scan, 'list_item', { start: start + 2, end, number });
    } else if (code === BAR || code === 96 || code === 126) {
      const after = (code === BAR ? readRows : readFence)(scan, { start, end, number });
      start = after.start;
      number = after.number;
      continue;
    } else readMarkedLine(scan, { start, end, number });
    start = nextLine(text, end);
  }
  flush(scan);
  return scan.needsReader ? undefined : scan.state.demands;
}

/** Carriage returns without line feed, and what only some programs take for the end of a line. */
function hasOtherLineEnds(text: string): boolean {
  if (['\u2028', '\u2029', '\0'].some((sign) => text.includes(sign))) return true;
  return text.includes('\r') && /\r(?!\n)/.test(text);
}

/** A line that begins with none of the above. */
function readMarkedLine(scan: Scan, { start, end, number }: Line): void {
  const { paragraph, text } = scan;
  const line = text.slice(start, end);
  if (line.trim() === '') {
    flush(scan);
    return;
  }
  if (RULE.test(line)) {
    // Dashes make the paragraph above a heading.
    if (paragraph.lines > 0 && paragraph.kind === 'paragraph' && line.includes('-')) scan.needsReader = true;
    flush(scan);
    scan.list = NO_LIST;
    return;
  }
  const item = ITEM.exec(line);
  const [mark = '', indent = '', marker = '', gap = ''] = item ?? [];
  // A number in the middle of a paragraph begins a list only if it is 1.
  const isNumbered = /\d/.test(marker);
  const inParagraph = paragraph.lines > 0 && paragraph.kind === 'paragraph';
  if (item && isNumbered && inParagraph && !/^1[.)]$/.test(marker)) {
    if (indent.length > 3) scan.needsReader = true;
    goOn(scan, { start, end, number });
    return;
  }
  if (item) {
    const list = scan.list.filter((column) => column <= indent.length);
    // Further to the right than its list it is code, or goes on with a paragraph.
    const isFar = indent.length - (list.at(-1) ?? 0) > 3 || gap.length > 4;
    if (isFar || list.length > DEEPEST_LIST || ITEM_OF_BLOCKS.test(line.slice(mark.length)))
      scan.needsReader = true;
    scan.list = [...list, mark.length];
    begin(scan, 'list_item', { start: start + (isNumbered ? indent : mark).length, end, number });
    return;
  }
  const [space = ''] = /^ *(?=[^\s>|#<`~=-])/.exec(line) ?? [];
  const goesOn = space !== '' && paragraph.lines > 0 && space.length - (scan.list.at(-1) ?? 0) <= 3;
  if (NEEDS_READER.test(line) || /^\s/.test(line) ? !goesOn : EMPTY_ITEM.test(line)) scan.needsReader = true;
  else goOn(scan, { start, end, number });
}

/** Reads the code between fences; gives back the line after it. */
function readFence(scan: Scan, first: Line): { readonly start: number; readonly number: number } {
  const { text } = scan;
  const opening = FENCE.exec(text.slice(first.start, first.end));
  const start = nextLine(text, first.end);
  if (!opening) {
    // Inline code at the beginning of a line.
    goOn(scan, first);
    return { start, number: first.number };
  }
  flush(scan);
  scan.list = NO_LIST;
  const fence = opening[2]!;
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
  let { number } = first;
  let at = start;
  let end = start;
  for (; at < text.length; at = nextLine(text, end)) {
    end = endOfLine(text, at);
    number++;
    if (closing.test(text.slice(at, end))) break;
  }
  const code = cleanCode(text.slice(start, Math.max(start, at)));
  const location = locationOf(scan, first.number);
  // Places in code that is not as in the file would be wrong.
  if (!text.startsWith(code, start)) scan.needsReader = true;
  codeStatements(scan.reading, {
    index: -1,
    kind: 'code',
    text: code,
    start,
    end: start + code.length,
    location,
  });
  return { start: Math.min(text.length, nextLine(text, end)), number };
}
