import type { Evidence } from '../../findings/finding.js';
import type { Sentence } from '../../sentences/sentence.js';

/** Something that is wrong with a document as a whole (EM-06 to EM-09 of domain D.5.2; EM-10 is a table that nobody could read). */
export interface StructureDefect {
  readonly rule: 'EM-06' | 'EM-07' | 'EM-08' | 'EM-09' | 'EM-10';
  readonly severity: 'medium' | 'low';
  /** What it is about: stable from run to run. */
  readonly item: string;
  readonly title: Sentence;
  readonly observed: Sentence;
  readonly evidence: readonly Evidence[];
}
