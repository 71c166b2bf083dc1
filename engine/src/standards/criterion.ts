import type { Severity } from '../findings/finding.js';

/** What kind of demand a criterion is. */
export type CriterionKind =
  /** A chapter or process: groups others, is never judged itself. */
  | 'group'
  /** A document or record that has to exist; its children are expectations on its content. */
  | 'work_product'
  /** One thing that a work product has to contain. */
  | 'expectation'
  /** A base practice of a process assessment model. */
  | 'practice'
  /** A clause, article or control of an uploaded or outlined standard, known by its text only. */
  | 'clause';

/** How far a statement about a standard was checked; shown to whoever relies on it. */
export type Verification =
  /** Checked against a public source. */
  | 'verified'
  /** The number was checked, the name is an assessor's knowledge. */
  | 'number_verified'
  /** An assessor's knowledge, not checked again. */
  | 'assessor'
  /** To be compared with a licensed copy before it is shown as fact. */
  | 'uncertain';

/** What shows that a criterion is met. All parts are data; empty parts are not looked at. */
export interface LookFor {
  /** Template sections that treat it: `<document type>.<section key>`. */
  readonly sections?: readonly string[];
  /** Table columns that hold it: `<document type>.<table key>.<column key>`. */
  readonly columns?: readonly string[];
  /** Groups of equivalent phrases (English and German); each group is one part of the demand. */
  readonly terms?: readonly (readonly string[])[];
  /** The German ones of each group, for naming them to a German reader; absent where nobody gave any. */
  readonly german?: readonly (readonly string[])[];
  /** Document metadata that must be present: `version`, `status`, `author`, … */
  readonly metadata?: readonly string[];
  /** What words cannot show, an engine has to compute. */
  readonly rule?: 'no_open_placeholder' | 'consistent_integrity_level';
}

/** One thing that a standard demands. The list comes from the standard, never from a model. */
export interface Criterion {
  /** Stable over versions of the data: `26262-3:6.5.1`, `26262-3:6.5.1-4`, `aspice-4.0:SWE.1.BP3`, `AC-2`. */
  readonly id: string;
  readonly kind: CriterionKind;
  readonly parentId?: string;
  /** Clause as the standard numbers it: `6`, `15.5`, `SWE.1`, `SWE.1.BP3`. */
  readonly clause: string;
  readonly title: string;
  /** The demand in our own words (built-in) or as uploaded (the user's own copy). */
  readonly text: string;
  /** Title and demand in German, of built-in standards; uploaded ones have the words of their owner. */
  readonly german?: { readonly title: string; readonly text: string };
  /** Severity of its absence before the rubric adjusts it (domain H.1). */
  readonly severity: Severity;
  /** `shall` is demanded, `should` recommended (caps severity at medium). */
  readonly obligation: 'shall' | 'should';
  /** Id of a condition in `data/conditions.yaml`; without one the criterion always applies. */
  readonly condition?: string;
  /** Document types (ids of `data/document-types`) where it is expected. */
  readonly documentTypes?: readonly string[];
  /**
   * `name`: a document of one of these types is this work product only if it names it (a verification report of
   * what?). On a group it holds for what its practices look for. Where absent, being of the type is enough.
   */
  readonly identifiedBy?: 'name';
  /**
   * With `identifiedBy`: document types of what a review of this kind looks at. A record that names such a document
   * by its number, or such a work product by its name in a row, is about it.
   */
  readonly reviews?: readonly string[];
  /** True where a statement of intent is what is demanded (plans), so that trap T3 does not apply. */
  readonly plan?: boolean;
  readonly lookFor?: LookFor;
  readonly verified?: Verification;
  /** Level of a process assessment model at which it is asked for; 1 where absent. */
  readonly capabilityLevel?: number;
  /** Of a process: what it puts out, as ids of `data/information-items.yaml`. */
  readonly informationItems?: readonly string[];
}

export interface Standard {
  /** Catalog id (`iso-26262-3-2018`) or the id that the caller gives to an uploaded one. */
  readonly id: string;
  readonly designation: string;
  readonly title: string;
  readonly edition: string;
  readonly source: 'catalog' | 'uploaded';
  /** In the order of the standard; parents before their children. */
  readonly criteria: readonly Criterion[];
}
