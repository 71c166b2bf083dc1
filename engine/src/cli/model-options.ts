import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type AnswerStore, withAnswerStore } from '../models/answer-store.js';
import type { ModelUse } from '../models/asking.js';
import type { Estimate } from '../models/estimate.js';
import { estimatingModel } from '../models/estimate.js';
import { fileAnswerStore } from '../models/file-answer-store.js';
import type { LanguageModel } from '../models/language-model.js';
import { PROVIDERS, type ProviderSettings, STRUCTURED } from '../models/providers/provider.js';
import { CommandError } from './command-error.js';
import { oneOf } from './options.js';
import type { Output } from './terminal.js';

/** Which language model is asked, and how much. Nothing of it is read or loaded with `--judge rules`. */
export const MODEL_OPTIONS = {
  judge: { type: 'string', default: 'rules' },
  provider: { type: 'string', default: 'openai-compatible' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  'key-file': { type: 'string' },
  structured: { type: 'string', default: 'json_schema' },
  'context-tokens': { type: 'string', default: '8192' },
  'max-tokens': { type: 'string' },
  concurrency: { type: 'string', default: '4' },
  'send-standard': { type: 'boolean', default: false },
  'fresh-answers': { type: 'boolean', default: false },
  remedies: { type: 'boolean', default: false },
  estimate: { type: 'boolean', default: false },
} as const;

interface ModelValues {
  readonly judge: string;
  readonly provider: string;
  readonly model?: string | undefined;
  readonly 'base-url'?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly structured: string;
  readonly 'context-tokens': string;
  readonly 'max-tokens'?: string | undefined;
  readonly concurrency: string;
  readonly 'send-standard': boolean;
  readonly 'fresh-answers': boolean;
  readonly remedies: boolean;
  readonly language?: string | undefined;
  readonly estimate: boolean;
}

/** The server that the options name. Throws `CommandError` for what is missing or not understood. */
export async function providerOf(values: Omit<ModelValues, 'judge'>): Promise<ProviderSettings> {
  const { model, 'base-url': baseUrl, 'key-file': keyFile } = values;
  if (model === undefined || baseUrl === undefined)
    throw new CommandError(
      `${model === undefined ? '--model' : '--base-url'} is missing.`,
      'For example: --judge ai --base-url http://localhost:11434/v1 --model qwen3:8b',
    );
  if (!URL.canParse(baseUrl))
    throw new CommandError(`--base-url ${baseUrl} is no address.`, 'Write it with http:// or https://.');
  return {
    provider: oneOf('--provider', values.provider, PROVIDERS),
    baseUrl,
    model,
    ...(keyFile === undefined ? {} : { apiKey: await keyIn(keyFile) }),
    contextTokens: wholeNumber('--context-tokens', values['context-tokens']),
    structured: oneOf('--structured', values.structured, STRUCTURED),
    seed: 1,
    timeoutMilliseconds: 120_000,
    attempts: 3,
    concurrency: wholeNumber('--concurrency', values.concurrency),
  };
}

/** A model for a run, and what is told when the run has ended. */
export interface AskedModel {
  readonly use: ModelUse;
  /** With `--estimate`: nothing is asked. */
  readonly estimate?: () => Promise<Estimate>;
}

/** The model that the options ask for; undefined where rules judge alone. */
export async function modelOf(values: ModelValues): Promise<AskedModel | undefined> {
  const judge = oneOf('--judge', values.judge, ['rules', 'ai']);
  if (judge === 'rules') {
    if (values.estimate)
      throw new CommandError(
        '--estimate is about a language model.',
        'Add --judge ai, --base-url and --model.',
      );
    return undefined;
  }
  const settings = await providerOf(values);
  const store = fileAnswerStore(join(homedir(), '.cache', 'normtrace', 'answers'));
  const maxTokens = values['max-tokens'];
  const rest = {
    ...(maxTokens === undefined ? {} : { maxTokens: wholeNumber('--max-tokens', maxTokens) }),
    sendsStandard: values['send-standard'],
    ...(values.remedies ? { remediesIn: values.language === 'de' ? ('de' as const) : ('en' as const) } : {}),
  };
  const { openModel } = await import('../models/providers/open-model.js');
  const model = openModel(settings);
  if (!values.estimate) return { use: { ...rest, model: kept(model, store, values['fresh-answers']) } };
  const estimating = estimatingModel(model, values['fresh-answers'] ? undefined : store);
  return { use: { ...rest, model: estimating.model }, estimate: estimating.estimate };
}

const kept = (model: LanguageModel, store: AnswerStore, fresh: boolean): LanguageModel =>
  withAnswerStore(model, store, { fresh });

/** Prints what would be asked. */
export function printEstimate(
  out: Output,
  { questions, fromStore, tokens, tasks, documents, sendsStandard }: Estimate,
  { use }: AskedModel,
): void {
  const byTask = Object.entries(tasks).map(([task, { questions: count }]) => `${count} ${task}`);
  const passages = documents.reduce((sum, one) => sum + one.passages, 0);
  out.write(
    [
      `${use.model.id}`,
      `  about ${questions} questions (${byTask.join(', ') || 'none'}), ${fromStore} of them from stored answers`,
      `  about ${tokens.input} tokens of input and ${tokens.output} of output`,
      ...Object.entries(tasks).map(
        ([task, { tokens: of }]) => `    ${task}: ${of.input} of input, ${of.output} of output`,
      ),
      `  ${passages} passages of ${documents.length} documents would be sent${sendsStandard ? ', and words of the standard' : ''}`,
      'Nothing was asked.',
      '',
    ].join('\n'),
  );
}

async function keyIn(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new CommandError(
      `The key file "${file}" cannot be read.`,
      'Give --key-file a file that holds the key only.',
    );
  }
}

function wholeNumber(option: string, value: string): number {
  if (!/^[1-9]\d{0,9}$/.test(value))
    throw new CommandError(`${option} ${value} is no number.`, 'Write a whole number above 0.');
  return Number(value);
}
