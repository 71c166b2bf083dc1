import type { CorpusDocument } from '../corpus/corpus.js';
import type { Passage } from '../corpus/passages/passage.js';
import type { QualitySeverity, RequirementLevel } from '../words/quality-words.js';

/** The text of one requirement, and what is known beside it. */
export interface RequirementText {
  readonly id: string;
  readonly text: string;
  readonly level?: RequirementLevel;
  /** As written: `B`, `ASIL B(D)`, `QM`. */
  readonly asil?: string;
  /** Attributes by field name: `timing`, `status`, `variant`, … */
  readonly fields?: ReadonlyMap<string, string>;
  /** True where the table that holds it is checked for its columns elsewhere: missing attributes are not reported again. */
  readonly fieldsChecked?: boolean;
}

/** A requirement with its place: `text` is the document's text from `start` to `end`. */
export interface StatedRequirement extends RequirementText {
  readonly document: CorpusDocument;
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
}

export interface QualityOptions {
  /** Ids of rules that are switched off. */
  readonly without?: readonly string[];
  /** Words that the project defines: they are neither vague nor unknown. */
  readonly glossary?: readonly string[];
  /** Verbs that are behaviour in this project: "support" in "shall support UDS service 0x22". */
  readonly allowedVerbs?: readonly string[];
}

/** What a rule found in one requirement. An observation about wording, never a verdict. */
export interface QualityHit {
  readonly rule: string;
  readonly severity: QualitySeverity;
  /** Half-open range in the requirement's text; the whole text where something is missing. */
  readonly start: number;
  readonly end: number;
  /** For a person, where more can be said than the rule says. */
  readonly note?: string;
  /** A better text or its shape; values that only the project knows stand in angle brackets. */
  readonly rewrite: string;
  /** Ids of the other requirements of the set that it is about. */
  readonly others?: readonly string[];
}
