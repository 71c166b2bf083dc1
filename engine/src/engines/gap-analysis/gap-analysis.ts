import type { SummarySentence } from '../../advice/summarise.js';
import type { CriterionVerdict, Finding, Severity, Verdict } from '../../findings/finding.js';
import type { NotDue } from '../../findings/not-due.js';
import type { DecidedOpinion } from '../../judgement/model/decided-examples.js';
import type { SettledVerdict } from '../../judgement/model/settled-verdict.js';
import type { ModelStatement, ModelUse } from '../../models/asking.js';
import type { EmbeddingModel } from '../../retrieval/candidate.js';
import type { CoverageModel } from '../../retrieval/estimate-coverage.js';
import type { Language, Sentence } from '../../sentences/sentence.js';
import type { Standard } from '../../standards/criterion.js';
import type { RunEvent, RunInput } from '../engine-run.js';
import type { DocumentStatement, RunMethod } from '../run-method.js';
import type { RunQuestion } from './ask-phase.js';
import type { Score } from './score.js';

export interface GapAnalysisOptions {
  /** Answers to the questions of `conditions.yaml`, by condition id. */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** Assessment scope: only these clauses or processes, with everything below them. Default: the whole standard. */
  readonly clauses?: readonly string[];
}

export interface GapAnalysisInput extends RunInput<CriterionVerdict> {
  readonly standard: Standard;
  readonly options?: GapAnalysisOptions;
  /** Without a model the words alone decide what is near. */
  readonly embedding?: EmbeddingModel;
  /** A language model as a second opinion where rules are not sure; without it rules decide alone. */
  readonly model?: ModelUse;
  /** Differences between rules and model that people have decided before: examples for the model. */
  readonly decided?: readonly DecidedOpinion[];
  /** How nearness is read as coverage; the shipped model unless told otherwise (the evaluation gives one fitted on other data). */
  readonly coverageModel?: CoverageModel;
}

/** `opinions`: a language model is asked; comes only where there is one. */
export type GapAnalysisStage = 'passages' | 'words' | 'retrieval' | 'judgement' | 'opinions' | 'findings';
/** A unit is the verdict on a criterion, in the order of the standard. */
export type GapAnalysisEvent = RunEvent<GapAnalysisStage, CriterionVerdict, GapAnalysis>;

/** How the result came about: what has to be known to repeat it, and what it could have overlooked. */
export interface MethodStatement extends RunMethod {
  readonly standard: {
    readonly id: string;
    readonly designation: string;
    readonly edition: string;
    readonly criteria: number;
    /** The part that was assessed, where it was not the whole standard. */
    readonly clauses?: readonly string[];
  };
  readonly embedding:
    | { readonly model: string; readonly lexicalOnlyDocuments: readonly string[] }
    | { readonly lexicalOnly: string; readonly said?: { readonly lexicalOnly: Sentence } };
  readonly documents: readonly DocumentStatement[];
  /** Passages that could be evidence. */
  readonly passages: number;
  /** The language model that was asked, how much, and why rules decided alone where they did. */
  readonly model?: ModelStatement;
}

/** The result; plain JSON, the same byte for byte for the same input. */
export interface GapAnalysis {
  readonly schema: 'normtrace.gap-analysis/1';
  readonly method: MethodStatement;
  /** One per judged criterion, in the order of the standard. */
  readonly verdicts: readonly CriterionVerdict[];
  /**
   * With a language model: rules, model, critic and who won, for each criterion that rules were not certain of. What counts is
   * in `verdicts`.
   */
  readonly opinions?: readonly SettledVerdict[];
  /** Most severe first. */
  readonly findings: readonly Finding[];
  /** What is not due in the phase of the project, or not done in it: `not_applicable` among the verdicts, and in no count. */
  readonly notDue: readonly NotDue[];
  /** What a person is asked once: in which phase the project is, where that decides what is due. */
  readonly questions: readonly RunQuestion[];
  readonly score: Score;
  readonly counts: {
    /** Without what is not due. */
    readonly verdicts: Readonly<Record<Verdict, number>>;
    readonly severities: Readonly<Record<Severity, number>>;
  };
  /** A few sentences of a language model about the whole, where they were asked for and stood the checks. */
  readonly summary?: WrittenSummary;
}

export interface WrittenSummary {
  readonly language: Language;
  /** Each with the fingerprints of the findings that it rests on. */
  readonly sentences: readonly SummarySentence[];
}
