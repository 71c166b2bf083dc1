import type { AnswerShape, TaskId, Usage } from '../language-model.js';

/** Which protocol a server speaks. */
export const PROVIDERS = ['openai-compatible', 'anthropic', 'azure'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** How an answer is held to its form. */
export const STRUCTURED = [
  /** The server is given the form and holds the model to it. */
  'json_schema',
  /** The server promises JSON; which fields, the question says. */
  'json_object',
  /** The question alone says it. */
  'prompt',
] as const;
export type Structured = (typeof STRUCTURED)[number];

/** Which server is asked, and how. Fixed by the operator. */
export interface ProviderSettings {
  readonly provider: Provider;
  /** Of an OpenAI-compatible server usually ending in `/v1`; of Anthropic and Azure the address of the resource. */
  readonly baseUrl: string;
  /** With Azure the name of the deployment. */
  readonly model: string;
  /** Another model of the same server for `criticise`. */
  readonly criticModel?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Tokens of a question and its answer together. */
  readonly contextTokens: number;
  readonly structured: Structured;
  readonly seed: number;
  /** Longest wait for one answer. */
  readonly timeoutMilliseconds: number;
  /** How often one question is asked at most. */
  readonly attempts: number;
  /** Questions at the same time. */
  readonly concurrency: number;
}

/** What is asked, without what is only for us. */
export interface Question {
  readonly model: string;
  readonly task: TaskId;
  readonly fixed: string;
  readonly variable: string;
  readonly shape: AnswerShape;
  readonly maxOutputTokens: number;
}

/** Parts of a request that some models refuse; they are left out from then on. */
export type Optional = 'temperature' | 'seed' | 'store';

export interface WireRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What came back, the same for every protocol. */
export interface WireAnswer {
  readonly text: string;
  /** What the model thought, where the server tells it apart. */
  readonly reasoning: string;
  readonly end: 'complete' | 'output_limit' | 'refused' | 'context_limit';
  readonly model: string;
  readonly fingerprint?: string;
  readonly usage: Usage;
}

/** How one protocol is spoken. */
export interface WireForm {
  request(settings: ProviderSettings, question: Question, without: ReadonlySet<Optional>): WireRequest;
  /** Undefined for what is no answer of this protocol. */
  read(body: unknown): WireAnswer | undefined;
}

/** The form as words, for servers that are not given it otherwise. */
export const formInWords = (shape: AnswerShape): string =>
  `Answer with one JSON object of exactly this form (JSON Schema) and nothing else:\n${JSON.stringify(shape)}`;

export const hostOf = (baseUrl: string): string => new URL(baseUrl).host;

/** An address below another one, which may end in a slash. */
export const below = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, '')}${path}`;
