import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Estimate,
  estimatingModel,
  type LanguageModel,
  type ModelUse,
  openModel,
  PROVIDERS,
  withAnswerStore,
} from '@normtrace/engine';
import { figuresOf, judgeChecklists } from '../checklists.js';
import { type CoverageCorpus, GoldDataError, loadCoverageCorpora } from '../gold.js';
import { type ChecklistCase, loadChecklistCases } from '../gold-checklists.js';
import { methodsToCompare } from '../methods.js';
import { type JudgedVerdict, judgeVerdicts } from '../verdicts.js';
import { recordedAnswers, recordedModel } from './answers-file.js';

interface Gold {
  readonly corpora: readonly CoverageCorpus[];
  readonly cases: readonly ChecklistCase[];
}

/**
 * Gold data judged by rules, and by rules with a language model: one that is asked (`--base-url`), or the answers that were
 * recorded of one. Prints what would be asked first, then figures beside each other; a question without a recorded answer is
 * counted, not skipped.
 */
export async function judgeWithModel(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      provider: { type: 'string', default: 'openai-compatible' },
      'base-url': { type: 'string' },
      model: { type: 'string' },
      'key-file': { type: 'string' },
      answers: { type: 'string' },
      record: { type: 'boolean', default: false },
      'max-tokens': { type: 'string' },
    },
  });
  const { data, model: name, 'base-url': baseUrl } = values;
  if (!data || (!values.answers && !(baseUrl && name)))
    throw new GoldDataError('Name --data, and --base-url with --model, or --answers with recorded ones.');
  const folder = values.answers ?? join('eval', 'answers', name!.replace(/[^\w.-]+/g, '-'));
  const gold = { corpora: loadCoverageCorpora(data), cases: loadChecklistCases(data) };
  const live = baseUrl && name ? liveModel({ ...values, name, baseUrl }) : undefined;
  const about = live ?? recordedModel(folder);
  const store = recordedAnswers(folder, values.record ? live : undefined);

  const estimating = estimatingModel(about, store);
  await judged(gold, { model: estimating.model, sendsStandard: true });
  const estimate = await estimating.estimate();
  console.log(estimateText(about.id, estimate));
  const model = live ? withAnswerStore(live, store) : estimatingModel(about, store).model;
  const counting = counted(model);
  const maxTokens = Number(values['max-tokens'] ?? Number.POSITIVE_INFINITY);
  const both = await judged(gold, { model: counting.model, maxTokens, sendsStandard: true });
  console.log(figuresText(await judged(gold, undefined), both));
  console.log(counting.text());
  return 0;
}

function liveModel(values: {
  readonly provider: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly 'key-file'?: string | undefined;
}): LanguageModel {
  const provider = PROVIDERS.find((one) => one === values.provider);
  if (!provider) throw new GoldDataError(`--provider ${values.provider} is not known.`);
  const keyFile = values['key-file'];
  return openModel({
    ...{ provider, baseUrl: values.baseUrl, model: values.name },
    ...(keyFile === undefined ? {} : { apiKey: readFileSync(keyFile, 'utf8').trim() }),
    ...{ contextTokens: 8192, structured: 'json_schema', seed: 1 },
    ...{ timeoutMilliseconds: 120_000, attempts: 3, concurrency: 4 },
  });
}

/** Words only: which passages a model sees does not depend on another model. */
async function judged({ corpora, cases }: Gold, use: ModelUse | undefined) {
  const method = methodsToCompare(undefined).at(-1)!;
  return {
    verdicts: await judgeVerdicts(corpora, method, undefined, use),
    items: await judgeChecklists(cases, use),
  };
}
type Judged = Awaited<ReturnType<typeof judged>>;

const estimateText = (id: string, { questions, fromStore, tokens }: Estimate): string =>
  `${id}: about ${questions} questions, ${fromStore} of them recorded; about ${tokens.input} tokens of input and ${tokens.output} of output.`;

function counted(model: LanguageModel): { readonly model: LanguageModel; text(): string } {
  let asked = 0;
  let input = 0;
  let output = 0;
  const failed = new Map<string, number>();
  return {
    model: {
      ...model,
      async ask(requests, signal) {
        const answers = await model.ask(requests, signal);
        for (const answer of answers) {
          asked++;
          if ('failed' in answer) failed.set(answer.failed, (failed.get(answer.failed) ?? 0) + 1);
          else {
            input += answer.usage.inputTokens ?? 0;
            output += answer.usage.outputTokens ?? 0;
          }
        }
        return answers;
      },
    },
    text: () =>
      `${asked} questions, ${input} tokens of input and ${output} of output; without an answer: ${[...failed].map(([why, count]) => `${count} ${why}`).join(', ') || 'none'}.`,
  };
}

function figuresText(rules: Judged, both: Judged): string {
  const line = (name: string, of: (one: Judged) => number) =>
    `${name}: rules ${shown(of(rules))}, with the model ${shown(of(both))}`;
  return [
    line('clauses called covered, precision', ({ verdicts }) => precisionOf(verdicts, 'covered')),
    line('clauses called missing, precision', ({ verdicts }) => precisionOf(verdicts, 'missing')),
    line('clauses left to a person, share', ({ verdicts }) => shareOf(verdicts, 'needs_review')),
    line('checklists, accuracy', ({ items }) => figuresOf(items).accuracy),
    line('checklists, precision on fail', ({ items }) => figuresOf(items).precision),
    line('checklists, recall on fail', ({ items }) => figuresOf(items).recall),
  ].join('\n');
}

const shown = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(3));

function precisionOf(verdicts: readonly JudgedVerdict[], as: 'covered' | 'missing'): number {
  const called = verdicts.filter(({ verdict }) => verdict === as);
  return called.filter(({ covered }) => covered === (as === 'covered')).length / called.length;
}

const shareOf = (verdicts: readonly JudgedVerdict[], as: JudgedVerdict['verdict']): number =>
  verdicts.filter(({ verdict }) => verdict === as).length / verdicts.length;
