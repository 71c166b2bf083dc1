import { endianness } from 'node:os';
import type { Location } from '../../documents/location.js';
import type { LinkSentence, Reference, Statement, StatementSource } from './statement.js';

/** Before the bytes: another number is another form. */
export const FORM = 0x334d5453;
export const HEAD_BYTES = 12;

/** Numbers of a text: its length, and where it begins in the text of the document or, below zero, as `~at` in the packed one. */
export const TEXT_COLUMNS = 2;
/** Numbers of a place: start, end, location, line and cell. */
export const PLACE_COLUMNS = 5;
/** Id, text and name; what is said alike, how many references, whether there is a context; its place and that of its level. */
export const STATEMENT_COLUMNS = 3 * TEXT_COLUMNS + 3 + 2 * PLACE_COLUMNS;
export const REFERENCE_COLUMNS = TEXT_COLUMNS + 1 + PLACE_COLUMNS;
export const NONE = -1;

/** What many statements have alike; each combination is written once. */
export type Attributes = Omit<
  Statement,
  'id' | 'text' | 'name' | 'location' | 'start' | 'end' | 'asilPlace' | 'context' | 'references'
>;
export type Manner = Pick<Reference, 'role' | 'exact' | 'source' | 'quotes'>;

/** Everything but numbers and texts. */
export interface Head {
  readonly parts: readonly Part[];
  /** How the texts are written: each character as it is, half of a pair of surrogates too. */
  readonly encoding: 'latin1' | 'utf16le';
}

export interface Part {
  readonly source: StatementSource;
  readonly statements: number;
  readonly references: number;
  readonly attributes: readonly Attributes[];
  readonly manners: readonly Manner[];
  /** Places, the line and cell of which are numbers of their own. */
  readonly places: readonly Location[];
  /** By position of their statement. */
  readonly contexts: Readonly<Record<number, NonNullable<Statement['context']>>>;
  readonly sentences: readonly LinkSentence[];
  readonly demands: readonly Location[];
}

/** The bytes of a column, turned round where the machine writes numbers the other way. */
export function littleEndian({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return endianness() === 'BE' ? bytes.swap32() : bytes;
}

/** In the place of a cell that is a number. */
export const NUMBERED_CELL = '#';
/** Columns are fewer. */
export const CELL_ROW = 1024;
