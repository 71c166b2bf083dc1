/**
 * What a language model is asked for. One call is one question: nothing that a model says steers another call.
 */
export const TASK_IDS = [
  /** Whether the sentences of some passages show each part of one demand. */
  'judge',
  /** Whether cited sentences, alone, carry a part of a demand. */
  'criticise',
  /** Whether the documents say that the condition of a demand holds. */
  'applies',
  /** Whether the instances of one item of a checklist pass. */
  'checklist',
  /** How well one requirement is written, along one axis. */
  'requirement',
  /** Whether one artifact is linked to another. */
  'link',
  /** Which document type each heading of an outline begins. */
  'sections',
  /** Which sentences of a page of an uploaded standard demand something. */
  'demands',
  /** Steps that close a gap. */
  'remedy',
  /** A few sentences about a whole result. */
  'summary',
] as const;
export type TaskId = (typeof TASK_IDS)[number];

/**
 * The form of an answer as JSON Schema, in the part of it that every provider takes: no bounds, no patterns, nothing
 * optional. Bounds are checked after the answer.
 */
export type AnswerShape =
  | {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, AnswerShape>>;
      readonly required: readonly string[];
      readonly additionalProperties: false;
    }
  | { readonly type: 'array'; readonly items: AnswerShape }
  | { readonly type: 'string'; readonly enum?: readonly string[] }
  | { readonly type: 'boolean' };

/** One constant form for each task; plain data, so that it travels to whoever asks. */
export interface AnswerSchema {
  readonly name: TaskId;
  readonly shape: AnswerShape;
}

/** A passage whose words are in a request, for whoever has to tell what left the house. */
export interface SentPassage {
  readonly documentId: string;
  /** Id of the passage within the analysis. */
  readonly passageId: string;
}

/** One question. Plain data: it travels from the thread that runs an engine to the process that may ask. */
export interface ModelRequest {
  readonly task: TaskId;
  /** `id@version+hash` of the prompt that made it. */
  readonly template: string;
  /** The part that is the same for every question of the task; comes first, so that providers keep it. */
  readonly fixed: string;
  /** The part that is this question's. */
  readonly variable: string;
  readonly schema: AnswerSchema;
  readonly maxOutputTokens: number;
  readonly sends: readonly SentPassage[];
  /** True where words of a standard that somebody uploaded are in it. */
  readonly sendsStandard: boolean;
}

/** What the provider counted; a number that it did not tell is absent. */
export interface Usage {
  readonly inputTokens?: number;
  /** Of the input, what the provider had kept from earlier requests. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
}

/** Why a question has no answer. */
export const MODEL_FAILURES = [
  /** Nobody could be reached at the address, or the connection broke. */
  'unreachable',
  /** The key is wrong or may not use this model. */
  'unauthorised',
  /** The provider refused the question for what it says, or its form. */
  'refused',
  /** Too many requests, after all attempts. */
  'rate_limited',
  /** No answer in time. */
  'timed_out',
  /** The provider failed. */
  'provider_error',
  /** An answer without content. */
  'empty',
  /** The answer ended at the limit of output. */
  'output_cut',
  /** The provider read only a part of the question. */
  'context_truncated',
  /** The question is larger than the model's context. */
  'too_large',
  /** Failures in a row: nothing is asked for a while. */
  'breaker_open',
  /** The tokens or the money that may be spent are spent. */
  'budget_ended',
  /** The time of the run is nearly over. */
  'time_ended',
  /** The workspace's policy or an excluded document forbids to send it. */
  'policy',
  /** Answers are read from a record that has none for this question. */
  'not_recorded',
] as const;
export type ModelFailure = (typeof MODEL_FAILURES)[number];

/** After these the same question may have an answer later; after the others nothing more need be asked in this run. */
export const ENDS_ASKING: ReadonlySet<ModelFailure> = new Set([
  'unauthorised',
  'budget_ended',
  'time_ended',
  'breaker_open',
]);

/** An answer as it is kept. */
export interface StoredAnswer {
  readonly text: string;
  /** The model's name as the provider returned it. */
  readonly model: string;
  readonly usage: Usage;
  /** The provider's fingerprint of its system, where it tells one. */
  readonly fingerprint?: string;
  /** Milliseconds that the answer took; no part of any result. */
  readonly milliseconds?: number;
}

export type ModelAnswer =
  | (StoredAnswer & { readonly from: 'store' | 'model' })
  | { readonly failed: ModelFailure };

/** How a model is asked, the same for every question. */
export interface Sampling {
  readonly temperature: number;
  readonly seed: number;
}

/** Answers questions in a fixed form. The same request gives the same answer as long as its answer is kept. */
export interface LanguageModel {
  /** `provider:host:model`, part of every key and of the method statement. */
  readonly id: string;
  /** Tokens of a question and its answer together. */
  readonly contextTokens: number;
  readonly sampling: Sampling;
  /**
   * Answers in the order of the requests, one for each. Never rejects for a question that fails: its answer says why.
   * Rejects with the reason of the signal when it is aborted.
   */
  ask(requests: readonly ModelRequest[], signal?: AbortSignal): Promise<readonly ModelAnswer[]>;
}
