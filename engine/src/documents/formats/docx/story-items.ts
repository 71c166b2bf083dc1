import type { HiddenReason } from '../../hidden-ranges.js';
import type { Shade } from './styles.js';

/** A paragraph as stored, before it is decided what it is. */
export interface StoryParagraph {
  readonly kind: 'paragraph';
  text: string;
  /** 1-based, counted by the page breaks that Word recorded when it last laid the document out. */
  page: number;
  styleId?: string;
  numberingId?: string;
  listLevel?: number;
  /** 0-based; 9 says body text. */
  outlineLevel?: number;
  boldCharacters: number;
  /** Background of the whole paragraph, where it states one. */
  shade?: Shade;
  /** What nobody sees of it, in order; not part of its text. */
  readonly hidden: { readonly reason: HiddenReason; text: string }[];
  inContents: boolean;
  /** Holds a field that counts figures or tables. */
  numbered: boolean;
  /** Alternative texts of pictures anchored here. */
  readonly figures: string[];
  /** `footnote 2`, `endnote 1`, `comment 0`. */
  readonly references: string[];
  /** Content of text boxes anchored here. */
  readonly boxes: StoryItem[];
}

export interface StoryCell {
  /** 0-based grid column. */
  readonly column: number;
  span: number;
  /** Lower part of a cell merged over several rows. */
  continuation: boolean;
  shaded: boolean;
  shade: Shade | undefined;
  readonly items: StoryItem[];
}

export interface StoryRow {
  readonly cells: StoryCell[];
  header: boolean;
  deleted: boolean;
  nextColumn: number;
}

export interface StoryTable {
  readonly kind: 'table';
  readonly rows: StoryRow[];
}

export type StoryItem = StoryParagraph | StoryTable;

/** What a person should know about the whole story. */
export interface StoryFacts {
  insertions: number;
  deletions: number;
  embeddedObjects: number;
  /** Pages on which something is drawn behind the text: the colour of its background is not known there. */
  readonly drawnBehind: ReadonlySet<number>;
  /** Number of pages where Word recorded its layout. */
  pages?: number;
}

export interface StoryHandler {
  /** A paragraph or table at the top level; `group` is the id of the note or comment that it belongs to. */
  item(item: StoryItem, group: string): void;
}
