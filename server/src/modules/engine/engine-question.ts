import type { TaskContext } from '../../platform/processes/serve-tasks.js';

/**
 * What a task may ask the side that started it, for which it has no rights of its own: a value, as the task is. Both sides
 * take from it what is asked and what is answered; both travel as data.
 */
export interface EngineQuestion<Asked, Answer> {
  readonly kind: string;
  /** For the compiler only. */
  readonly '~types'?: (asked: Asked) => Answer;
}

/** One kind of question, with who answers it. */
export interface Answerer {
  readonly kind: string;
  answer(asked: unknown): Promise<unknown>;
}

interface Travelling {
  readonly kind: string;
  readonly asked: unknown;
}

/** Asks from within a task and waits for the answer. Throws when the other side fails to answer. */
export const ask = async <Asked, Answer>(
  { ask: send }: Pick<TaskContext, 'ask'>,
  { kind }: EngineQuestion<Asked, Answer>,
  asked: Asked,
): Promise<Answer> => (await send({ kind, asked } satisfies Travelling)) as Answer;

export const answering = <Asked, Answer>(
  { kind }: EngineQuestion<Asked, Answer>,
  answer: (asked: Asked) => Promise<Answer>,
): Answerer => ({ kind, answer: (asked) => answer(asked as Asked) });

/** Hands each question to who answers its kind. Throws for a kind that nobody answers. */
export function answerWith(answerers: readonly Answerer[]): (question: unknown) => Promise<unknown> {
  const byKind = new Map(answerers.map((one) => [one.kind, one]));
  return async (question) => {
    const { kind, asked } = question as Travelling;
    const answerer = byKind.get(kind);
    if (!answerer) throw new Error(`Nobody answers the question "${kind}".`);
    return answerer.answer(asked);
  };
}
