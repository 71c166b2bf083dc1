import type { Passage, PassageRole } from '../../corpus/passages/passage.js';
import type { Sentence } from '../../sentences/sentence.js';

/** Words of a criterion in a sentence. */
export interface Mention {
  /** The sentence, list item or cell. */
  readonly sentence: string;
  /** Half-open range of the words in `sentence`. */
  readonly start: number;
  readonly end: number;
  readonly role: PassageRole;
  /** The paragraph that the sentence stands in. */
  readonly around?: string;
  /** The row that a cell belongs to, with its column titles; absent for prose. */
  readonly row?: Pick<Passage, 'text' | 'columns'>;
  /** True where an announcement is what is demanded: the criterion asks for a plan. */
  readonly plan?: boolean;
}

/**
 * Why a mention is no evidence (domain H.4).
 * `counter` speaks against the criterion, `ignored` says nothing about it, `human` needs a person's eyes.
 */
export interface TrapHit {
  readonly trap: `T${number}`;
  readonly rule: string;
  readonly effect: 'counter' | 'ignored' | 'human';
  /** For a person; completes "not counted: …". */
  readonly note: Sentence;
}

/** One trap: undefined when it does not apply. */
export type Trap = (mention: Mention) => TrapHit | undefined;
