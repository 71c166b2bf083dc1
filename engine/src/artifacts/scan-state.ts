import type { Block } from '../documents/document.js';
import type { Location } from '../documents/location.js';
import type { SectionRole } from '../passages/section-roles.js';
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

export function pushAbove({ above }: Scan, block: Block): void {
  above.blocks.push(block);
  if (above.blocks.length > 4) above.blocks.shift();
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
