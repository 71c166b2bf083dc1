import type { Mark } from '../report-words.js';

/** A picture as data; `alt` says the same in words. */
export type Picture = BarPicture | VPicture;

interface Described {
  readonly title: string;
  readonly alt: string;
}

/** One bar a row, made of parts; all bars share one scale. */
export interface BarPicture extends Described {
  readonly kind: 'bars';
  /** `full`: every bar is as long as the picture; `scale`: as long as its total. */
  readonly length: 'full' | 'scale';
  readonly rows: readonly { readonly label: string; readonly parts: readonly BarPart[] }[];
  readonly legend: readonly { readonly mark: Mark; readonly label: string }[];
}

export interface BarPart {
  readonly mark: Mark;
  readonly value: number;
}

/** The V: demands going down on the left, with what checks them on the right. */
export interface VPicture extends Described {
  readonly kind: 'v';
  readonly levels: readonly {
    readonly label: string;
    readonly parts: readonly BarPart[];
    /** Shown on the right-hand side. */
    readonly share: string;
  }[];
  readonly bottom: string;
  readonly legend: readonly { readonly mark: Mark; readonly label: string }[];
}
