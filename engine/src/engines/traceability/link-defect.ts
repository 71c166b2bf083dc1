import type { GapKind } from './rules.js';

/** A link that cannot be an edge, or an edge that skips a level. */
export interface LinkDefect {
  readonly kind: Extract<
    GapKind,
    | ('dangling_target' | 'self_link' | 'obsolete_target' | 'illegal_pair' | 'level_skip')
    | ('outdated_link' | 'predated_link' | 'unwanted_link' | 'ambiguous_link')
  >;
  readonly node: number;
  readonly other?: number;
  readonly missing?: string;
  readonly link: number;
  /** The missing end is a parent, or what the artifact realises, verifies or proves. */
  readonly upward?: boolean;
}
