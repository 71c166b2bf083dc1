import type { AnswerOf } from './answer-schemas.js';
import { estimateTokens } from './estimate-tokens.js';
import {
  ENDS_ASKING,
  type LanguageModel,
  type ModelAnswer,
  type ModelFailure,
  type ModelRequest,
  type Sampling,
  type TaskId,
} from './language-model.js';
import { loadPrompt, type Question, requestOf, withPreface } from './prompt.js';
import { readAnswer } from './read-answer.js';

/** A model, and what a run may do with it. */
export interface ModelUse {
  readonly model: LanguageModel;
  /** Tokens that the run may spend, questions and answers together, stored answers included. No limit where absent. */
  readonly maxTokens?: number;
  /** Documents whose words must not be sent, by id. */
  readonly withheld?: readonly string[];
  /** Words of an uploaded standard may be sent. */
  readonly sendsStandard?: boolean;
  /** The language in which steps are written for gaps from medium up; none are where it is absent. */
  readonly remediesIn?: 'en' | 'de';
  /** The language of a few sentences about a gap analysis as a whole; none are written where it is absent. */
  readonly summaryIn?: 'en' | 'de';
}

/** Why there is no answer that could be used. */
export type NoAnswer = ModelFailure | 'unreadable';

/** A question with what its answer has to keep to beside its form. */
export interface Asked<Task extends TaskId> extends Question<Task> {
  readonly issuesOf?: (answer: AnswerOf<Task>) => readonly string[];
}

/** What was asked in a run so far. */
export interface AskedCounts {
  /** Questions; asking once more for an answer that could be read counts as the same. */
  readonly asked: number;
  readonly answered: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Sorted. */
  readonly templates: readonly string[];
  /** As which models the server said that it answered, critics aside; sorted. */
  readonly answeredAs: readonly string[];
}

/** The model of a run in the statement of its method. */
export interface ModelStatement extends AskedCounts {
  readonly model: string;
  readonly sampling: Sampling;
  readonly maxTokens?: number;
  /** Questions that rules answered alone, by reason; sorted. */
  readonly byRulesBecause: Readonly<Record<string, number>>;
}

/** Asks the questions of one run, within its budget. */
export interface Asking {
  readonly use: ModelUse;
  /** Answers in the order of the questions. Rejects with the reason of the signal when it is aborted. */
  ask<Task extends TaskId>(
    questions: readonly Asked<Task>[],
  ): Promise<readonly ({ readonly answer: AnswerOf<Task> } | { readonly failed: NoAnswer })[]>;
  counts(): AskedCounts;
}

/** Questions that are under way at once as far as the budget knows. */
const AT_A_TIME = 8;

/** A run's questions to a model. */
export function askingWith(use: ModelUse, signal?: AbortSignal): Asking {
  const { model, maxTokens = Number.POSITIVE_INFINITY } = use;
  let asked = 0;
  let answered = 0;
  const tokens = { input: 0, output: 0 };
  const templates = new Set<string>();
  const names = new Set<string>();
  let ended: ModelFailure | undefined;

  /** Asks what the budget and the context allow, in order; what comes after is not asked. */
  const send = async (
    requests: readonly { request: ModelRequest; usual: number }[],
  ): Promise<ModelAnswer[]> => {
    const sent: ModelRequest[] = [];
    const failed = new Map<ModelRequest, ModelFailure>();
    let reserved = tokens.input + tokens.output;
    for (const { request, usual } of requests) {
      const input = inputOf(request);
      if (!ended && reserved + input + usual > maxTokens) ended = 'budget_ended';
      if (ended) failed.set(request, ended);
      else if (input + request.maxOutputTokens > model.contextTokens) failed.set(request, 'too_large');
      else {
        reserved += input + usual;
        sent.push(request);
      }
    }
    const given = sent.length === 0 ? [] : await model.ask(sent, signal);
    const answers = new Map(sent.map((request, at) => [request, given[at]!]));
    for (const [request, answer] of answers) {
      if ('failed' in answer) {
        if (ENDS_ASKING.has(answer.failed)) ended ??= answer.failed;
        continue;
      }
      // A critic may be another model on purpose.
      if (request.task !== 'criticise') names.add(answer.model);
      tokens.input += answer.usage.inputTokens ?? inputOf(request);
      tokens.output += answer.usage.outputTokens ?? estimateTokens(answer.text);
    }
    return requests.map(({ request }) => answers.get(request) ?? { failed: failed.get(request)! });
  };

  return {
    use,
    async ask(questions) {
      const results: Awaited<ReturnType<Asking['ask']>>[number][] = [];
      for (let from = 0; from < questions.length; from += AT_A_TIME) {
        signal?.throwIfAborted();
        const step = await Promise.all(
          questions.slice(from, from + AT_A_TIME).map(async (question) => {
            const prompt = await withPreface(await loadPrompt(question.task), question.preface);
            return { question, request: requestOf(prompt, question), usual: prompt.usualOutputTokens };
          }),
        );
        const first = await send(step);
        const read = step.map(({ question }, at) => readOrFailed(question, first[at]!));
        const again = step.flatMap((one, at) => {
          const outcome = read[at]!;
          if (!('issues' in outcome)) return [];
          return [{ at, request: askedAgain(one.request, outcome.issues), usual: one.usual }];
        });
        const second = again.length === 0 ? [] : await send(again);
        again.forEach(({ at }, position) => {
          read[at] = readOrFailed(step[at]!.question, second[position]!);
        });
        read.forEach((outcome, at) => {
          const result = 'issues' in outcome ? { failed: 'unreadable' as const } : outcome;
          const wasSent = !('failed' in result) || !NOT_SENT.has(result.failed);
          if (wasSent) {
            asked++;
            templates.add(step[at]!.request.template);
          }
          if ('answer' in result) answered++;
          results.push(result);
        });
      }
      return results as never;
    },
    counts: () => ({
      asked,
      answered,
      tokens: { ...tokens },
      templates: [...templates].sort(),
      answeredAs: [...names].sort(),
    }),
  };
}

/** Failures of questions that never left. */
const NOT_SENT: ReadonlySet<NoAnswer> = new Set<NoAnswer>([
  'budget_ended',
  'time_ended',
  'too_large',
  'policy',
]);

const inputOf = ({ fixed, variable }: ModelRequest): number =>
  estimateTokens(fixed) + estimateTokens(variable);

function readOrFailed<Task extends TaskId>({ task, issuesOf }: Asked<Task>, answer: ModelAnswer) {
  if ('failed' in answer) return answer.failed === 'empty' ? { issues: ['It is empty.'] } : answer;
  return readAnswer(task, answer.text, issuesOf);
}

/** The same question with what was wrong with the answer; nothing of the answer itself. */
const askedAgain = (request: ModelRequest, issues: readonly string[]): ModelRequest => ({
  ...request,
  variable: `${request.variable}\n<again>An answer could not be used: ${issues.join(' ')} Answer in the form that is asked for.</again>\n`,
});

/** Names under which the server answered that are not that of the model that was asked: a version of it, or another one. */
export const strangers = ({ model, answeredAs = [] }: Pick<ModelStatement, 'model'> & Partial<AskedCounts>) =>
  answeredAs.filter((name) => name !== model && !model.endsWith(`:${name}`));

/** How the model of a run was used, for the statement of its method. */
export function modelStatement(asking: Asking, because: Iterable<string>): ModelStatement {
  const { model, maxTokens } = asking.use;
  const counts = new Map<string, number>();
  for (const one of because) counts.set(one, (counts.get(one) ?? 0) + 1);
  return {
    model: model.id,
    sampling: model.sampling,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...asking.counts(),
    byRulesBecause: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
