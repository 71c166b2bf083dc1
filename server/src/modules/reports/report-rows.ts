import type {
  ChecklistItem,
  CriterionVerdict,
  ItemResult,
  ItemVerdict,
  Location,
  ReportAdvice,
  ReportFinding,
  ReportResult,
} from '@normtrace/engine';
import type { EvidenceRow, StoredFinding } from '../gaps/gaps.repository.js';
import type { AnalysisRow } from '../runs/analyses.repository.js';
import type { TraceOptions } from '../traceability/examine-trace-task.js';
import type { TraceColumns } from '../traceability/read-trace.js';

type ResultState = ReportResult['state'];

/** What a part of a report is made of, as it comes from the database: long lists stay JSON until a process of the engine reads them. */
export interface PartRows {
  readonly analysis: AnalysisRow;
  readonly standard?: StandardRows;
  /** JSON arrays of `ReportedGap`, one after the other. */
  readonly gaps: readonly string[];
  /** JSON array of `ReportedVerdict` (gap analysis). */
  readonly verdicts?: string;
  /** JSON array of the documents as the API answers them (completeness). */
  readonly documents?: string;
  /** JSON array of `ReportedItem` (checklist). */
  readonly items?: string;
  /** JSON array of `ReportedOpinion`, where a language model was asked. */
  readonly opinions?: string;
  /** The stored trace (traceability); left out of the report when it is not what the analysis saw. */
  readonly trace?: { readonly columns: TraceColumns; readonly options: TraceOptions };
}

export interface StandardRows {
  readonly id: string;
  readonly catalogId: string | null;
  readonly name: string;
  readonly version: string;
  /** Of an uploaded standard whose words may be read; of built-in ones the engine knows them. */
  readonly criteria?: string;
}

export interface ReportedEvidence extends Omit<EvidenceRow, 'location' | 'start' | 'end'> {
  readonly location: Location;
}

export interface ReportedGap {
  readonly id: string;
  readonly finding: StoredFinding;
  readonly clause: string;
  readonly change: 'new' | 'unchanged' | 'updated';
  readonly status: 'open' | 'in_progress' | 'resolved' | 'accepted';
  readonly assignee: string | null;
  readonly reason: string | null;
  readonly accepted_until: string | null;
  /** Who answers for an accepted one. */
  readonly waiver_owner: string | null;
  /** How a resolved one was resolved. */
  readonly resolution: 'fixed' | 'false_positive' | null;
  /** ISO date. */
  readonly due_date: string | null;
  /** In place of the severity that was found, and why. */
  readonly severity_override: ReportFinding['severity'] | null;
  readonly severity_reason: string | null;
  readonly note: string | null;
  readonly work_product_id: string | null;
  readonly evidence: readonly ReportedEvidence[];
}

export interface ReportedVerdict {
  readonly criterion_id: string;
  readonly clause: string;
  readonly verdict: 'covered' | 'partial' | 'missing' | 'not_applicable' | 'needs_review';
  readonly confidence: 'high' | 'medium' | 'low';
  readonly reason: string;
  readonly said: CriterionVerdict['said'] | null;
  readonly evidence: readonly ReportedEvidence[];
}

/** What rules and a language model said of a criterion or item, or what a model advised. */
export interface ReportedOpinion {
  readonly criterion_id: string;
  readonly clause: string;
  readonly by_rules: ResultState;
  readonly by_model: ResultState | ReportAdvice['says'] | null;
  /** Where the run is about no standard. */
  readonly parts: readonly {
    readonly part: string;
    readonly because: string;
    readonly evidence: readonly { readonly work_product_id: string; readonly quote: string }[];
  }[];
  readonly outcome: 'same' | 'raised' | 'lowered' | 'listed' | 'abstained';
  readonly because: string | null;
  readonly confirm: boolean;
  readonly decision: {
    readonly decision: 'rules' | 'model' | 'neither';
    readonly reason: string;
    readonly by: string;
    readonly decided_at: string;
  } | null;
}

/** An item of a checklist as a run judged it, and what a person answered beside it. */
export interface ReportedItem {
  readonly item: Pick<ChecklistItem, 'id' | 'text'>;
  readonly result: Omit<ItemResult, 'evidence'>;
  readonly evidence: readonly ReportedEvidence[];
  /** The newest answer that was given on what the verdict still rests on. */
  readonly answer: {
    readonly verdict: ItemVerdict | null;
    readonly by: string;
    readonly at: string;
    readonly reason: string;
  } | null;
}
