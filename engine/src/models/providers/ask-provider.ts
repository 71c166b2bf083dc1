import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { limitTime } from '../../remote/limit-time.js';
import { readBounded } from '../../remote/read-bounded.js';
import type { ModelFailure } from '../language-model.js';
import { anthropicForm } from './anthropic-form.js';
import { azureForm, openAiForm } from './open-ai-form.js';
import type { Optional, Provider, ProviderSettings, Question, WireAnswer, WireForm } from './provider.js';

const FORMS: Readonly<Record<Provider, WireForm>> = {
  'openai-compatible': openAiForm,
  anthropic: anthropicForm,
  azure: azureForm,
};

/** Time and chance, which tests bring along. */
export interface Surroundings {
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<unknown>;
  /** From 0 to 1. */
  random(): number;
  /** Milliseconds of a clock that nobody sets. */
  now(): number;
}

export const realSurroundings: Surroundings = {
  wait: (milliseconds, signal) => delay(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
  now: () => performance.now(),
};

export interface Asking {
  readonly settings: ProviderSettings;
  /** What the server refused before, kept between questions. */
  readonly without: Set<Optional>;
  readonly surroundings: Surroundings;
  readonly signal?: AbortSignal | undefined;
}

export type Outcome =
  | { readonly answer: WireAnswer; readonly milliseconds: number }
  | { readonly failed: ModelFailure; readonly status?: number };

/** Longest wait for a server that says when to come back; what is longer is a failure. */
const LONGEST_WAIT = 60_000;
/** Of an answer in bytes: the longest answer that is asked for has a hundredth of it. */
const MOST_BYTES = 2_000_000;

/**
 * Asks one question. Overload (429), 408, 409, server errors and broken connections are tried again after what
 * `Retry-After` says, else after a pause that doubles, with jitter. No redirects: the operator says where words go.
 * Never throws for a failure; rejects when it is aborted. Nothing of question, answer or key is in what it tells.
 */
export async function askProvider(asking: Asking, question: Question): Promise<Outcome> {
  const { settings, signal, surroundings } = asking;
  for (let attempt = 1; ; attempt++) {
    const began = surroundings.now();
    const outcome = await askOnce(asking, question);
    if ('answer' in outcome) return { ...outcome, milliseconds: Math.round(surroundings.now() - began) };
    if (!outcome.again || attempt >= settings.attempts) return outcome;
    const pause = outcome.again === true ? jitter(surroundings, attempt) : outcome.again.after;
    if (pause > LONGEST_WAIT) return outcome;
    await surroundings.wait(pause, signal);
  }
}

/** Half a second, one, two …; a quarter more or less, so that those who were refused together do not return together. */
const jitter = ({ random }: Surroundings, attempt: number): number =>
  250 * 2 ** attempt * (0.75 + random() / 2);

interface Failed {
  readonly failed: ModelFailure;
  readonly status?: number;
  /** Whether the same question may go well: at once by our own pause, or after what the server says. */
  readonly again?: true | { readonly after: number };
}

async function askOnce(
  asking: Asking,
  question: Question,
): Promise<{ readonly answer: WireAnswer } | Failed> {
  const { settings, signal, without } = asking;
  const form = FORMS[settings.provider];
  const { address, headers, body } = form.request(settings, question, without);
  const limit = limitTime(settings.timeoutMilliseconds, signal);
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: limit.signal,
    });
    text = await readBounded(response, { signal: limit.signal, mostBytes: MOST_BYTES });
  } catch {
    signal?.throwIfAborted();
    return limit.isOver() ? { failed: 'timed_out' } : { failed: 'unreachable', again: true };
  } finally {
    limit.release();
  }
  if (!response.ok) return refusal(asking, { status: response.status, headers: response.headers, text });
  const answer = form.read(parsed(text));
  return answer ? { answer } : { failed: 'provider_error', status: response.status };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** As OpenAI, Azure and Anthropic tell an error; other servers have at least the message. */
const Problem = z.object({
  error: z.object({
    code: z.union([z.string(), z.number()]).nullish(),
    type: z.string().nullish(),
    param: z.string().nullish(),
    message: z.string().nullish(),
  }),
});

const AGAIN = new Set([408, 409, 425, 429]);

function refusal(
  { without, surroundings }: Asking,
  { status, headers, text }: { readonly status: number; readonly headers: Headers; readonly text: string },
): Failed {
  const { error } = Problem.safeParse(parsed(text)).data ?? { error: {} };
  const { code, param } = error;
  const message = error.message ?? '';
  if (status === 401 || status === 403) return { failed: 'unauthorised', status };
  // No pause brings money back.
  if (status === 402 || code === 'insufficient_quota') return { failed: 'budget_ended', status };
  if (status === 400 || status === 422) {
    const refused = refusedPart({ param: param ?? '', message });
    if (refused && !without.has(refused)) {
      without.add(refused);
      return { failed: 'refused', status, again: { after: 0 } };
    }
    const isTooLarge =
      code === 'context_length_exceeded' ||
      /context (?:length|window|size)|prompt is too long/i.test(message);
    return { failed: isTooLarge ? 'too_large' : 'refused', status };
  }
  if (status === 413) return { failed: 'too_large', status };
  if (!AGAIN.has(status) && status < 500) return { failed: 'provider_error', status };
  const after = retryAfter(headers);
  return {
    failed: status === 429 ? 'rate_limited' : status === 408 ? 'timed_out' : 'provider_error',
    status,
    again: after === undefined ? true : { after: after + surroundings.random() * 250 },
  };
}

/** Which part of the request the model does not take. */
function refusedPart({
  param,
  message,
}: {
  readonly param: string;
  readonly message: string;
}): Optional | undefined {
  const parts: readonly Optional[] = ['temperature', 'seed', 'store'];
  return (
    parts.find((part) => param === part) ??
    parts.find((part) => new RegExp(`\\b${part}\\b`, 'i').test(message))
  );
}

/** Milliseconds: seconds, or a moment. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const moment = Date.parse(value);
  const sent = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - (Number.isNaN(sent) ? Date.now() : sent));
}
