import type { Location } from '../../documents/location.js';
import type { Confidence, Severity } from '../../findings/finding.js';
import type { WrittenAnswer } from './column-words.js';

/** One row of a checklist that somebody brought along. */
export interface OwnItem {
  /** With the prefix `USR-`. */
  readonly id: string;
  readonly text: string;
  /** What the item goes back to, in the words of the file. */
  readonly reference?: string;
  readonly severity?: Severity;
  readonly guidance?: string;
}

/**
 * What a person had written down in the file before: a claim, never evidence. Without a reference it is only `claimed`
 * and its confidence is low (domain H.4, T12).
 */
export interface ImportedAnswer {
  readonly itemId: string;
  readonly result: Exclude<WrittenAnswer, 'open'>;
  readonly standing: 'claimed' | 'referenced';
  readonly confidence: Extract<Confidence, 'low' | 'medium'>;
  readonly remark?: string;
  /** Where it can be seen, in the words of the file. */
  readonly evidence?: string;
  /** Row of the table. */
  readonly location?: Location;
}

/** Ids of own items, so that they never meet those of the lists that come with the engine (domain F.23). */
export const OWN_ITEM_PREFIX = 'USR-';

/** An id of the file with the prefix, once. */
export function ownItemId(id: string): string {
  const plain = id.replace(/\s+/g, ' ').trim();
  return plain.startsWith(OWN_ITEM_PREFIX) ? plain : `${OWN_ITEM_PREFIX}${plain}`;
}
