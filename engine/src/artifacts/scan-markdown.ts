import { cleanText } from '../documents/clean-text.js';
import type { Block, Cell } from '../documents/document.js';
import { inlineText } from '../documents/formats/markdown/inline-text.js';
import { statementsOf } from '../documents/formats/markdown/statements.js';
import type { Location } from '../documents/location.js';
import { opensInstruction } from '../passages/guidance.js';
import { roleOfHeading, roleOfTable } from '../passages/section-roles.js';
import type { Table, TableRow } from '../passages/tables.js';
import { extractionWords } from './extraction-words.js';
import { numberingPrefixes, type ProseState, readProse } from './prose-statements.js';
import { type Above, finishStatement, readTable } from './read-statements.js';
import type { Statements } from './statement.js';
import type { StatementReading } from './statement-reading.js';

/** The text of a Markdown file. */
export interface MarkdownText {
  readonly id: string;
  readonly text: string;
  readonly documentType?: string;
}

/** Lines that need the whole rules of Markdown: quotes, HTML, code by indentation, definitions, underlined headings. */
const NEEDS_READER = /^(?: {0,3}(?:>|<[a-zA-Z!?/]|\[[^\]]+\]:|=+\s*$|-{2,}\s*$)|\t| {4,}(?![-+*]\s|\s*$))/;
const ITEM = /^( *)(?:[-+*]|\d{1,9}[.)])\s+/;
const HEADING = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MARKUP = /[*`[\]\\&<!]|(?:^|[\s(])_/;
const NO_LABELS: ReadonlySet<string> = new Set();
/** Roles of sections and tables that state artifacts. */
const STATES = 'body';

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
    if (!scanFile(reading, text)) return undefined;
    for (let at = first; at < all.statements.length; at++) finishStatement(all.statements[at]!, reading);
  }
  return all;
}

interface Scan {
  readonly text: string;
  readonly reading: StatementReading;
  readonly state: ProseState;
  readonly above: Above;
  /** By level, 1 outermost: the titles from the outermost to the open section of that level. */
  readonly sections: (readonly string[] | undefined)[];
  section: readonly string[] | undefined;
  /** Level of the section whose content states nothing; 0 for none. */
  silent: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly number: number;
}

function scanFile(reading: StatementReading, text: string): boolean {
  // Front matter and templates' instructions are the reader's business.
  if (text.startsWith('---') || /^\[?\s*(?:Instruction|Anleitung)/im.test(text)) return false;
  const scan: Scan = {
    text,
    reading,
    state: {
      open: undefined,
      level: undefined,
      pending: undefined,
      title: undefined,
      prefixes: prefixesOf(text),
    },
    above: { blocks: [], row: undefined },
    sections: [],
    section: undefined,
    silent: 0,
  };
  let fence = '';
  let paragraph:
    | { first: Line; kind: 'paragraph' | 'list_item'; from: number; end: number; lines: number }
    | undefined;
  const flush = () => {
    if (paragraph) readParagraph(scan, paragraph);
    paragraph = undefined;
  };
  let number = 0;
  for (let start = 0; start < text.length; ) {
    number++;
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const next = end + 1;
    if (text.charCodeAt(end - 1) === 13) end--;
    const code = text.charCodeAt(start);
    if (fence !== '') {
      const line = text.slice(start, end);
      if (line.trim().startsWith(fence)) fence = '';
    } else if (end <= start) flush();
    else if (code === 35) {
      flush();
      const match = HEADING.exec(text.slice(start, end));
      if (!match) return false;
      readHeading(scan, { level: match[1]!.length, title: match[2]!, line: { start, end, number } });
    } else if (code === 124) {
      flush();
      const after = readRows(scan, { start, end, number });
      if (!after) return false;
      start = after.start;
      number = after.number;
      continue;
    } else if (isPlainStart(code) || (code !== 32 && code !== 9 && !needsReader(text.slice(start, end)))) {
      const line = isPlainStart(code) ? undefined : text.slice(start, end);
      const opens = line !== undefined && FENCE.exec(line);
      if (opens) {
        flush();
        fence = opens[1]!;
      } else {
        const item = line === undefined ? null : ITEM.exec(line);
        if (item) {
          flush();
          paragraph = {
            first: { start, end, number },
            kind: 'list_item',
            from: start + item[0].length,
            end,
            lines: 1,
          };
        } else if (paragraph) {
          paragraph.end = end;
          paragraph.lines++;
        } else paragraph = { first: { start, end, number }, kind: 'paragraph', from: start, end, lines: 1 };
      }
    } else {
      const line = text.slice(start, end);
      const item = ITEM.exec(line);
      if (line.trim() === '') flush();
      else if (item && item[1]!.length <= 12) {
        flush();
        paragraph = {
          first: { start, end, number },
          kind: 'list_item',
          from: start + item[0].length,
          end,
          lines: 1,
        };
      } else if (needsReader(line)) {
        // Only a line that goes on with the item above may be indented.
        if (paragraph?.kind !== 'list_item' || !/^\s+[^\s>|#<]/.test(line)) return false;
        paragraph.end = end;
        paragraph.lines++;
      } else if (paragraph) {
        paragraph.end = end;
        paragraph.lines++;
      } else paragraph = { first: { start, end, number }, kind: 'paragraph', from: start, end, lines: 1 };
    }
    start = next;
  }
  flush();
  return true;
}

/** Letters: most paragraphs. */
function isPlainStart(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function needsReader(line: string): boolean {
  return NEEDS_READER.test(line);
}

function prefixesOf(text: string): ReadonlySet<string> {
  const starts = text.match(/^[A-Z]{2,10}[-_ ]?\d{1,6}(?:[.\-_]\d{1,4})*\s*[:–—]\s*\S/gmu) ?? [];
  return numberingPrefixes(starts.map((start) => ({ kind: 'paragraph', text: start }) as Block));
}

function locationOf({ section }: Scan, line: number): Location {
  return section ? { section, line } : { line };
}

function plain(text: string): string {
  return cleanText(MARKUP.test(text) ? inlineText(text, NO_LABELS).text : text);
}

function readHeading(
  scan: Scan,
  { level, title, line }: { readonly level: number; readonly title: string; readonly line: Line },
): void {
  const text = plain(title);
  if (text === '') return;
  const { sections } = scan;
  if (sections.length >= level) sections.length = level - 1;
  scan.section = sections.findLast((section) => section !== undefined);
  const block = blockOf(scan, { kind: 'heading', text, line, from: line.start, end: line.end });
  scan.section = sections[level - 1] = scan.section ? [...scan.section, text] : [text];
  if (scan.silent >= level) scan.silent = 0;
  if (scan.silent === 0 && !/\d$/.test(text)) {
    const role = roleOfHeading(text);
    if (role && role.role !== STATES) scan.silent = level;
  }
  scan.above.row = undefined;
  pushAbove(scan, block);
  readProse(scan.reading, scan.state, { ...block, level });
}

interface Paragraph {
  readonly first: Line;
  readonly kind: 'paragraph' | 'list_item';
  readonly from: number;
  end: number;
  lines: number;
}

function readParagraph(scan: Scan, { first, kind, from, end, lines }: Paragraph): void {
  if (scan.silent > 0) return;
  const raw = scan.text.slice(from, end);
  if (lines === 1) {
    const text = plain(raw);
    readText(scan, { kind, text, line: first, from, end }, text === raw);
    return;
  }
  const source = raw.replace(/[ \t\r]*\n[ \t]*/g, '\n');
  const text = MARKUP.test(source) ? inlineText(source, NO_LABELS).text : source;
  for (const [at, statement] of statementsOf(text).entries()) {
    const line = { ...first, number: first.number + statement.line };
    const own = at > 0 ? (statement.marked ? 'list_item' : 'paragraph') : kind;
    readText(scan, { kind: own, text: statement.text, line, from, end }, false);
  }
}

function readText(
  scan: Scan,
  block: { kind: Block['kind']; text: string; line: Line; from: number; end: number },
  exact: boolean,
): void {
  if (block.text === '' || (block.text.startsWith('[') && opensInstruction(block.text))) return;
  const made = blockOf(scan, block);
  readProse(scan.reading, scan.state, made);
  if (!exact) widenQuotes(scan, made);
  pushAbove(scan, made);
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

function blockOf(
  scan: Scan,
  {
    kind,
    text,
    line,
    from,
    end,
  }: { kind: Block['kind']; text: string; line: Line; from: number; end: number },
): Block {
  return { index: -1, kind, text, start: from, end, location: locationOf(scan, line.number) };
}

/** Reads the table that begins at a line; gives back the line after it. Undefined where the line begins none. */
function readRows(scan: Scan, first: Line): { readonly start: number; readonly number: number } | undefined {
  const { text } = scan;
  const blocks: Block[] = [];
  const rows: TableRow[] = [];
  let columns: string[] = [];
  let { start, end, number } = first;
  for (let row = 0; start < text.length && text.charCodeAt(start) === 124; row++) {
    if (row === 1) {
      if (!DELIMITER_ROW.test(text.slice(start, end).trimEnd())) return undefined;
    } else {
      const location = locationOf(scan, number);
      const cells = cellsOf(text, { start, end, location });
      if (row === 0) columns = titlesOf(cells);
      else {
        const map = new Map<number, Cell>();
        for (const cell of cells)
          if (cell.column < columns.length || cell.text !== '') map.set(cell.column, cell);
        rows.push({ block: blocks.length, cells: map });
        blocks.push({ index: blocks.length, kind: 'table_row', text: '', start, end, location, cells });
      }
    }
    start = text.indexOf('\n', start) + 1;
    if (start === 0) start = text.length;
    number++;
    end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    if (text.charCodeAt(end - 1) === 13) end--;
  }
  if (number - first.number < 2) return undefined;
  const table: Table = { id: 0, columns, headerBlocks: [], rows };
  if (scan.silent === 0 && roleOfTable(table) === undefined && rows.length > 0) {
    readTable({ ...scan.reading, blocks }, { table, above: scan.above, state: scan.state });
  }
  // The line that ended the table is counted when it is read.
  return { start, number: number - 1 };
}

function titlesOf(cells: readonly Cell[]): string[] {
  const titles: string[] = [];
  for (const cell of cells) titles[cell.column] = cell.text;
  return Array.from(titles, (title) => title ?? '');
}

/** Cells that hold something. */
function cellsOf(
  text: string,
  { start, end, location }: { readonly start: number; readonly end: number; readonly location: Location },
): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (let from = start + 1; from < end; column++) {
    let bar = text.indexOf('|', from);
    while (bar > 0 && bar < end && text.charCodeAt(bar - 1) === 92) bar = text.indexOf('|', bar + 1);
    if (bar < 0 || bar > end) bar = end;
    let low = from;
    let high = bar;
    while (low < high && text.charCodeAt(low) <= 32) low++;
    while (high > low && text.charCodeAt(high - 1) <= 32) high--;
    if (high > low) {
      const raw = text.slice(low, high);
      const content = MARKUP.test(raw) ? plain(raw.replaceAll('\\|', '|')) : raw;
      if (content !== '') cells.push({ text: content, start: low, end: high, column, location });
    }
    from = bar + 1;
  }
  return cells;
}
