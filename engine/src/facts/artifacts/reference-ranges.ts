import type { Location } from '../../documents/location.js';
import type { LinkRole } from '../../words/column-titles.js';
import { doubled } from './link-ends.js';
import type { Reference, Statement } from './statement.js';

/**
 * References of one file that stand in its text exactly as written, as ranges instead of objects: large exports have
 * hundreds of thousands. `Statement.rangesFrom` and `rangesTo` tell which are those of a statement.
 */
export interface ReferenceRanges {
  /** Of the whole file. */
  readonly text: string;
  readonly kinds: RangeKind[];
  readonly sections: Location['section'][];
  /** `WIDTH` for each reference, in columns. */
  numbers: Int32Array;
  size: number;
}

/** What the references under one title have in common. */
export interface RangeKind {
  readonly role: LinkRole;
  readonly source: string;
}

const WIDTH = 6;
/** Columns of `numbers`: positions in `kinds` and `sections`, and how many `Statement.references` come before. */
const KIND = 0;
const START = 1;
const END = 2;
const LINE = 3;
const SECTION = 4;
const BEFORE = 5;
/** Further titles are read as objects. */
const MOST_KINDS = 100;

export function newRanges(text: string): ReferenceRanges {
  return { text, kinds: [], sections: [], numbers: new Int32Array(64 * WIDTH), size: 0 };
}

/** Adds a reference; false, and nothing is added, where it has to be an object. */
export function addRange(
  ranges: ReferenceRanges,
  statement: Statement,
  { role, source, start, end, line, section }: Range,
): boolean {
  const { sections } = ranges;
  const kind = kindOf(ranges, role, source);
  const at = ranges.size;
  if (kind < 0) return false;
  if (statement.rangesTo === statement.rangesFrom) statement.rangesFrom = at;
  else if (statement.rangesTo !== at) return false;
  if (sections.length === 0 || sections[sections.length - 1] !== section) sections.push(section);
  if ((at + 1) * WIDTH > ranges.numbers.length) ranges.numbers = doubled(ranges.numbers);
  const { numbers } = ranges;
  const first = at * WIDTH;
  numbers[first + KIND] = kind;
  numbers[first + START] = start;
  numbers[first + END] = end;
  numbers[first + LINE] = line;
  numbers[first + SECTION] = sections.length - 1;
  numbers[first + BEFORE] = statement.references.length;
  ranges.size++;
  statement.rangesTo = ranges.size;
  return true;
}

interface Range extends RangeKind {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly section: Location['section'];
}

function kindOf({ kinds }: ReferenceRanges, role: LinkRole, source: string): number {
  for (let at = 0; at < kinds.length; at++) {
    const kind = kinds[at]!;
    if (kind.role === role && kind.source === source) return at;
  }
  if (kinds.length === MOST_KINDS) return -1;
  kinds.push({ role, source });
  return kinds.length - 1;
}

/** How many of the statement's objects come before the reference. */
export function objectsBefore({ numbers }: ReferenceRanges, at: number): number {
  return numbers[at * WIDTH + BEFORE]!;
}

export function kindAt({ numbers, kinds }: ReferenceRanges, at: number): RangeKind {
  return kinds[numbers[at * WIDTH + KIND]!]!;
}

export function startAt({ numbers }: ReferenceRanges, at: number): number {
  return numbers[at * WIDTH + START]!;
}

export function endAt({ numbers }: ReferenceRanges, at: number): number {
  return numbers[at * WIDTH + END]!;
}

export function locationAt({ numbers, sections }: ReferenceRanges, at: number): Location {
  const section = sections[numbers[at * WIDTH + SECTION]!];
  const line = numbers[at * WIDTH + LINE]!;
  return section ? { section, line } : { line };
}

/** The reference as an object. */
export function referenceAt(ranges: ReferenceRanges, at: number): Reference {
  const start = startAt(ranges, at);
  const end = endAt(ranges, at);
  const { role, source } = kindAt(ranges, at);
  const quote = { start, end, location: locationAt(ranges, at) };
  return { role, written: ranges.text.slice(start, end), quote, source };
}
