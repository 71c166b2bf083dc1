import type { Location } from '../../documents/location.js';

/**
 * The role of a passage. Only `body` passages can be evidence that something was done;
 * the others mention a topic without treating it (domain trap T1, T8, T11, T15).
 */
export type PassageRole =
  /** Prose, list items and table rows that state something. */
  | 'body'
  | 'heading'
  | 'toc'
  | 'header_footer'
  | 'caption'
  /** A section that announces content: purpose, scope, introduction. */
  | 'scope'
  /** A list of references or applicable documents. */
  | 'references'
  /** Abbreviations, glossary, definitions. */
  | 'glossary'
  /** Change history. */
  | 'history'
  /** Instructions of a template to its author. */
  | 'guidance'
  /** A reviewer's remark. */
  | 'comment'
  /** An example or illustration that is not about the item. */
  | 'example'
  /** A pick list or rating scale that comes with a form: what may be chosen, not what was found. */
  | 'catalogue'
  /** About another item or variant than the one under analysis (trap T4). */
  | 'other_item'
  | 'code'
  | 'figure';

/**
 * The unit of retrieval and evidence: a paragraph, list item, table row or caption of one document.
 * A passage never grows a score; a scored passage is a `Candidate`.
 */
export interface Passage {
  /** `<documentId>#<block index>`; unique within an analysis. */
  readonly id: string;
  readonly documentId: string;
  readonly blockIndex: number;
  readonly role: PassageRole;
  readonly text: string;
  /** Half-open range in the document's text. */
  readonly start: number;
  readonly end: number;
  readonly location: Location;
  /** True where the passage names the columns of its table. */
  readonly header?: boolean;
  /** For a table row: the column titles of its table, by grid column. */
  readonly columns?: readonly string[];
}
