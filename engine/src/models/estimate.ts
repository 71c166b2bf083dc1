import { type AnswerStore, answerKey } from './answer-store.js';
import { estimateTokens } from './estimate-tokens.js';
import { type LanguageModel, type ModelRequest, TASK_IDS, type TaskId } from './language-model.js';
import { loadPrompt } from './prompt.js';

/** Questions of one task. */
export interface TaskEstimate {
  readonly questions: number;
  /** Of them those that are answered from stored answers and cost nothing. */
  readonly fromStore: number;
  /** Of the questions that are not. */
  readonly tokens: { readonly input: number; readonly output: number };
}

/** What a run would ask, before it asks. */
export interface Estimate {
  readonly questions: number;
  /** Questions that are answered from stored answers and cost nothing. */
  readonly fromStore: number;
  /** Of the questions that are not. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** The same by task; sorted as the tasks are. */
  readonly tasks: Readonly<Partial<Record<TaskId, TaskEstimate>>>;
  /** Passages that would be sent, by document, in the order in which they would be. */
  readonly documents: readonly { readonly documentId: string; readonly passages: number }[];
  /** Whether words of an uploaded standard would be sent. */
  readonly sendsStandard: boolean;
}

/** How a model has answered so far, where that is known: its own habit tells more than what models usually do. */
export interface ModelHabits {
  /** Tokens of an answer, by task. */
  readonly outputTokens?: Readonly<Partial<Record<TaskId, number>>>;
  /** Questions to the critic for each judgement, and how long they are. */
  readonly criticised?: { readonly share: number; readonly inputTokens: number };
}

/** Of the judgements about half would change something and are criticised: beside the prompt that many tokens. */
const CRITICISED = 0.5;
const CRITICISED_TOKENS = 250;
const CRITICISED_TASKS: ReadonlySet<TaskId> = new Set<TaskId>(['judge', 'checklist']);
const NOTHING = { questions: 0, fromStore: 0, input: 0, output: 0 };

/**
 * A model that answers from stored answers only and counts what would be asked. Give it to a run as its model; the estimate is
 * there when the run has ended.
 */
export function estimatingModel(
  { id, contextTokens, sampling }: Pick<LanguageModel, 'id' | 'contextTokens' | 'sampling'>,
  store?: AnswerStore,
  habits: ModelHabits = {},
): { readonly model: LanguageModel; estimate(): Promise<Estimate> } {
  const asked = new Map<string, { readonly request: ModelRequest; readonly isStored: boolean }>();
  const model: LanguageModel = {
    id,
    contextTokens,
    sampling,
    async ask(requests, signal) {
      signal?.throwIfAborted();
      const keys = requests.map((request) => answerKey(request, { id, sampling }));
      const stored = await store?.get(keys);
      return requests.map((request, at) => {
        const answer = stored?.[at];
        asked.set(keys[at]!, { request, isStored: answer !== undefined });
        return answer ? { ...answer, from: 'store' as const } : { failed: 'not_recorded' as const };
      });
    },
  };
  return { model, estimate: () => estimated([...asked.values()], habits) };
}

async function estimated(
  asked: readonly { readonly request: ModelRequest; readonly isStored: boolean }[],
  { outputTokens = {}, criticised: habit }: ModelHabits,
): Promise<Estimate> {
  const open = asked.filter(({ isStored }) => !isStored).map(({ request }) => request);
  const prompts = new Map(
    await Promise.all(TASK_IDS.map(async (task) => [task, await loadPrompt(task)] as const)),
  );
  const outputOf = (task: TaskId) => outputTokens[task] ?? prompts.get(task)!.usualOutputTokens;
  const tasks = new Map<TaskId, { questions: number; fromStore: number; input: number; output: number }>();
  const add = (
    task: TaskId,
    more: { questions: number; fromStore?: number; input: number; output: number },
  ) => {
    const { questions, fromStore, input, output } = tasks.get(task) ?? NOTHING;
    tasks.set(task, {
      questions: questions + more.questions,
      fromStore: fromStore + (more.fromStore ?? 0),
      input: input + more.input,
      output: output + more.output,
    });
  };
  for (const { request, isStored } of asked) {
    const { task } = request;
    if (isStored) add(task, { ...NOTHING, questions: 1, fromStore: 1 });
    else
      add(task, {
        questions: 1,
        input: estimateTokens(request.fixed) + estimateTokens(request.variable),
        output: outputOf(task),
      });
  }
  const critic = prompts.get('criticise')!;
  const judged = open.filter(({ task }) => CRITICISED_TASKS.has(task)).length;
  const criticised = Math.ceil(judged * (habit?.share ?? CRITICISED));
  if (criticised > 0)
    add('criticise', {
      questions: criticised,
      input: criticised * (habit?.inputTokens ?? estimateTokens(critic.fixed) + CRITICISED_TOKENS),
      output: criticised * outputOf('criticise'),
    });
  const passages = new Map<string, Set<string>>();
  for (const { sends } of open)
    for (const { documentId, passageId } of sends)
      passages.set(documentId, (passages.get(documentId) ?? new Set()).add(passageId));
  const inOrder = TASK_IDS.flatMap((task) => {
    const one = tasks.get(task);
    if (!one) return [];
    const { questions, fromStore, input, output } = one;
    const tokens = { input: Math.round(input), output: Math.round(output) };
    return [[task, { questions, fromStore, tokens }] as const];
  });
  const sum = (of: (one: TaskEstimate) => number) => inOrder.reduce((all, [, one]) => all + of(one), 0);
  return {
    questions: sum(({ questions }) => questions),
    fromStore: sum(({ fromStore }) => fromStore),
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum(({ tokens }) => tokens.output) },
    tasks: Object.fromEntries(inOrder),
    documents: [...passages].map(([documentId, sent]) => ({ documentId, passages: sent.size })),
    sendsStandard: open.some(({ sendsStandard }) => sendsStandard),
  };
}
