import { createHash } from 'node:crypto';
import type { LanguageModel, ModelAnswer, ModelRequest, StoredAnswer } from './language-model.js';

/** Keeps answers between runs. Keys say everything that an answer depends on, so an entry never goes stale. */
export interface AnswerStore {
  /** Answers in the order of the keys, undefined where none is kept. */
  get(keys: readonly string[]): Promise<readonly (StoredAnswer | undefined)[]>;
  set(entries: readonly AnswerEntry[]): Promise<void>;
}

/** An answer to keep, with the question that it answers. */
export interface AnswerEntry {
  readonly key: string;
  readonly request: ModelRequest;
  readonly answer: StoredAnswer;
}

/**
 * Key of an answer: SHA-256 of task, template, schema, model, seed, temperature, limit of output and text, as 64
 * hexadecimal digits.
 */
export function answerKey(
  request: ModelRequest,
  { id, sampling }: Pick<LanguageModel, 'id' | 'sampling'>,
): string {
  const parts = [
    request.task,
    request.template,
    createHash('sha256').update(JSON.stringify(request.schema)).digest('hex'),
    id,
    sampling.seed,
    sampling.temperature,
    request.maxOutputTokens,
    request.fixed,
    request.variable,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** A store in memory, for one run. */
export function memoryAnswerStore(): AnswerStore {
  const answers = new Map<string, StoredAnswer>();
  return {
    get: async (keys) => keys.map((key) => answers.get(key)),
    async set(entries) {
      for (const { key, answer } of entries) answers.set(key, answer);
    },
  };
}

/** Questions that are asked before their answers are kept, so that a run that is cut short asks little twice. */
const STEP = 8;

/**
 * The model with a store before it: every distinct question is asked once, answers are kept as they come. Failures are
 * not kept.
 * @param fresh Asks again what the store has, and keeps the new answers.
 */
export function withAnswerStore(
  model: LanguageModel,
  store: AnswerStore,
  { fresh = false }: { readonly fresh?: boolean } = {},
): LanguageModel {
  return {
    id: model.id,
    contextTokens: model.contextTokens,
    sampling: model.sampling,
    async ask(requests, signal) {
      const keys = requests.map((request) => answerKey(request, model));
      const requestOf = new Map(keys.map((key, at) => [key, requests[at]!]));
      const distinct = [...requestOf.keys()];
      const kept = fresh ? [] : await store.get(distinct);
      const answers = new Map<string, ModelAnswer>();
      distinct.forEach((key, at) => {
        const answer = kept[at];
        if (answer) answers.set(key, { ...answer, from: 'store' });
      });
      const unknown = distinct.filter((key) => !answers.has(key));
      for (let from = 0; from < unknown.length; from += STEP) {
        signal?.throwIfAborted();
        const step = unknown.slice(from, from + STEP);
        const given = await model.ask(
          step.map((key) => requestOf.get(key)!),
          signal,
        );
        const entries: AnswerEntry[] = [];
        step.forEach((key, at) => {
          const answer = given[at]!;
          answers.set(key, answer);
          if ('failed' in answer) return;
          const { from: _, ...stored } = answer;
          entries.push({ key, request: requestOf.get(key)!, answer: stored });
        });
        if (entries.length > 0) await store.set(entries);
      }
      return keys.map((key) => answers.get(key)!);
    },
  };
}
