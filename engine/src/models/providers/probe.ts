import { z } from 'zod';
import { estimateTokens } from '../estimate-tokens.js';
import type { AnswerShape } from '../language-model.js';
import { askProvider, type Outcome, realSurroundings, type Surroundings } from './ask-provider.js';
import { isTruncated, modelId } from './open-model.js';
import { hostOf, type Optional, type ProviderSettings, STRUCTURED, type Structured } from './provider.js';

/** What is looked at, in this order. */
export const PROBE_POINTS = [
  /** Somebody is there and takes the key and the name of the model. */
  'reachable',
  /** The server holds the model to a form. */
  'form',
  /** What the model says is in the answer, not among its thoughts. */
  'content',
  /** The server tells how many tokens it read. */
  'usage',
  /** A question as long as `contextTokens` allows is read from its first to its last line. */
  'context',
  /** Answers come fast enough for a run. */
  'speed',
  /** Equal questions have equal answers. */
  'repeatable',
] as const;
export type ProbePointId = (typeof PROBE_POINTS)[number];

export interface ProbePoint {
  readonly id: ProbePointId;
  /** `warning`: it can be worked with. */
  readonly state: 'passed' | 'warning' | 'failed' | 'skipped';
  /** What was found and, unless it passed, what to change where. */
  readonly says: string;
}

/** What a model's server can do, as it was found. Nothing of any document is in it. */
export interface Probe {
  readonly model: string;
  readonly host: string;
  /** True when no point failed. */
  readonly usable: boolean;
  /** How answers are held to their form from now on, with `auto`. */
  readonly structured: Structured;
  readonly points: readonly ProbePoint[];
  /** Of the longest answer. */
  readonly milliseconds: number;
}

const SHAPE: AnswerShape = {
  type: 'object',
  properties: { ok: { type: 'string', enum: ['yes'] } },
  required: ['ok'],
  additionalProperties: false,
};
const ANSWER = z.strictObject({ ok: z.literal('yes') });

const CANARIES: AnswerShape = {
  type: 'object',
  properties: { first: { type: 'string' }, last: { type: 'string' } },
  required: ['first', 'last'],
  additionalProperties: false,
};
const FOUND = z.object({ first: z.string(), last: z.string() });
const [FIRST, LAST] = ['heron-4117', 'walnut-9203'];

const PROSE = 'You are asked for a short poem about rain. Answer in prose, without any JSON.';
const DATA = 'Do what you are asked and say nothing else.';
/** A question has this many tokens of answer, thoughts of models that cannot help it included. */
const OUTPUT = 200;
/** An answer that takes longer makes a run of two hundred questions longer than its time. */
const SLOW_MILLISECONDS = 30_000;

interface Probing {
  readonly settings: ProviderSettings;
  readonly without: Set<Optional>;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal | undefined;
}

/**
 * Tries the server with seven small questions and one as long as the context. Costs about `contextTokens` and a thousand
 * tokens. With `auto` the strictest form that the server honours is chosen.
 */
export async function probeModel(
  settings: Omit<ProviderSettings, 'structured'> & { readonly structured: Structured | 'auto' },
  {
    signal,
    surroundings = realSurroundings,
  }: { readonly signal?: AbortSignal; readonly surroundings?: Surroundings } = {},
): Promise<Probe> {
  const points: ProbePoint[] = [];
  const times: number[] = [];
  const probing = (structured: Structured): Probing => ({
    settings: { ...settings, structured },
    without,
    surroundings,
    signal,
  });
  const without = new Set<Optional>();
  const ask = async (structured: Structured, question: Parameters<typeof small>[1]): Promise<Outcome> => {
    const outcome = await small(probing(structured), question);
    if ('answer' in outcome) times.push(outcome.milliseconds);
    return outcome;
  };
  const end = (structured: Structured): Probe => {
    for (const id of PROBE_POINTS.slice(points.length)) {
      points.push({ id, state: 'skipped', says: 'Not tried: an earlier point failed.' });
    }
    return {
      model: modelId({ ...settings, structured }),
      host: hostOf(settings.baseUrl),
      usable: points.every(({ state }) => state === 'passed' || state === 'warning'),
      structured,
      points,
      milliseconds: Math.max(0, ...times),
    };
  };

  const chosen = settings.structured === 'auto' ? STRUCTURED : [settings.structured];
  let outcome: Outcome | undefined;
  let structured: Structured = chosen[0]!;
  let honoured = false;
  for (const one of chosen) {
    outcome = await ask(one, formQuestion(one));
    structured = one;
    honoured = 'answer' in outcome && ANSWER.safeParse(json(outcome.answer.text)).success;
    if (honoured || ('failed' in outcome && !isAboutForm(outcome))) break;
  }
  points.push(reachable(outcome!, settings));
  if (!('answer' in outcome!) && !isAboutForm(outcome!)) return end(structured);
  points.push(form({ honoured, structured, settings, outcome: outcome! }));
  const { answer } = 'answer' in outcome! ? outcome : { answer: undefined };
  if (!answer) return end(structured);
  points.push(content(answer));
  points.push(usage(answer.usage.inputTokens));
  if (!honoured || answer.text.trim() === '') return end(structured);
  points.push(await context(probing(structured), times));
  points.push(speed(Math.max(...times), settings));
  const texts = [answer.text];
  for (let again = 0; again < 2; again++) {
    const next = await ask(structured, formQuestion(structured));
    if ('answer' in next) texts.push(next.answer.text);
  }
  points.push(repeatable(texts));
  return end(structured);
}

/** With a form the question asks for prose: who answers in the form all the same honours it. */
const formQuestion = (structured: Structured) => ({
  fixed: structured === 'json_schema' ? PROSE : DATA,
  variable: structured === 'json_schema' ? 'Write it now.' : 'Answer with {"ok":"yes"}.',
  shape: SHAPE,
});

const small = (
  { settings, ...rest }: Probing,
  question: { readonly fixed: string; readonly variable: string; readonly shape: AnswerShape },
): Promise<Outcome> =>
  askProvider(
    { settings, ...rest },
    { ...question, model: settings.model, task: 'judge', maxOutputTokens: OUTPUT },
  );

/** A server that knows no forms refuses the request; what it knows otherwise is tried next. */
const isAboutForm = (outcome: Outcome): boolean => 'failed' in outcome && outcome.failed === 'refused';

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function reachable(
  outcome: Outcome,
  { baseUrl, model, attempts }: Omit<ProviderSettings, 'structured'>,
): ProbePoint {
  const host = hostOf(baseUrl);
  const id = 'reachable';
  if ('answer' in outcome || isAboutForm(outcome)) {
    return { id, state: 'passed', says: `${host} answers as ${model}.` };
  }
  const { failed, status } = outcome;
  const says: Readonly<Record<string, string>> = {
    unreachable: `Nobody answers at ${host}. Check MODEL_BASE_URL, that the server runs, and that this machine may reach it; redirects are not followed.`,
    unauthorised: `${host} does not take the key (status ${status}). Check MODEL_API_KEY, and that it may use ${model}.`,
    rate_limited: `${host} says that there are too many requests, ${attempts} times. Wait, or lower MODEL_CONCURRENCY and MODEL_REQUESTS_PER_MINUTE.`,
    timed_out: `${host} gave no answer in time. Load the model before the run, choose a smaller one, or raise MODEL_TIMEOUT_SECONDS.`,
    budget_ended: `The account at ${host} has no money left.`,
    provider_error:
      status === 404
        ? `${host} knows no such address or model (status 404). MODEL_BASE_URL usually ends in /v1; MODEL_NAME is the name that the server lists.`
        : `${host} failed (status ${status}). Look at the log of the server.`,
  };
  return { id, state: 'failed', says: says[failed] ?? `${host} did not answer: ${failed}.` };
}

function form({
  honoured,
  structured,
  settings,
  outcome,
}: {
  readonly honoured: boolean;
  readonly structured: Structured;
  readonly settings: { readonly structured: Structured | 'auto' };
  readonly outcome: Outcome;
}): ProbePoint {
  const id = 'form';
  if (honoured && structured === 'json_schema') {
    return { id, state: 'passed', says: 'The server holds the model to the form of answers (json_schema).' };
  }
  if (honoured) {
    const says = `The server ignores or refuses json_schema; ${structured} works, and answers that do not keep the form are asked once more. Better: a server that enforces it (vLLM, llama.cpp, a newer Ollama), with a model that it supports.`;
    return { id, state: 'warning', says };
  }
  const thinks = 'answer' in outcome && outcome.answer.text.trim() === '' && outcome.answer.reasoning !== '';
  if (thinks) {
    const says =
      'The form could not be seen: the model only thought. Switch thinking off on the server (see the next point).';
    return { id, state: 'failed', says };
  }
  const tried = settings.structured === 'auto' ? 'json_schema, json_object and prompt' : settings.structured;
  const says = `The answer is not in the form that was asked for (${tried}). Use a server that enforces json_schema, or another model; MODEL_STRUCTURED=auto tries the other ways.`;
  return { id, state: 'failed', says };
}

function content({ text, reasoning }: { readonly text: string; readonly reasoning: string }): ProbePoint {
  const id = 'content';
  if (text.trim() === '') {
    const says = reasoning
      ? 'The answer is empty and everything is in the model’s thoughts. Switch thinking off on the server (vLLM: --reasoning-parser without thinking or chat_template_kwargs enable_thinking=false; Ollama: think=false in the model; llama.cpp: --reasoning-budget 0), or choose a model that does not think.'
      : 'The answer is empty. Choose another model, or look at the log of the server.';
    return { id, state: 'failed', says };
  }
  if (reasoning !== '' || /<think>/i.test(text)) {
    const says =
      'The model thinks before it answers: each question takes longer and its thoughts count as output, so answers may be cut. Switch thinking off on the server, or choose a model that does not think.';
    return { id, state: 'warning', says };
  }
  return { id, state: 'passed', says: 'The answer is where it belongs.' };
}

function usage(inputTokens: number | undefined): ProbePoint {
  const id = 'usage';
  return inputTokens === undefined
    ? {
        id,
        state: 'warning',
        says: 'The server does not tell how many tokens it read: budgets count estimates, and a question that was cut is noticed only by the next point. Use a server that fills `usage`.',
      }
    : { id, state: 'passed', says: 'The server tells how many tokens it read.' };
}

/** A line of about thirty tokens, each another one: nothing is folded. */
const line = (at: number): string =>
  `Line ${at}: the measured value of sensor ${at * 7} was ${at * 13} millivolts after ${at * 3} hours in the climate chamber number ${at % 9}.`;

async function context(probing: Probing, times: number[]): Promise<ProbePoint> {
  const id = 'context';
  const { contextTokens } = probing.settings;
  const fixed = `${DATA} The text holds two code words, one in its first and one in its last line.`;
  const rest = contextTokens - OUTPUT - estimateTokens(fixed) - 150;
  // Tokenizers differ by a fifth: what is surely inside.
  const lines: string[] = [];
  for (let tokens = 0; tokens < rest * 0.8; tokens += estimateTokens(lines.at(-1)!))
    lines.push(line(lines.length));
  const variable = [
    `First code word: ${FIRST}.`,
    ...lines,
    `Last code word: ${LAST}.`,
    'Which are the two?',
  ].join('\n');
  const outcome = await small(probing, { fixed, variable, shape: CANARIES });
  const estimate = estimateTokens(fixed) + estimateTokens(variable);
  const change = `Raise the server's context to ${contextTokens} tokens (Ollama: OLLAMA_CONTEXT_LENGTH or num_ctx in a Modelfile; llama.cpp: --ctx-size; vLLM: --max-model-len), or lower MODEL_CONTEXT_TOKENS to what it has.`;
  if ('failed' in outcome) {
    const says =
      outcome.failed === 'too_large'
        ? `The server refuses a question of about ${estimate} tokens. ${change}`
        : `A question of about ${estimate} tokens was not answered (${outcome.failed}). ${outcome.failed === 'timed_out' ? 'Raise MODEL_TIMEOUT_SECONDS or choose a smaller model.' : change}`;
    return { id, state: 'failed', says };
  }
  times.push(outcome.milliseconds);
  const { answer } = outcome;
  const found = FOUND.safeParse(json(answer.text)).data;
  const [hasFirst, hasLast] = [found?.first.includes(FIRST) ?? false, found?.last.includes(LAST) ?? false];
  if (hasFirst && hasLast && answer.end !== 'context_limit' && !isTruncated(answer.usage, estimate)) {
    return {
      id,
      state: 'passed',
      says: `A question of about ${estimate} tokens is read from its first to its last line.`,
    };
  }
  const { inputTokens } = answer.usage;
  const counted = inputTokens === undefined ? '' : ` and says that it read ${inputTokens}`;
  const isLost = inputTokens === undefined || hasFirst !== hasLast;
  if (isLost || answer.end === 'context_limit' || isTruncated(answer.usage, estimate)) {
    const lost = hasFirst ? 'end' : hasLast ? 'beginning' : 'beginning and the end';
    const unknown = hasFirst && hasLast ? '' : `, and the model does not know the ${lost}`;
    const says = `The server cuts questions silently: it was sent about ${estimate} tokens${counted}${unknown}. ${change}`;
    return { id, state: 'failed', says };
  }
  const says = `The server read all of a question of about ${estimate} tokens, but the model did not find two words in it. Choose a stronger model, or lower MODEL_CONTEXT_TOKENS.`;
  return { id, state: 'warning', says };
}

function speed(
  longest: number,
  { concurrency, timeoutMilliseconds }: Omit<ProviderSettings, 'structured'>,
): ProbePoint {
  const id = 'speed';
  const seconds = Math.max(0.1, longest / 1000).toFixed(1);
  if (longest <= SLOW_MILLISECONDS && longest <= timeoutMilliseconds / 2) {
    return { id, state: 'passed', says: `The longest answer took ${seconds} s.` };
  }
  const says = `The longest answer took ${seconds} s: of a run of two hundred questions, ${concurrency} at a time, a part will be judged by rules because its time ends. Choose a smaller model or a faster machine, raise MODEL_CONCURRENCY where the server answers several at once, or ANALYSIS_TIMEOUT_MINUTES.`;
  return { id, state: 'warning', says };
}

function repeatable(texts: readonly string[]): ProbePoint {
  const id = 'repeatable';
  if (texts.length === 3 && new Set(texts).size === 1) {
    return { id, state: 'passed', says: 'Three equal questions had equal answers.' };
  }
  const says =
    'Equal questions had different answers, or none. Results repeat all the same while their answers are kept; to see how often a new answer differs, run with fresh_answers. vLLM: VLLM_BATCH_INVARIANT=1.';
  return { id, state: 'warning', says };
}
