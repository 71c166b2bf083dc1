import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import type { AnalysisScope } from '../../corpus/corpus.js';
import type { DocumentStatus } from '../../documents/document-status.js';
import type { CriterionVerdict, Finding, Severity, Verdict } from '../../findings/finding.js';
import type { EmbeddingModel } from '../../retrieval/candidate.js';
import type { Sentence } from '../../sentences/sentence.js';
import type { Standard } from '../../standards/criterion.js';
import type { Score } from './score.js';

export interface GapAnalysisOptions {
  /** Answers to the questions of `conditions.yaml`, by condition id. */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** Assessment scope: only these clauses or processes, with everything below them. Default: the whole standard. */
  readonly clauses?: readonly string[];
}

export interface GapAnalysisInput {
  readonly standard: Standard;
  readonly documents: readonly AnalysedDocument[];
  /** Item and variant under analysis; without it nothing is taken for content of another item. */
  readonly scope?: AnalysisScope;
  readonly options?: GapAnalysisOptions;
  /**
   * Verdicts of an earlier run on the same input that was cut short; they are taken as they are, so that a run
   * resumes where it ended. A run without them gives the same result.
   */
  readonly known?: readonly CriterionVerdict[];
  /** Without a model the words alone decide what is near. */
  readonly embedding?: EmbeddingModel;
  readonly signal?: AbortSignal;
}

/** A step of an analysis, for progress and for whoever stores results as they come. */
export type GapAnalysisEvent =
  | {
      readonly type: 'progress';
      readonly stage: GapAnalysisStage;
      readonly done: number;
      readonly total: number;
    }
  /** One criterion is judged; verdicts come in the order of the standard. */
  | {
      readonly type: 'verdict';
      readonly verdict: CriterionVerdict;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'completed'; readonly result: GapAnalysis };

export type GapAnalysisStage = 'passages' | 'words' | 'retrieval' | 'judgement' | 'findings';

/** How the result came about: what has to be known to repeat it, and what it could have overlooked. */
export interface MethodStatement {
  readonly engine: { readonly name: string; readonly version: string };
  readonly mode: 'rules';
  readonly standard: {
    readonly id: string;
    readonly designation: string;
    readonly edition: string;
    readonly criteria: number;
    /** The part that was assessed, where it was not the whole standard. */
    readonly clauses?: readonly string[];
  };
  readonly scope: AnalysisScope;
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly embedding:
    | { readonly model: string; readonly lexicalOnlyDocuments: readonly string[] }
    | { readonly lexicalOnly: string };
  readonly documents: readonly DocumentStatement[];
  /** Passages that could be evidence. */
  readonly passages: number;
  readonly disclaimer: string;
}

export interface DocumentStatement {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly language: string;
  readonly status: DocumentStatus;
  /** What it was taken for, with the grounds. */
  readonly types: readonly {
    readonly type: string;
    readonly part: 'document' | 'section';
    readonly confidence: string;
    readonly reasons: readonly string[];
  }[];
  /** Why it was not used as evidence, if it was not. */
  readonly setAside?: string;
  /** What the reader had to say: pages without text, tracked changes. */
  readonly notes: readonly string[];
  readonly said: { readonly notes: readonly Sentence[] };
}

/** The result; plain JSON, the same byte for byte for the same input. */
export interface GapAnalysis {
  readonly schema: 'normtrace.gap-analysis/1';
  readonly method: MethodStatement;
  /** One per judged criterion, in the order of the standard. */
  readonly verdicts: readonly CriterionVerdict[];
  /** Most severe first. */
  readonly findings: readonly Finding[];
  readonly score: Score;
  readonly counts: {
    readonly verdicts: Readonly<Record<Verdict, number>>;
    readonly severities: Readonly<Record<Severity, number>>;
  };
}
