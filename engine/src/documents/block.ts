import type { Sentence } from '../sentences/sentence.js';
import { type HiddenRange, mergeRanges } from './hidden-ranges.js';
import type { Location } from './location.js';
import type { TextPlace } from './page-places/text-places.js';

/**
 * What a block is. Only `paragraph`, `list_item` and body `table_row`s say something;
 * the others name, repeat, list or comment on what is said elsewhere.
 */
export type BlockKind =
  /** Title of a section; `level` 1 is outermost. */
  | 'heading'
  /** Running prose. */
  | 'paragraph'
  /** One item of a list; `level` is its depth, 1 outermost. */
  | 'list_item'
  /** One row of a table, with its `cells`. */
  | 'table_row'
  /** Title of a figure or table. */
  | 'caption'
  /** Repeated at the top of pages. */
  | 'page_header'
  /** Repeated at the bottom of pages, page numbers included. */
  | 'page_footer'
  /** An entry of a table of contents, list of figures or list of tables. */
  | 'toc_entry'
  /** Source code, literal blocks, formulas. */
  | 'code'
  /** A picture; the text is its alternative text, possibly empty. */
  | 'figure'
  /** A reviewer's comment attached to the document. */
  | 'comment';

export interface Cell {
  readonly text: string;
  /** Half-open range in `Document.text`. */
  readonly start: number;
  readonly end: number;
  /** 0-based column in the table's grid. */
  readonly column: number;
  /** Number of grid columns covered; 1 where absent. */
  readonly span?: number;
  /** Number of rows of the table covered; 1 where absent. The rows below have no cell, or an empty one, in its column. */
  readonly rows?: number;
  readonly location: Location;
}

/** A link as a requirements tool states it: from the record that holds it to `target`. */
export interface RecordLink {
  /** Kind of link in the tool's own words: name of a relation type, of a field or of a role. */
  readonly type: string;
  /** Id of the record that it leads to; it need not be in the same document. */
  readonly target: string;
  /** Version of the target that is meant, where the link names one. */
  readonly version?: string;
  /** Grid column of the cell that shows the link. */
  readonly column: number;
}

/**
 * What a table row stands for in the data of a requirements or test tool. Such rows are records by the format itself,
 * so neither id nor links have to be guessed from the row. The attributes are the row's cells.
 */
export interface TableRecord {
  /** Id by which people and links name the record. */
  readonly id: string;
  /** Kind of record in the tool's own words: `System Requirement`, `FeatReq`. */
  readonly type?: string;
  readonly links?: readonly RecordLink[];
}

export interface Block {
  /** Position in `Document.blocks`. */
  readonly index: number;
  readonly kind: BlockKind;
  /** Plain text; a table row's cells are joined by a tab. */
  readonly text: string;
  /** Half-open range in `Document.text`: `document.text.slice(start, end) === text`. */
  readonly start: number;
  readonly end: number;
  readonly location: Location;
  /** Level of a heading or depth of a list item, from 1. */
  readonly level?: number;
  /** Which table of the document (from 0), which row of it (from 0), and whether the row names the columns. */
  readonly table?: { readonly id: number; readonly row: number; readonly header: boolean };
  readonly cells?: readonly Cell[];
  /** Of a table row that is one record of a requirements or test tool. */
  readonly record?: TableRecord;
  /** What of the block a reader of the document does not see: ranges in `Document.text`, in order. Absent: all is seen. */
  readonly hidden?: readonly HiddenRange[];
}

/** Something that the reader has to tell whoever relies on the result. */
export interface ReadingNote {
  readonly code:
    | 'page_without_text'
    /** Characters are drawn that the file does not say the letters of. */
    | 'unmapped_text'
    | 'tracked_changes'
    /** Text that a reader does not see: it was read, and is no evidence. */
    | 'hidden_content'
    /** Hidden text gives orders to whoever evaluates the document (trap T16). */
    | 'hidden_instruction'
    /** Text recognised from pictures of pages lies invisible behind them. */
    | 'recognised_text'
    | 'truncated'
    /** A table says that it has more columns than any table; those without cells were left out. */
    | 'columns_left_out'
    | 'embedded_object'
    | 'encoding_guessed'
    /** A record refers to something that is not in the file. */
    | 'broken_reference'
    /** Several records of the file have the same id. */
    | 'duplicate_id';
  readonly message: string;
  /** What the message says, for other languages (`texts/reading.*.yaml`); documents that an earlier version read lack it. */
  readonly said?: { readonly message: Sentence };
  readonly location?: Location;
}

/** A note before it is in words: a process that reads knows no texts. */
export interface DraftNote {
  readonly code: ReadingNote['code'];
  readonly message: Sentence;
  readonly location?: Location;
}

/** Properties stored in the file beside its visible content; a fallback, never a proof of approval. */
export interface FileProperties {
  readonly title?: string;
  readonly author?: string;
  readonly lastModifiedBy?: string;
  readonly created?: string;
  readonly modified?: string;
  readonly revision?: string;
}

/** A block before its place in the text is known; what format readers emit. */
export type BlockDraft = {
  kind: BlockKind;
  text: string;
  location: Location;
  level?: number;
  table?: { id: number; row: number; header: boolean };
  cells?: {
    text: string;
    column: number;
    span?: number;
    rows?: number;
    location: Location;
    hidden?: readonly HiddenRange[] | undefined;
    places?: readonly TextPlace[];
  }[];
  record?: TableRecord;
  /** Ranges in `text`; those of cells stand at the cells, in the cell's text. */
  hidden?: readonly HiddenRange[] | undefined;
  /** Where its letters stand on pictures of pages, in `text`; those of cells stand at the cells. Only where places are kept. */
  places?: readonly TextPlace[];
};

/** Puts drafts in order, joins their texts and fixes every range. Linear; all texts are slices of the joined one. */
export function assembleBlocks(drafts: Iterable<BlockDraft>): { text: string; blocks: Block[] } {
  const list = [...drafts];
  const text = list
    .map((draft) => (draft.cells ? draft.cells.map((cell) => cell.text).join('\t') : draft.text))
    .join('\n');
  let offset = 0;
  const blocks = list.map((draft, index): Block => {
    const start = offset;
    let cellStart = start;
    const cells = draft.cells?.map((cell): Cell => {
      const from = cellStart;
      cellStart += cell.text.length + 1;
      const { column, span, rows, location } = cell;
      const content = text.slice(from, cellStart - 1);
      // Written out because copying objects is what takes the time in large tables.
      const own: { -readonly [Key in keyof Cell]: Cell[Key] } =
        span === undefined
          ? { text: content, start: from, end: cellStart - 1, column, location }
          : { text: content, start: from, end: cellStart - 1, column, span, location };
      if (rows !== undefined) own.rows = rows;
      return own;
    });
    const end = cells ? Math.max(start, cellStart - 1) : start + draft.text.length;
    offset = end + 1;
    const hidden = hiddenRanges(draft, start, cells);
    const block: { -readonly [Key in keyof Block]: Block[Key] } = {
      index,
      kind: draft.kind,
      text: text.slice(start, end),
      start,
      end,
      location: draft.location,
    };
    if (draft.level !== undefined) block.level = draft.level;
    if (draft.table) block.table = draft.table;
    if (cells) block.cells = cells;
    if (draft.record) block.record = draft.record;
    if (hidden) block.hidden = hidden;
    return block;
  });
  return { text, blocks };
}

/** The hidden ranges of a draft, in the text of the document. */
function hiddenRanges(
  draft: BlockDraft,
  start: number,
  cells: readonly Cell[] | undefined,
): readonly HiddenRange[] | undefined {
  const marked = cells ? draft.cells!.some((cell) => cell.hidden) : draft.hidden !== undefined;
  if (!marked) return undefined;
  const shifted = (ranges: readonly HiddenRange[] | undefined, by: number) =>
    (ranges ?? []).map((range) => ({ ...range, start: range.start + by, end: range.end + by }));
  const ranges = cells
    ? cells.flatMap((cell, at) => shifted(draft.cells![at]!.hidden, cell.start))
    : shifted(draft.hidden, start);
  const merged = mergeRanges(ranges, cells ? 1 : 0);
  return merged.length > 0 ? merged : undefined;
}
