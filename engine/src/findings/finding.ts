import type { Location } from '../documents/location.js';
import type { Sentence } from '../sentences/sentence.js';

/** How bad it is. Never mixed with how sure we are. */
export type Severity = 'critical' | 'high' | 'medium' | 'low';
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[];

/** How sure we are: table field > explicit sentence > inference > absence after a partial search (domain H.1). */
export type Confidence = 'high' | 'medium' | 'low';

/** A place in a document version and the exact words that stand there. */
export interface Evidence {
  readonly documentId: string;
  readonly location: Location;
  /** Exact substring of the document's text, within one paragraph or one cell. */
  readonly quote: string;
  /** Half-open range in the document's text; `text.slice(start, end) === quote`. */
  readonly start: number;
  readonly end: number;
  /** `support` speaks for, `counter` against the criterion being met; `context` only mentions it. */
  readonly role: 'support' | 'counter' | 'context';
  /** Why it counts or does not count, for a person. */
  readonly note?: string;
  readonly said?: { readonly note: Sentence };
}

/** What was searched when nothing was found: absence is evidence too. */
export interface Search {
  /** For a person: "Searched 4 documents (812 passages) for …; nothing found." */
  readonly statement: string;
  readonly documentIds: readonly string[];
  readonly passages: number;
  readonly terms: readonly string[];
  readonly said?: { readonly statement: Sentence };
}

/** The answer for one criterion. */
export const VERDICTS = [
  /** Every part of the demand is shown, with quotes. */
  'covered',
  /** Some parts are shown, others are not. */
  'partial',
  /** Not found in these versions. */
  'missing',
  /** The condition of the criterion is not met, or tailored out with a reason. */
  'not_applicable',
  /** The rules cannot decide; the evidence is listed for a person. */
  'needs_review',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface CriterionVerdict {
  readonly criterionId: string;
  readonly verdict: Verdict;
  readonly confidence: Confidence;
  /** The rules that decided, strongest first: `section-present`, `T3-intent`, … */
  readonly rules: readonly string[];
  /** One or two sentences for a person. */
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly search?: Search;
  readonly defects?: Finding['defects'];
  readonly said?: { readonly reason: Sentence };
}

/** An artifact that has what a finding tells, or for which it follows; a section or field that is not there. */
export interface AffectedItem {
  /** Id as the document writes it; of a section that of the template: `hara.misuse`. */
  readonly id: string;
  /** What it lacks, where the id alone does not tell. */
  readonly title?: string;
  /** That of the finding; another one where it follows from it. */
  readonly kind: string;
  readonly severity: Severity;
  /** Kind of the gap that it follows from: it is not counted, and closes with it. Absent: it is what the finding is about. */
  readonly causedBy?: string;
  readonly documentId?: string;
  readonly location?: Location;
  /** What was searched for it, where it was not found. */
  readonly search?: Search;
  readonly said?: { readonly title: Sentence };
}

/** A gap: something that the documents given do not show (domain H.2). */
export interface Finding {
  /** Stable from run to run: hash of kind, criterion and affected item. */
  readonly fingerprint: string;
  readonly kind: string;
  readonly criterionId: string;
  /** At most twelve words: artefact and defect. */
  readonly title: string;
  /** Work product and clause, no text of the standard. */
  readonly standardRef: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** The questions and adjustments of the rubric that led to the severity. */
  readonly severityReasons: readonly string[];
  readonly asil?: string;
  readonly expected: string;
  readonly observed: string;
  readonly whyItMatters: string;
  readonly recommendation: string;
  readonly effortHint?: 'minutes' | 'hours' | 'days';
  readonly affectedItems: readonly string[];
  /** Of a cause that several artifacts have: all of them with their places, those that follow from it with the kind that they are. */
  readonly affected?: readonly AffectedItem[];
  /**
   * Every single thing that is wrong, as `what: where` in words of the documents (`FTTI: FSR-02`), where quotes and affected
   * items are a selection: a decision of a person about the finding covers these and no others. In no order, equal ones as
   * often as they occur.
   */
  readonly defects?: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly search?: Search;
  /** What a language model had to do with it; absent where rules alone speak. */
  readonly byModel?: ModelMark;
  /** Steps that a language model wrote, beside the recommendation of the rules. */
  readonly remedy?: Remedy;
  /** What it is about, where several analyses may tell it (`subject.ts`). */
  readonly subject?: string;
  /** What its words say: key and values, for every language. */
  readonly said?: FindingWords;
}

/** What a language model had to do with a finding. */
export const MODEL_MARKS = [
  /** Rules found a gap, the model found statements that may close it: a person has to confirm that. */
  'closed_by_model',
  /** Rules found a gap and the model another one, or a person has to decide between them. */
  'differs_from_model',
  /** Rules found none. */
  'found_by_model',
] as const;
export type ModelMark = (typeof MODEL_MARKS)[number];

/** How a gap can be closed, in words of a language model: each step was checked for what is not in the finding. */
export interface Remedy {
  readonly language: 'en' | 'de';
  readonly steps: readonly string[];
  readonly effort?: 'minutes' | 'hours' | 'days';
}

/** The fields of a finding that are words. */
export interface FindingWords {
  readonly title: Sentence;
  readonly severityReasons: readonly Sentence[];
  readonly expected: Sentence;
  readonly observed: Sentence;
  readonly whyItMatters: Sentence;
  readonly recommendation: Sentence;
  /** Where the reference has words: templates, parts of a standard. */
  readonly standardRef?: Sentence;
  /** Where they have words of ours; by the English ones they are known. */
  readonly affectedItems?: readonly Sentence[];
}
