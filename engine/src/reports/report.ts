import type { AnalysisScope } from '../corpus/corpus.js';
import type { DocumentFields } from '../engines/run-method.js';
import type { MatrixLink, MatrixStatus } from '../engines/traceability/traceability.js';
import type { AffectedItem, Confidence, Evidence, Finding, Severity } from '../findings/finding.js';
import type { NotDueBecause } from '../findings/not-due.js';
import type { SettledVerdict } from '../judgement/model/settled-verdict.js';

export const REPORT_LANGUAGES = ['en', 'de'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** Chapters that a report may leave out; cover, overview, scope and method are in each. */
export const REPORT_CHAPTERS = [
  ...(['causes', 'summaries', 'findings', 'matrix', 'results', 'differences', 'advice'] as const),
  ...(['questions', 'waivers', 'sign_off'] as const),
] as const;
export type ReportChapter = (typeof REPORT_CHAPTERS)[number];

/** Which findings a report tells, where not all, and how many it leaves out. */
export interface ReportSelection {
  readonly severities?: readonly Severity[];
  readonly statuses?: readonly NonNullable<ReportFinding['status']>[];
  /** ISO 8601: only what the run that ended then did not find. */
  readonly since?: string;
  readonly findings: number;
  readonly leftOut: number;
}

export const REPORTED_TYPES = ['gap_analysis', 'completeness', 'checklist', 'traceability'] as const;
export type ReportedType = (typeof REPORTED_TYPES)[number];

/**
 * What a report says, independent of format and plain JSON: one part for each analysis. Dates and names come in from
 * outside, so that the same input gives the same bytes in every format.
 */
export interface Report {
  readonly schema: 'normtrace.report/1';
  readonly language: ReportLanguage;
  readonly title: string;
  readonly workspace?: string;
  readonly author?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly tool: { readonly name: string; readonly version: string };
  /** What the report is not (domain I.3), in its language. */
  readonly notice: string;
  /** SHA-256 over scope, documents and parts as JSON: what was reported, however and whenever it is printed. */
  readonly contentHash: string;
  readonly scope: AnalysisScope;
  /** How confidential it is, as whoever made it says: on every page. */
  readonly mark?: string;
  /** Facts of the cover that whoever made it added. No part of the hash. */
  readonly cover?: readonly { readonly label: string; readonly value: string }[];
  /** What is printed; everything where absent. No part of the hash. */
  readonly chapters?: readonly ReportChapter[];
  readonly selection?: ReportSelection;
  readonly documents: readonly ReportDocument[];
  readonly parts: readonly ReportPart[];
  /** Sentences that a language model wrote about the whole; numbers in them are put in by code. No part of the hash. */
  readonly summary?: WrittenByModel;
  /** A copy for one person, marked as such on every page. */
  readonly copyFor?: { readonly name: string; readonly at: string };
  /** Words of an uploaded standard are not in this copy. */
  readonly wordsRemoved?: true;
}

/** A document version that was read. */
export interface ReportDocument {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly types: readonly string[];
  readonly status?: string;
  /** As the document itself states them. */
  readonly stated?: DocumentFields;
  /** Why it was not used as evidence. */
  readonly setAside?: string;
  /** What the reader had to say: pages without text, tracked changes. */
  readonly notes: readonly string[];
}

/** One analysis. */
export interface ReportPart {
  /** Of the analysis; unique in the report. */
  readonly id: string;
  readonly type: ReportedType;
  /** What the documents were compared with: a standard, a checklist; empty where there is only the method. */
  readonly subject: string;
  readonly standard?: {
    readonly id: string;
    readonly designation: string;
    readonly title: string;
    readonly edition: string;
    /** Words of an uploaded one belong to its licence holder. */
    readonly source: 'catalog' | 'uploaded';
  };
  readonly engine: { readonly name: string; readonly version: string };
  readonly mode: 'rules' | 'ai';
  /** ISO 8601, when the analysis ended. */
  readonly finishedAt?: string;
  readonly method: ReportMethod;
  /**
   * 0 to 100; `upTo`: if everything that a person still has to decide turned out to be met; `agreement`: the factor for documents
   * that contradict themselves.
   */
  readonly score: {
    readonly value: number | null;
    readonly upTo?: number | null;
    readonly agreement?: {
      readonly value: number;
      readonly defects: number;
      readonly weight: number;
      readonly statements: number;
    };
  };
  readonly severities: Readonly<Record<Severity, number>>;
  readonly changes?: Readonly<Record<'new' | 'unchanged' | 'updated' | 'absent', number>>;
  /** Findings of the earlier report that are not found any more. */
  readonly gone?: readonly { readonly severity: Severity; readonly title: string }[];
  /** Areas in order: clause groups, documents, types of gap. Results and findings name one by `group`. */
  readonly groups: readonly ReportGroup[];
  /** One for each thing that was judged, in the order of standard, template or checklist. */
  readonly results: readonly ReportResult[];
  /** In the order of the groups, most severe first within one. */
  readonly findings: readonly ReportFinding[];
  /** What only a person can decide. */
  readonly questions: readonly { readonly subject: string; readonly text: string }[];
  readonly notAssessed: readonly { readonly subject: string; readonly reason: string }[];
  /** What is not due in the phase of the project, or not done in it, by reason: no findings, in no score and no count. */
  readonly notDue?: readonly {
    readonly because: NotDueBecause;
    readonly reason: string;
    /** Ids of criteria, items of checklists, sections (`<type>.<key>`) or artifacts. */
    readonly items: readonly string[];
  }[];
  readonly trace?: ReportTrace;
  /** What a language model said that is no verdict and changes none: wording of requirements, proposed links, kinds of chapters. */
  readonly advice?: readonly ReportAdvice[];
  /** Sentences that a language model wrote about this result; numbers in them are put in by code. */
  readonly written?: WrittenByModel;
}

/** Sentences of a language model with the fingerprints of the findings that they rest on. */
export interface WrittenByModel {
  readonly model: string;
  readonly sentences: readonly { readonly text: string; readonly findings: readonly string[] }[];
}

/** A rating of how something is written, or an answer to something proposed. */
export const ADVICE_SAYS = ['good', 'fair', 'weak', 'unusable', 'yes', 'no'] as const;
/** How a requirement is written, whether a proposed link is one, what kind of document a chapter is. */
export const ADVICE_KINDS = ['wording', 'link', 'chapter'] as const;

/** Advice of a language model, in its own words; no finding, in no score. */
export interface ReportAdvice {
  readonly kind: (typeof ADVICE_KINDS)[number];
  /** The requirement, both ends of the link, the document with the heading. */
  readonly subject: string;
  /** Axis of wording, type of link, type of document. */
  readonly about: string;
  readonly says: (typeof ADVICE_SAYS)[number];
  readonly because: string;
  /** The words of documents that are meant. */
  readonly quotes: readonly string[];
  /** Who was right, as a person said. */
  readonly decision?: OpinionDecision;
}

/** What a person said where rules and a language model differ. */
export interface OpinionDecision {
  readonly decision: (typeof OPINION_DECISIONS)[number];
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}

export interface ReportGroup {
  readonly key: string;
  readonly title: string;
}

/** What has to be known to repeat the analysis. */
export interface ReportMethod {
  readonly passages?: number;
  /** Id of the embedding model, or why words alone were used. */
  readonly embedding?: { readonly model: string } | { readonly lexicalOnly: string };
  /** Answers that a person gave, by condition. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** The language model that was asked beside the rules. */
  readonly model?: {
    readonly id: string;
    readonly asked: number;
    readonly answered: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Questions that rules answered alone, by reason. */
    readonly byRulesBecause: Readonly<Record<string, number>>;
    /** Names under which the server answered, where they are not that of the model. */
    readonly answeredAs?: readonly string[];
  };
}

/** Each has a name and a tone in `data/words/report.yaml`. */
export const RESULT_STATES = [
  ...(['covered', 'partial', 'missing', 'needs_review', 'not_applicable'] as const),
  ...(['complete', 'thin', 'placeholder', 'empty', 'by_reference', 'tailored_out'] as const),
  ...(['present_unlabelled', 'pass', 'fail', 'NA', 'undecided', 'needs_confirmation'] as const),
] as const;
export type ResultState = (typeof RESULT_STATES)[number];

/** What a person can say where rules and a language model differ. */
export const OPINION_DECISIONS = ['rules', 'model', 'neither'] as const;

/** The answer for one criterion, section or checklist item. */
export interface ReportResult {
  readonly id: string;
  readonly group: string;
  /** Clause or number as people cite it. */
  readonly label: string;
  readonly title: string;
  readonly state: ResultState;
  readonly confidence?: Confidence;
  readonly reason: string;
  readonly evidence: readonly ReportEvidence[];
  readonly needsPerson: boolean;
  /** What rules and a language model said; `state` is what came of it. */
  readonly opinions?: {
    readonly byRules: ResultState;
    readonly byModel?: ResultState | 'none';
    readonly outcome: SettledVerdict['outcome'];
    /** A person has to confirm it before it counts. */
    readonly confirm?: true;
    /** Why rules decided alone. */
    readonly because?: string;
    /** Who was right, as a person said; counts as long as rules, model and documents say the same. */
    readonly decision?: OpinionDecision;
  };
  /** For "each" and "every": how many of how many. */
  readonly instances?: { readonly met: number; readonly of: number };
  /** A person said otherwise; the tool's own answer stays. */
  readonly override?: {
    readonly state: ResultState;
    readonly by: string;
    readonly at: string;
    readonly reason: string;
  };
}

export interface ReportEvidence extends Pick<Evidence, 'location' | 'quote' | 'role' | 'note'> {
  /** Id among the report's documents, where it is one of them. */
  readonly documentId: string;
  /** Name, as people know it. */
  readonly document: string;
  readonly version?: string;
}

/** `searched`: what was searched where it was not found. */
export interface ReportAffected extends Omit<AffectedItem, 'search' | 'said'> {
  readonly searched?: string;
}

export interface ReportFinding
  extends Omit<Finding, 'evidence' | 'search' | 'affected' | 'defects' | 'said'> {
  readonly group: string;
  readonly affected?: readonly ReportAffected[];
  readonly clause: string;
  /** Before a person changed it. */
  readonly originalSeverity?: Severity;
  readonly evidence: readonly ReportEvidence[];
  /** What was searched where nothing was found. */
  readonly search?: string;
  readonly status?: 'open' | 'in_progress' | 'resolved' | 'accepted';
  readonly change?: 'new' | 'unchanged' | 'updated' | 'absent';
  readonly assignee?: string;
  /** ISO date. */
  readonly dueDate?: string;
  readonly note?: string;
  /** A person has to confirm it first: it ends no build. */
  readonly unconfirmed?: true;
  /** It holds only under a condition that nobody has answered. */
  readonly waits?: true;
  /** Accepted with this owner and reason, until then. */
  readonly waiver?: { readonly owner?: string; readonly reason: string; readonly until?: string };
}

export interface Share {
  readonly numerator: number;
  readonly denominator: number;
  readonly percentage: number | null;
}

export interface ReportTrace {
  readonly artifacts: number;
  readonly links: number;
  /** Of the links: those that nothing states and nobody confirmed; they count like the others. Absent where there is none. */
  readonly assumed?: number;
  /** By metric, in the order of the report. */
  readonly coverage: readonly { readonly metric: TraceMetric; readonly share: Share }[];
  /** Overall coverage by integrity class, where there is anything to cover. */
  readonly byIntegrity: readonly { readonly level: string; readonly share: Share }[];
  /** The V: goals and requirements by type with how far they are traced. */
  readonly levels: readonly {
    readonly type: string;
    readonly counts: Readonly<Record<MatrixStatus, number>>;
  }[];
  readonly matrix: readonly ReportMatrixRow[];
  /** Rows that exist; more than are in `matrix` where the list was cut. */
  readonly matrixTotal: number;
  /** Gaps that were counted but not listed. */
  readonly unlisted: number;
}

export const TRACE_METRICS = [
  'upstream',
  'downstream',
  'verification',
  'verificationInclIndirect',
  'evidence',
  'endToEnd',
  'overall',
] as const;
export type TraceMetric = (typeof TRACE_METRICS)[number];

export interface ReportMatrixRow {
  readonly id: string;
  readonly text: string;
  readonly type: string;
  readonly integrity?: string;
  /** Id of the artifact that it inherits the level from; absent where it states its own. */
  readonly integrityFrom?: string;
  readonly upstream: readonly Pick<MatrixLink, 'artifactId' | 'linkType'>[];
  readonly downstream: readonly Pick<MatrixLink, 'artifactId' | 'linkType'>[];
  readonly status: MatrixStatus;
}
