import type { Evidence, Finding, Search } from '../../findings/finding.js';
import type { NotDue } from '../../findings/not-due.js';
import type { ReportFinding, ReportLanguage, ReportPart, ReportResult } from '../report.js';

// What a part of a report is made of: plain values, whether a run has just given them or rows have kept them.

/** Documents by id, as a report names them. */
export type DocumentNames = ReadonlyMap<string, { readonly name: string; readonly version?: string }>;

/** Evidence without its offsets: they mean something to programs only. */
export interface EvidenceValues
  extends Pick<Evidence, 'documentId' | 'location' | 'quote' | 'role' | 'note' | 'said'> {
  /** Where it is not that of `DocumentNames`. */
  readonly version?: string;
}

export interface FindingValues {
  readonly finding: Omit<Finding, 'evidence' | 'search'> & {
    readonly search?: Pick<Search, 'statement' | 'said'>;
  };
  readonly evidence: readonly EvidenceValues[];
  /** Of the standard; empty where there is none. */
  readonly clause: string;
  /** The one document that it is about. */
  readonly documentId?: string;
  /** What people made of it since: takes the place of what the run found. */
  readonly handled?: (finding: ReportFinding) => ReportFinding;
}

/** What rules and a language model said of the criterion or item with this id. */
export type OpinionValues = NonNullable<ReportResult['opinions']> & { readonly id: string };

/** Opinions by id, as results have them. */
export const opinionsById = (
  opinions: readonly OpinionValues[] = [],
): ReadonlyMap<string, Pick<ReportResult, 'opinions'>> =>
  new Map(opinions.map(({ id, ...rest }) => [id, { opinions: rest }]));

/** What every type of analysis has. */
export interface RunValues extends Pick<ReportPart, 'id' | 'engine' | 'mode' | 'method'> {
  readonly finishedAt?: string;
  readonly score: ReportPart['score'];
  readonly changes?: NonNullable<ReportPart['changes']>;
  /** As the run counted them; they count where it found more than it lists (very large traces). */
  readonly severities?: ReportPart['severities'];
  readonly documents: DocumentNames;
  readonly findings: readonly FindingValues[];
  readonly notAssessed?: ReportPart['notAssessed'];
  readonly notDue?: readonly Omit<NotDue, 'evidence'>[];
  readonly advice?: ReportPart['advice'];
  readonly written?: ReportPart['written'];
  /** Of what is said by key and values; English leaves the words as they come. */
  readonly language: ReportLanguage;
}

/** A finding of a run as it comes from an engine. */
export const valuesOf = ({ evidence, search, ...finding }: Finding, clause = ''): FindingValues => ({
  finding: { ...finding, ...(search === undefined ? {} : { search }) },
  evidence,
  clause,
});
