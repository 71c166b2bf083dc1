import type { Block, FileProperties, ReadingNote } from './block.js';
import type * as formats from './formats/registry.js';

export type {
  Block,
  BlockDraft,
  BlockKind,
  Cell,
  FileProperties,
  ReadingNote,
  RecordLink,
  TableRecord,
} from './block.js';

/** The formats that the engine reads, by the names that they have in `formats/registry.ts`. */
export type DocumentFormat = keyof typeof formats;

/** A document as read: blocks in reading order, each with its place. */
export interface Document {
  readonly format: DocumentFormat;
  /** All block texts in order, joined by a line feed. Quotes are substrings of it. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly language: 'en' | 'de' | 'unknown';
  readonly properties: FileProperties;
  /** Number of pages, sheets for a workbook; absent where the format has neither. */
  readonly pageCount?: number;
  readonly notes: readonly ReadingNote[];
}
