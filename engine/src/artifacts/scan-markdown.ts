import { cleanCode } from '../documents/clean-text.js';
import type { Block, Cell } from '../documents/document.js';
import { ATX_HEADING, FENCE, RULE } from '../documents/formats/markdown/lines.js';
import { statementsOf } from '../documents/formats/markdown/statements.js';
import type { Location } from '../documents/location.js';
import { isCaption } from '../documents/text-patterns.js';
import { talksToAuthor } from '../passages/guidance.js';
import { roleOfText } from '../passages/passages-of.js';
import { roleOfHeading, roleOfTable, type SectionRole } from '../passages/section-roles.js';
import type { Table } from '../passages/tables.js';
import { codeStatements } from './code-statements.js';
import { isMark } from './element-names.js';
import { extractionWords } from './extraction-words.js';
import { cellsOfRow, plainRange, plainText, rowCells, withoutMarkup } from './markdown-text.js';
import { numberingPrefixes, type ProseState, readProse } from './prose-statements.js';
import { type Above, finishStatement, readTable, settleTable } from './read-statements.js';
import type { Statement, Statements } from './statement.js';
import type { StatementReading } from './statement-reading.js';
import { rowStatement, SAMPLE, tableShape } from './table-statements.js';

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
const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const PICTURE = '![';
/** Deeper ones are the reader's business, which refuses them from some depth on. */
const DEEPEST_LIST = 20;
const HASH = 35;
const BAR = 124;
const SPACE = 32;

/**
 * Pass 1 straight from the text of Markdown files, for large ones: what `readStatements` finds in the document that
 * the reader makes of them, without making it. Ranges are those of the file's text. Undefined for a file that needs
 * the whole rules of Markdown; then the document has to be read. Linear.
 */
export function scanMarkdown(files: readonly MarkdownText[]): Statements | undefined {
  const words = extractionWords();
  const all: Statements = {
    documents: files.map(({ id, documentType }) => ({
      id,
      format: 'markdown',
      ...(documentType === undefined ? {} : { documentType }),
    })),
    statements: [],
    sentences: [],
    demands: [],
  };
  for (const [index, { text }] of files.entries()) {
    const reading: StatementReading = {
      index,
      source: all.documents[index]!,
      words,
      blocks: [],
      statements: all.statements,
      sentences: all.sentences,
    };
    const first = all.statements.length;
    const demands = scanFile(reading, text);
    if (!demands) return undefined;
    if (all.statements.length === first)
      for (const location of demands) all.demands.push({ document: index, location });
    for (let at = first; at < all.statements.length; at++) finishStatement(all.statements[at]!, reading);
  }
  return all;
}

interface Scan {
  readonly text: string;
  readonly reading: StatementReading;
  readonly state: ProseState;
  readonly above: Above;
  /** From the outermost open section to the innermost. */
  readonly sections: Section[];
  /** Titles of the open sections. */
  titles: readonly string[] | undefined;
  /** Whether what stands here states nothing. */
  silent: boolean;
  readonly paragraph: Paragraph;
  /** Columns at which the texts of the open items begin, outermost first; empty outside of lists. */
  list: readonly number[];
  /** Something came that only the reader knows how to read. */
  needsReader: boolean;
}

interface Section {
  readonly level: number;
  readonly title: string;
  readonly role: SectionRole | undefined;
}

/** The paragraph or item that the next line may go on with. */
interface Paragraph {
  /** Lines so far; 0 where none is open. */
  lines: number;
  kind: 'paragraph' | 'list_item';
  number: number;
  from: number;
  end: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly number: number;
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

function newScan(reading: StatementReading, text: string): Scan {
  let prefixes: ReadonlySet<string> | undefined;
  const state: ProseState = {
    open: undefined,
    level: undefined,
    pending: undefined,
    title: undefined,
    demands: [],
    prefixes() {
      prefixes ??= prefixesOf(text);
      return prefixes;
    },
  };
  return {
    text,
    reading,
    state,
    above: { blocks: [], row: undefined },
    sections: [],
    titles: undefined,
    silent: false,
    paragraph: { lines: 0, kind: 'paragraph', number: 0, from: 0, end: 0 },
    list: [],
    needsReader: false,
  };
}

function prefixesOf(text: string): ReadonlySet<string> {
  const starts = text.match(/^(?:[-+*] )?[A-Z]{2,10}[-_ ]?\d{1,6}(?:[.\-_]\d{1,4})*\s*[:–—]\s*\S/gmu) ?? [];
  return numberingPrefixes(
    starts.map((start) => ({ kind: 'paragraph', text: start.replace(/^[-+*] /, '') }) as Block),
  );
}

function endOfLine(text: string, start: number): number {
  let end = text.indexOf('\n', start);
  if (end < 0) end = text.length;
  return end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

function nextLine(text: string, end: number): number {
  return text.charCodeAt(end) === 13 ? end + 2 : end + 1;
}

/** Letters: most paragraphs. */
function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** `- Derived from: SG-01`: a marker, one space, a letter. */
function isPlainItem(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  const isMarker = code === 45 || code === 43 || code === 42;
  return isMarker && text.charCodeAt(start + 1) === SPACE && isLetter(text.charCodeAt(start + 2));
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

const NO_LIST: readonly number[] = [];
const TOP_ITEM: readonly number[] = [2];

function begin(scan: Scan, kind: Paragraph['kind'], { start, end, number }: Line): void {
  flush(scan);
  const { paragraph } = scan;
  paragraph.kind = kind;
  paragraph.number = number;
  paragraph.from = start;
  paragraph.end = end;
  paragraph.lines = 1;
}

/** A line that goes on with what is open, or begins a paragraph. */
function goOn(scan: Scan, line: Line): void {
  const { paragraph } = scan;
  if (paragraph.lines === 0) {
    scan.list = NO_LIST;
    begin(scan, 'paragraph', line);
  } else {
    paragraph.end = line.end;
    paragraph.lines++;
  }
}

function flush(scan: Scan): void {
  if (scan.paragraph.lines === 0) return;
  readParagraph(scan, scan.paragraph);
  scan.paragraph.lines = 0;
}

function readParagraph(scan: Scan, { number, kind, from, end, lines }: Paragraph): void {
  const { text } = scan;
  // A line break in HTML is one in the text.
  const isOneLine = lines === 1 && (kind === 'list_item' || !text.slice(from, end).includes('<'));
  if (isOneLine) {
    const plain = plainRange(text, from, end);
    const isItem = kind === 'list_item' || isMarked(plain);
    readText(scan, { kind: isItem ? 'list_item' : kind, text: plain, line: number, from, end });
    return;
  }
  const source = text.slice(from, end).replace(/[ \t\r]*\n[ \t]*/g, '\n');
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

function locationOf({ titles }: Scan, line: number): Location {
  return titles ? { section: titles, line } : { line };
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

function pushAbove({ above }: Scan, block: Block): void {
  above.blocks.push(block);
  if (above.blocks.length > 4) above.blocks.shift();
}

/** `## Title`, with a closing row of signs or without. */
function readHeadingLine(scan: Scan, line: Line): void {
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
  const { sections, above } = scan;
  while (sections.length > 0 && sections.at(-1)!.level >= level) sections.pop();
  const parents = sections.length > 0 ? sections.map((section) => section.title) : undefined;
  sections.push({ level, title, role: roleOfHeading(title) });
  const location = parents ? { section: parents, line: line.number } : { line: line.number };
  scan.titles = parents ? [...parents, title] : [title];
  scan.silent = sections.some(({ role }, at) => role && (role.subtree || at === sections.length - 1));
  const block = {
    index: -1,
    kind: 'heading',
    text: title,
    start: line.start,
    end: line.end,
    location,
  } as const;
  readProse(scan.reading, scan.state, { ...block, level });
  above.row = undefined;
  pushAbove(scan, block);
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

/** Reads the table that begins at a line; gives back the line after it. */
function readRows(scan: Scan, first: Line): { readonly start: number; readonly number: number } {
  // A paragraph goes on with what only looks like a table.
  if (scan.paragraph.lines > 0) scan.needsReader = true;
  scan.list = NO_LIST;
  const { text, reading } = scan;
  const header = rowAt(scan, first);
  const columns = titlesOf(header);
  const sample = columnSample(columns, header.block);
  let { start, end, number } = first;
  let talks = header.talks;
  let rows = 0;
  for (; start < text.length && text.charCodeAt(start) === BAR; rows++) {
    if (rows === 1) {
      const isDelimiter = DELIMITER_ROW.test(text.slice(start, end).trimEnd());
      if (!isDelimiter || rowAt(scan, { start, end, number }).count !== header.count) scan.needsReader = true;
    } else if (rows > 1 && !sample.isFull()) sample.add(rowAt(scan, { start, end, number }).cells);
    start = Math.min(text.length, nextLine(text, end));
    number++;
    end = endOfLine(text, start);
  }
  // A line directly below that begins nothing else is a row, too.
  const code = text.charCodeAt(start);
  const ends = start >= text.length || start === end || code === HASH || isPlainItem(text, start);
  if (rows < 2 || !ends) scan.needsReader = true;
  const after = { start, number: number - 1 };
  if (scan.silent || roleOfTable(sample.table) !== undefined || scan.needsReader) {
    // Only its first row decides whether it states anything, but any may open instructions.
    for (const row of rowsBelow(scan, first, rows)) talks ||= row.talks;
    if (talks) scan.needsReader = true;
    return after;
  }
  const shape = tableShape({ ...reading, blocks: [header.block] }, sample.table, false);
  if (shape) {
    const statements: Statement[] = [];
    let firstEnd = header.block.end;
    for (const { cells, block, index, talks: opens } of rowsBelow(scan, first, rows)) {
      if (index === 0) firstEnd = block.end;
      talks ||= opens;
      const statement = rowStatement(reading, rowCells(cells), { shape, block });
      if (statement) statements.push(statement);
    }
    settleTable(reading, statements, { end: firstEnd, above: scan.above, state: scan.state });
  } else {
    const all = [...rowsBelow(scan, first, rows)];
    talks ||= all.some((row) => row.talks);
    const blocks = [header.block, ...all.map(({ block }) => block)];
    const own = all.map(({ cells }, at) => ({ block: at + 1, cells: rowCells(cells) }));
    const table = { id: 0, columns, headerBlocks: [0], rows: own };
    readTable({ ...reading, blocks }, { table, above: scan.above, state: scan.state });
  }
  if (talks) scan.needsReader = true;
  // The line that ended the table is counted when it is read.
  return after;
}

interface Row {
  /** Of the rows below the header, from 0. */
  readonly index: number;
  readonly count: number;
  readonly cells: readonly Cell[];
  readonly block: Block;
  /** It may open instructions of a template. */
  readonly talks: boolean;
}

function rowAt(scan: Scan, { start, end, number }: Line, index = 0): Row {
  const location = locationOf(scan, number);
  const { cells, count } = cellsOfRow(scan.text, { start, end, location });
  const row = { index, kind: 'table_row', text: '', start, end, location } as const;
  // Only pairs of key and value are asked for by their block.
  const block: Block = count === 2 ? { ...row, cells } : row;
  const talks = cells.length <= 2 && cells.some(({ text }) => talksToAuthor(text));
  return { index, count, cells, block, talks };
}

/** Rows below the header and its line of dashes, made one by one: in large tables nothing of them is kept. */
function* rowsBelow(scan: Scan, first: Line, rows: number): Generator<Row> {
  let { start, end, number } = first;
  for (let row = 0; row < rows; row++) {
    if (row > 1) yield rowAt(scan, { start, end, number }, row - 2);
    start = nextLine(scan.text, end);
    end = endOfLine(scan.text, start);
    number++;
  }
}

/** The cells of each column by which `tableShape` tells what it is, as a table of few rows. */
function columnSample(columns: readonly string[], header: Block) {
  const rows = Array.from({ length: SAMPLE + 1 }, () => new Map<number, Cell>());
  const counts = new Int32Array(columns.length);
  const unmarked = new Uint8Array(columns.length);
  let open = columns.length;
  const table: Table = {
    id: 0,
    columns,
    headerBlocks: [],
    rows: rows.map((cells) => ({ block: header.index, cells })),
  };
  return {
    table,
    /** Nothing more of any column has to be known. */
    isFull: () => open === 0,
    add(cells: readonly Cell[]): void {
      for (const cell of cells) {
        const { column, text } = cell;
        if (column >= columns.length || text === '') continue;
        const isNew =
          counts[column]! < SAMPLE || (counts[column] === SAMPLE && unmarked[column] === 0 && !isMark(text));
        if (!isNew) continue;
        rows[counts[column]!]!.set(column, cell);
        counts[column]!++;
        if (!isMark(text)) unmarked[column] = 1;
        if (counts[column]! >= SAMPLE && unmarked[column] === 1) open--;
      }
    },
  };
}

function titlesOf({ cells, count }: Row): string[] {
  const titles = new Array<string>(count).fill('');
  for (const cell of cells) titles[cell.column] = cell.text;
  return titles;
}
