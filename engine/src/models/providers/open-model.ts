import { estimateTokens } from '../estimate-tokens.js';
import type { LanguageModel, ModelAnswer, ModelFailure, ModelRequest, Usage } from '../language-model.js';
import { askProvider, realSurroundings, type Surroundings } from './ask-provider.js';
import { type Breaker, createBreaker } from './breaker.js';
import { hostOf, type Optional, type ProviderSettings, type WireAnswer } from './provider.js';

/** Whoever counts calls and tokens of several processes. */
export interface CallGate {
  /**
   * Resolves when a question of about so many tokens may be asked. What it answers is called when the question has ended.
   * Rejects with the reason of the signal.
   */
  enter(tokens: number, signal: AbortSignal | undefined): Promise<() => void | Promise<void>>;
}

export interface ModelOptions {
  /** Unless given, `concurrency` questions of this process at the same time. */
  readonly gate?: CallGate;
  readonly surroundings?: Surroundings;
}

/** `provider:host:model`, and the model that criticises where it is another one. */
export const modelId = ({ provider, baseUrl, model, criticModel }: ProviderSettings): string =>
  [provider, hostOf(baseUrl), model, ...(criticModel && criticModel !== model ? [criticModel] : [])].join(
    ':',
  );

/**
 * A model behind a server that speaks one of the three protocols. Every answer is looked at before it counts: complete, not
 * empty, and the server read the whole question.
 */
export function openModel(settings: ProviderSettings, options: ModelOptions = {}): LanguageModel {
  const surroundings = options.surroundings ?? realSurroundings;
  const gate = options.gate ?? localGate(settings.concurrency);
  const breaker = createBreaker(surroundings.now);
  const without = new Set<Optional>();

  const one = async (request: ModelRequest, signal: AbortSignal | undefined): Promise<ModelAnswer> => {
    const tokens = tokensOf(request);
    if (tokens + request.maxOutputTokens > settings.contextTokens) return { failed: 'too_large' };
    const paused = await waitForBreaker(breaker, surroundings, signal);
    if (paused) return paused;
    const leave = await gate.enter(tokens + request.maxOutputTokens, signal);
    try {
      if (breaker.pause() === undefined) return { failed: 'breaker_open' };
      const { task, fixed, variable, schema, maxOutputTokens } = request;
      const model = task === 'criticise' ? (settings.criticModel ?? settings.model) : settings.model;
      const question = { model, task, fixed, variable, shape: schema.shape, maxOutputTokens };
      const outcome = await askProvider({ settings, without, surroundings, signal }, question);
      if ('failed' in outcome) {
        if (outcome.failed === 'unauthorised' || outcome.failed === 'budget_ended') breaker.end();
        else if (SERVERS_FAULT.has(outcome.failed)) breaker.tell('wrong');
        return { failed: outcome.failed };
      }
      breaker.tell('well');
      return lookAt(outcome.answer, { tokens, milliseconds: outcome.milliseconds });
    } finally {
      await leave();
    }
  };

  return {
    id: modelId(settings),
    contextTokens: settings.contextTokens,
    sampling: { temperature: 0, seed: settings.seed },
    async ask(requests, signal) {
      signal?.throwIfAborted();
      return Promise.all(requests.map((request) => one(request, signal)));
    },
  };
}

/** Failures that say something about the server and nothing about the question. */
const SERVERS_FAULT: ReadonlySet<ModelFailure> = new Set([
  'unreachable',
  'rate_limited',
  'timed_out',
  'provider_error',
]);

const tokensOf = ({ fixed, variable }: ModelRequest): number =>
  estimateTokens(fixed) + estimateTokens(variable);

async function waitForBreaker(
  breaker: Breaker,
  { wait }: Surroundings,
  signal: AbortSignal | undefined,
): Promise<{ readonly failed: ModelFailure } | undefined> {
  for (;;) {
    signal?.throwIfAborted();
    const pause = breaker.pause();
    if (pause === undefined) return { failed: 'breaker_open' };
    if (pause === 0) return undefined;
    await wait(pause, signal);
  }
}

/** Whether an answer counts. */
function lookAt(
  answer: WireAnswer,
  { tokens, milliseconds }: { readonly tokens: number; readonly milliseconds: number },
): ModelAnswer {
  const { text, end, usage, model, fingerprint } = answer;
  if (end === 'context_limit' || isTruncated(usage, tokens)) return { failed: 'context_truncated' };
  if (end === 'refused') return { failed: 'refused' };
  if (end === 'output_limit') return { failed: 'output_cut' };
  if (text.trim() === '') return { failed: 'empty' };
  return { text, model, usage, ...(fingerprint ? { fingerprint } : {}), milliseconds, from: 'model' };
}

/** Of the tokens that a question is estimated to have, what a server has read at least that has read all of it. */
const LEAST_SHARE = 0.6;
/** Sizes of contexts are multiples of this. */
const ROUND = 1_024;

/**
 * Whether a server has read a part of the question only. Some cut silently at a limit of their own (ollama #2963): what they
 * count is then far below the estimate, or exactly a limit. An answer without usage tells nothing; the probe says so.
 */
export function isTruncated({ inputTokens, outputTokens = 0 }: Usage, estimate: number): boolean {
  if (inputTokens === undefined) return false;
  if (inputTokens < estimate * LEAST_SHARE) return true;
  return [inputTokens, inputTokens + outputTokens].some((count) => count > 0 && count % ROUND === 0);
}

/** So many questions at once; the others wait in their order. */
export function localGate(concurrency: number): CallGate {
  let free = concurrency;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    free++;
    const [next] = waiting;
    if (next) next();
  };
  return {
    async enter(_, signal) {
      signal?.throwIfAborted();
      if (free === 0) {
        await new Promise<void>((resolve, reject) => {
          const stop = (): void => {
            waiting.delete(go);
            reject(signal?.reason);
          };
          const go = (): void => {
            waiting.delete(go);
            signal?.removeEventListener('abort', stop);
            free--;
            resolve();
          };
          waiting.add(go);
          signal?.addEventListener('abort', stop, { once: true });
        });
      } else free--;
      return leave;
    },
  };
}
