import type { AsilLevel } from '../asil/asil.js';
import type { Corpus } from '../corpus/corpus.js';
import type { PhraseIndex } from '../corpus/mentions.js';
import type { ItemRecord } from '../facts/artifacts/records.js';
import type { Evidence, Finding } from '../findings/finding.js';
import type { ConsistencyKind } from '../findings/severity.js';
import type { Sentence } from '../sentences/sentence.js';

/** What consistency rules look at. */
export interface ConsistencyContext {
  readonly corpus: Corpus;
  readonly records: readonly ItemRecord[];
  readonly index: PhraseIndex;
}

/** Two places of the documents that do not fit together, or one that lacks what it needs. */
export interface Contradiction {
  readonly kind: ConsistencyKind;
  /** The item that is wrong: the identity of the finding. */
  readonly item: string;
  readonly asil?: AsilLevel;
  /** Risk value of the threat, 1 to 5, where the documents state one: the higher one of two. */
  readonly risk?: number;
  readonly confidence: Finding['confidence'];
  /** At most twelve words. */
  readonly title: Sentence;
  readonly expected: Sentence;
  readonly observed: Sentence;
  readonly whyItMatters: Sentence;
  /** Verb, object, content, place; owner and acceptance are added. */
  readonly recommendation: Sentence;
  readonly doneWhen: Sentence;
  readonly affectedItems: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** Finds one kind of contradiction. */
export type ConsistencyRule = (context: ConsistencyContext) => readonly Contradiction[];
