import type { RequirementAxis } from '../../advice/rate-requirements.js';
import type { Agreement } from '../../contradictions/agreement.js';
import type { DocumentType } from '../../document-types/document-type.js';
import type { DocumentStatus } from '../../documents/document-status.js';
import type { QualityOptions } from '../../facts/requirement.js';
import type { Evidence, Finding, Search, Severity } from '../../findings/finding.js';
import type { NotDue } from '../../findings/not-due.js';
import type { ModelStatement, ModelUse, NoAnswer } from '../../models/asking.js';
import type { RuleCount } from '../../requirement-quality/requirement-quality.js';
import type { Sentence } from '../../sentences/sentence.js';
import type { QualitySeverity } from '../../words/quality-words.js';
import type { RunEvent, RunInput } from '../engine-run.js';
import type { RunMethod } from '../run-method.js';

export interface CompletenessOptions {
  /** Answers to the questions of `conditions.yaml`, by condition id. */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** ISO date; without it no date is in the future. */
  readonly today?: string;
  /** Observations on the wording of requirements; `least` is the lowest severity that is listed, medium where absent. */
  readonly requirementQuality?: QualityOptions & { readonly least?: QualitySeverity };
}

export interface CompletenessInput extends RunInput<CheckedDocument> {
  /** Ids of the types to consider; all where absent. */
  readonly documentTypes?: readonly string[];
  /** Own templates. A document that is of one of them is checked against it alone. */
  readonly templates?: readonly DocumentType[];
  readonly options?: CompletenessOptions;
  /** A language model that is asked how requirements are written; advice beside the rules. */
  readonly model?: ModelUse;
}

/** What is known of one document when it has been checked; findings are put in order when all have been. */
export interface CheckedDocument {
  readonly document: DocumentCompleteness;
  readonly findings: readonly Finding[];
}

/** How a section of a template stands in a document (domain D.3). */
export const COMPLETENESS_STATES = [
  'complete',
  /** Too few words, half-filled rows, or a figure that nobody explains. */
  'thin',
  /** Nothing but open points. */
  'placeholder',
  /** Nothing, only the template's instructions, or "not applicable" without a reason. */
  'empty',
  /** Points to another document. */
  'by_reference',
  /** Declared not applicable with a reason. */
  'tailored_out',
  /** The content is there, under another heading. */
  'present_unlabelled',
  'missing',
] as const;
export type CompletenessState = (typeof COMPLETENESS_STATES)[number];

/** A section of a template as one document has it. */
export interface SectionResult {
  readonly key: string;
  /** As the template names it, in the language of the document. */
  readonly title: string;
  readonly need: 'required' | 'conditional' | 'optional';
  /** Whether it is demanded of this document; `unknown` where a person has to answer the condition. */
  readonly applies: 'yes' | 'no' | 'unknown';
  readonly condition?: {
    readonly id: string;
    readonly question: string;
    readonly reason: string;
    readonly said: { readonly question: Sentence; readonly reason: Sentence };
  };
  readonly severity: Severity;
  readonly critical: boolean;
  readonly state: CompletenessState;
  /** For a person. */
  readonly reason: string;
  /** What its words say: key and values, for every language. */
  readonly said: { readonly reason: Sentence; readonly title: Sentence };
  /** A figure that cannot be read, a reference that cannot be followed: a person has to look. */
  readonly needsPerson: boolean;
  /** The heading in the document. */
  readonly heading?: string;
  /** Words of prose, filled rows and instructions of the template under it. */
  readonly words: number;
  readonly rows: number;
  readonly instructions: number;
  readonly reference?: SectionReference;
  readonly evidence: readonly Evidence[];
  readonly search?: Search;
}

export interface SectionReference {
  /** What the section names. */
  readonly name: string;
  readonly target: 'provided' | 'not_provided' | 'lacks_content';
  readonly documentId?: string;
}

/** A table of a template as one document has it. */
export interface TableResult {
  readonly key: string;
  readonly title: string;
  readonly state: 'found' | 'no_rows' | 'not_found';
  readonly rows: number;
  readonly columns: readonly ColumnResult[];
  readonly evidence: readonly Evidence[];
}

export interface ColumnResult {
  readonly key: string;
  readonly title: string;
  readonly required: boolean;
  /** `elsewhere`: no such column, but a section of its own holds the content. */
  readonly state: 'present' | 'elsewhere' | 'missing';
  /** Rows in which the cell says nothing. */
  readonly emptyCells: number;
  /** These rows, each by its first cell. */
  readonly emptyRows: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** A metadata field as one document has it (domain D.2). */
export interface MetadataResult {
  readonly key: string;
  readonly label: string;
  readonly need: 'required' | 'conditional' | 'optional';
  readonly applies: boolean;
  readonly state: 'present' | 'open' | 'file_property_only' | 'missing';
  readonly value?: string;
  /** What is wrong with the value, for a person. */
  readonly problems: readonly string[];
  readonly said: { readonly label: Sentence; readonly problems: readonly Sentence[] };
  readonly severity: Severity;
  readonly evidence: readonly Evidence[];
}

/** Open content of one section and one pattern. */
export interface PlaceholderResult {
  /** `PH-01` … */
  readonly pattern: string;
  readonly what: string;
  readonly said: { readonly what: Sentence };
  readonly section: string;
  readonly count: number;
  readonly place: 'normative' | 'metadata' | 'other' | 'optional';
  /** All of them have an owner and a due date. */
  readonly tracked: boolean;
  readonly severity: Severity;
  readonly confidence: number;
  readonly items: readonly string[];
  /** Each place: what is open of which record, else the words that are. */
  readonly defects: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** How the wording of a requirement could be read more than one way. Never a finding, never part of the score. */
export interface Observation {
  readonly requirement: string;
  /** `RQQ-01` … */
  readonly rule: string;
  readonly severity: QualitySeverity;
  readonly finding: string;
  readonly why: string;
  readonly said: { readonly finding: Sentence; readonly why: Sentence };
  readonly note?: string;
  readonly rewrite: string;
  /** Ids of the other requirements that it is about. */
  readonly others: readonly string[];
  readonly evidence: Evidence;
}

export interface RequirementQualityResult {
  /** Requirements found. */
  readonly requirements: number;
  /** Share without an observation of high or medium severity, 0 to 1; null without requirements. */
  readonly clean: number | null;
  /** Rules by how many requirements they fire on, most first. */
  readonly rules: readonly (RuleCount & { readonly said: { readonly finding: Sentence } })[];
  /** Requirements by EARS shape. */
  readonly ears: Readonly<Record<string, number>>;
  /** Score of each requirement, 0 to 100, in order. */
  readonly scores: readonly { readonly requirement: string; readonly score: number }[];
  /** Rules that fire on more than two fifths stand in `rules` only, with three observations here as examples. */
  readonly observations: readonly Observation[];
}

/** Never to be shown without the counts of states. */
export interface CompletenessScore {
  /** 0 to 100; null when nothing is demanded. */
  readonly value: number | null;
  /** Sections that are demanded, by state. */
  readonly states: Readonly<Record<CompletenessState, number>>;
  /** Sections whose condition a person has to answer; not part of the value. */
  readonly unknown: number;
  /** Of all documents together: how far they agree with themselves, which is a factor of the value. */
  readonly agreement?: Agreement;
}

/** A document, or a part of one, against one template. */
export interface TemplateCheck {
  readonly type: string;
  readonly name: string;
  readonly said: { readonly name: Sentence };
  readonly part: 'document' | 'section';
  readonly confidence: 'high' | 'medium' | 'low';
  /** What it was known by. */
  readonly reasons: readonly string[];
  /** Nothing but the template itself. */
  readonly emptyTemplate: boolean;
  readonly sections: readonly SectionResult[];
  readonly tables: readonly TableResult[];
  readonly score: CompletenessScore;
}

export interface DocumentCompleteness {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly language: string;
  readonly status: DocumentStatus;
  /** Why it was not checked. */
  readonly setAside?: string;
  readonly templates: readonly TemplateCheck[];
  readonly metadata: readonly MetadataResult[];
  readonly placeholders: readonly PlaceholderResult[];
  /** Blocks of instructions of the template that are still there. */
  readonly instructions: { readonly count: number; readonly evidence: readonly Evidence[] };
  readonly requirementQuality: RequirementQualityResult;
  readonly score: CompletenessScore;
  /** Identities of its findings, in the order of `findings`. */
  readonly findings: readonly string[];
  /** What the reader had to say: pages without text, tracked changes. */
  readonly notes: readonly string[];
  readonly said: { readonly notes: readonly Sentence[] };
}

/** A condition that only a person can answer, with the sections that wait for it. */
export interface OpenQuestion {
  readonly condition: string;
  readonly question: string;
  readonly reason: string;
  readonly said: { readonly question: Sentence; readonly reason: Sentence };
  readonly sections: readonly { readonly documentId: string; readonly section: string }[];
}

/** The result; plain JSON, the same byte for byte for the same input. */
export interface CompletenessAnalysis {
  readonly schema: 'normtrace.completeness/1';
  readonly method: RunMethod & {
    /** Ids of own templates. */
    readonly ownTemplates: readonly string[];
    /** The language model that was asked about requirements, how much, and why it told nothing where it did not. */
    readonly model?: ModelStatement;
  };
  readonly documents: readonly DocumentCompleteness[];
  /** Most severe first. */
  readonly findings: readonly Finding[];
  readonly questions: readonly OpenQuestion[];
  /** Sections that are not due in the phase of the project, or not done in it, and are not there. */
  readonly notDue: readonly NotDue[];
  readonly score: CompletenessScore;
  readonly counts: { readonly severities: Readonly<Record<Severity, number>> };
  /** With a language model: how requirements are written, requirement by requirement and axis by axis. */
  readonly opinions?: readonly RequirementOpinion[];
  readonly looked?: RequirementsLooked;
  /** With a language model: chapters of documents whose kind rules could not tell, by document. */
  readonly chapters?: readonly ChapterOpinion[];
}

/** What a language model takes a chapter for; a person gives documents their types. */
export interface ChapterOpinion {
  readonly documentId: string;
  readonly name: string;
  /** Block of its heading. */
  readonly block?: number;
  readonly heading?: string;
  /** Document type that it proposes; absent where there is no answer. */
  readonly typeId?: string;
  /** The heading. */
  readonly evidence: readonly Evidence[];
  readonly because?: NoAnswer;
}

/** What a language model said of one requirement along one axis: advice that changes no finding and no score. */
export interface RequirementOpinion {
  readonly documentId: string;
  readonly requirementId: string;
  readonly axis: RequirementAxis;
  /** 3: nothing to say against it; 0: it cannot be understood. Absent where the model could not tell. */
  readonly score?: 0 | 1 | 2 | 3;
  /** The model's own words. */
  readonly reason?: string;
  /** The words that are to blame. */
  readonly evidence: readonly Evidence[];
  /** Why there is no score. */
  readonly because?: NoAnswer | 'cannot_tell';
}

/** How many requirements a language model was asked about, of all. */
export interface RequirementsLooked {
  readonly requirements: number;
  readonly of: number;
}

/** `opinions`: a language model is asked; comes only where there is one. */
export type CompletenessStage = 'passages' | 'conditions' | 'documents' | 'opinions' | 'findings';
/** A unit is a document that was checked. */
export type CompletenessEvent = RunEvent<CompletenessStage, CheckedDocument, CompletenessAnalysis>;
