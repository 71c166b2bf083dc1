import type { BlockDraft, DraftNote, FileProperties } from './block.js';
import type { PageShape } from './page-places/page-file.js';
import type { ReadingHelp } from './reading-help.js';
import type { ReadingLimits } from './reading-limits.js';

/** What a reader is given besides the bytes. */
export interface ReadingContext {
  /** Name as uploaded; a hint only, never trusted. */
  readonly fileName: string;
  readonly limits: ReadingLimits;
  /** Whether the places of letters on pictures of pages are kept, in formats that have pages of their own. */
  readonly keepPlaces?: boolean;
  /** Where another process may read a part of a long document. */
  readonly help?: ReadingHelp;
  /** Units are the format's own: pages, sheets, rows. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a reader gives back: blocks in reading order; ranges and language are added by `readDocument`. */
export interface DocumentDraft {
  readonly blocks: readonly BlockDraft[];
  readonly properties: FileProperties;
  readonly pageCount?: number;
  readonly notes: readonly DraftNote[];
  /** Its pages, where places are kept. */
  readonly pages?: readonly PageShape[];
}

/** What a format's entry loads when the first file of the format arrives. */
export interface FormatReader {
  /**
   * Reads bytes whose content was recognised as this format. Runs inside the limited child process.
   * Throws `DocumentError` for files that a person has to do something about.
   */
  read(bytes: Uint8Array, context: ReadingContext): Promise<DocumentDraft>;
}
