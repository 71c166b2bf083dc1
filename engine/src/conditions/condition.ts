import type { BothLanguages } from '../data/shared-schemas.js';

/**
 * When a criterion or a template section applies. Answered from the documents, else by a person,
 * else by the default.
 */
export interface Condition {
  readonly id: string;
  /** Follows "applies": `if the item has several variants`. */
  readonly label: BothLanguages;
  /** For a person; yes means that the condition holds. */
  readonly question: BothLanguages;
  /** Phrases, English and German, that show that it holds; one is enough. */
  readonly assertedBy: readonly string[];
  /** Phrases that show that it does not hold. */
  readonly deniedBy: readonly string[];
  /** A document of one of these types shows that it holds. */
  readonly assertedByDocumentTypes: readonly string[];
  /** Holds where an ASIL of at least this level is stated (domain E.3). */
  readonly asilAtLeast?: 'A' | 'B' | 'C' | 'D';
  /** Holds where an ASIL is stated with the original in brackets: `B(D)`. */
  readonly asilDecomposed?: true;
  /** What to take where neither documents nor a person answer; `ask` leaves it to a person. */
  readonly default: 'assume_true' | 'assume_false' | 'ask';
  /** Why this default is the safe one. */
  readonly reason: BothLanguages;
}
