import type { Picture } from '../pictures/picture.js';
import type { Mark } from '../report-words.js';

/** A piece of a line of text. */
export interface Span {
  readonly text: string;
  readonly strong?: true;
  /** Secondary information. */
  readonly soft?: true;
  /** Identifiers and hashes: fixed width, may be broken anywhere. */
  readonly code?: true;
  /** Shown as a label with this meaning. */
  readonly mark?: Mark;
}
export type Inline = string | readonly Span[];

export interface Column {
  readonly title: string;
  /** Share of the width, compared with the other columns. */
  readonly width: number;
  readonly align?: 'right';
}

/**
 * What HTML, PDF and Word are made of. The text is in the language of the report, the order is the reading order;
 * each format decides only how it looks.
 */
export type Block =
  | {
      readonly kind: 'cover';
      readonly title: string;
      readonly lead: string;
      readonly facts: readonly (readonly [label: string, value: Inline])[];
      readonly notice: string;
    }
  /** A list of the headings of level 1 and 2 stands here. */
  | { readonly kind: 'contents'; readonly title: string }
  | {
      readonly kind: 'heading';
      readonly level: 1 | 2 | 3;
      /** Unique in the report: letters, digits and dashes. */
      readonly id: string;
      readonly text: string;
      readonly marks?: readonly Span[];
    }
  | { readonly kind: 'paragraph'; readonly text: Inline }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: Inline])[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly columns: readonly Column[];
      /** The first cell of a row names it. */
      readonly rows: readonly (readonly Inline[])[];
      /** Rows to be filled in by hand. */
      readonly tall?: true;
    }
  | {
      readonly kind: 'quote';
      readonly text: string;
      /** Document, version and place. */
      readonly source: string;
      readonly role: Span;
      readonly note?: string;
    }
  | { readonly kind: 'picture'; readonly picture: Picture };
