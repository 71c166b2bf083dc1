import type { SectionRole } from '../../corpus/passages/section-roles.js';
import type { Block } from '../../documents/document.js';
import type { Location } from '../../documents/location.js';
import { newProseState, numberingPrefixes, type ProseState } from './prose-statements.js';
import type { Above } from './read-statements.js';
import type { StatementReading } from './statement-reading.js';

export const HASH = 35;
export const BAR = 124;
export const SPACE = 32;

export interface Scan {
  readonly text: string;
  readonly reading: StatementReading;
  readonly state: ProseState;
  /** What stands above, but for texts that `passText` noted; `settleAbove` completes it. */
  readonly above: Above;
  /** Start, end and line of the last texts of which no block was made since `above` was complete, in a ring. */
  readonly passed: Int32Array;
  passedCount: number;
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
  /** From that of the outermost section to its own. */
  readonly titles: readonly string[];
  readonly role: SectionRole | undefined;
}

/** The paragraph or item that the next line may go on with. */
export interface Paragraph {
  /** Lines so far; 0 where none is open. */
  lines: number;
  kind: 'paragraph' | 'list_item';
  number: number;
  from: number;
  end: number;
}

export interface Line {
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly number: number;
}

export function newScan(reading: StatementReading, text: string): Scan {
  return {
    text,
    reading,
    state: newProseState(() => prefixesOf(text)),
    above: { blocks: [], row: undefined },
    passed: new Int32Array(3 * MOST_ABOVE),
    passedCount: 0,
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

export const NO_LIST: readonly number[] = [];
export const TOP_ITEM: readonly number[] = [2];

export function locationOf({ titles }: Scan, line: number): Location {
  return titles ? { section: titles, line } : { line };
}

/** Blocks that a table is told of. */
const MOST_ABOVE = 4;

export function pushAbove(scan: Scan, block: Block): void {
  const { blocks } = settleAbove(scan);
  blocks.push(block);
  if (blocks.length > MOST_ABOVE) blocks.shift();
}

/** Notes an item that a block is made of only if a table follows. */
export function passText(scan: Scan, { from, end, number }: Omit<Paragraph, 'kind' | 'lines'>): void {
  const at = 3 * (scan.passedCount++ % MOST_ABOVE);
  scan.passed[at] = from;
  scan.passed[at + 1] = end;
  scan.passed[at + 2] = number;
}

/** What stands above, with blocks of the texts that were passed in the open section. */
export function settleAbove(scan: Scan): Above {
  const { passed, passedCount, above, text } = scan;
  for (let one = Math.max(0, passedCount - MOST_ABOVE); one < passedCount; one++) {
    const at = 3 * (one % MOST_ABOVE);
    const start = passed[at]!;
    const end = passed[at + 1]!;
    const location = locationOf(scan, passed[at + 2]!);
    above.blocks.push({ index: -1, kind: 'list_item', text: text.slice(start, end), start, end, location });
    if (above.blocks.length > MOST_ABOVE) above.blocks.shift();
  }
  scan.passedCount = 0;
  return above;
}

/** Forgets what stands above: no table is told of what stands before a heading. */
export function clearAbove(scan: Scan): void {
  scan.above.blocks.length = 0;
  scan.above.row = undefined;
  scan.passedCount = 0;
}

export function endOfLine(text: string, start: number): number {
  let end = text.indexOf('\n', start);
  if (end < 0) end = text.length;
  return end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

export function nextLine(text: string, end: number): number {
  return text.charCodeAt(end) === 13 ? end + 2 : end + 1;
}

/** Letters: most paragraphs. */
export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** `- Derived from: SG-01`: a marker, one space, a letter. */
export function isPlainItem(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  const isMarker = code === 45 || code === 43 || code === 42;
  return isMarker && text.charCodeAt(start + 1) === SPACE && isLetter(text.charCodeAt(start + 2));
}
