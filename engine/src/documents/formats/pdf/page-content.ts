import type { HiddenReason } from '../../hidden-ranges.js';
import type { LinePlace } from '../../page-places/text-places.js';

/**
 * A page as drawn, before anything is understood. Coordinates are points (1/72 inch) in the upright page:
 * the page is turned so that most of its text reads from left to right, x grows to the right, y downwards.
 */
export interface PageContent {
  /** 1-based. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Quarter turns clockwise from the page as the file has it, before its own rotation, to the upright one. */
  readonly turn: 0 | 1 | 2 | 3;
  readonly segments: readonly Segment[];
  readonly rules: Rules;
  readonly pictures: readonly Picture[];
  /** Reviewers' notes attached to the page. */
  readonly comments: readonly string[];
  /** Text that the page's reader does not see; it takes no part in tables and paragraphs. */
  readonly hidden: readonly HiddenSegment[];
  /** The text of the page was recognised from a picture of it: the reader sees the picture. */
  readonly recognised: boolean;
  readonly letters: Letters;
}

export interface HiddenSegment extends Segment {
  readonly reason: HiddenReason;
}

/** How much of what is drawn as text could be read. */
export interface Letters {
  /** Characters drawn, without spaces. */
  readonly drawn: number;
  /** Of these, characters of fonts that do not say which letters they are. */
  readonly unmapped: number;
  /** Share of the page that pictures take, from 0 to 1. */
  readonly pictured: number;
}

/** Words drawn on one baseline without a wide gap and without a ruling line between them. */
export interface Segment {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** Baseline. */
  readonly y: number;
  /** Font size in points as seen on the page. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
  /** What the structure tree says of the segment, in tagged files. */
  readonly tag?: Tag;
  /** Where it stands on the picture of its page; only where places are kept. */
  readonly place?: LinePlace;
}

/** A block-level element of the structure tree. */
export interface Tag {
  /** Unique in the page; segments of one element belong to one block. */
  readonly element: number;
  /** Standard structure type: `H1`, `P`, `LI`, `TD`, `Caption`, `TOCI` … */
  readonly type: string;
}

/** A straight line along an axis: `at` is its place across, `from` to `to` its extent. */
export interface Rule {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface Rules {
  /** `at` is y, the extent is in x. */
  readonly horizontal: readonly Rule[];
  /** `at` is x, the extent is in y. */
  readonly vertical: readonly Rule[];
}

export interface Picture extends Box {
  /** Alternative text, possibly empty. */
  readonly text: string;
}

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}
