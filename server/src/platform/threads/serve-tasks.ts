import { parentPort, type Transferable } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-messages.js';

export interface TaskContext {
  /** Aborted when nobody waits for the result any more; clean up and throw. */
  readonly signal: AbortSignal;
  progress(progress: unknown): void;
  /** Asks the side that started the task. */
  ask(question: unknown): Promise<unknown>;
}

/** A result with buffers that are handed over instead of copied. */
export interface TaskResult<Result = unknown> {
  readonly result: Result;
  readonly transfer?: readonly Transferable[];
}

export type Task = (input: never, context: TaskContext) => Promise<TaskResult>;

/** What a person is told about an error: `undefined` for errors that are ours. */
export type Explain = (error: unknown) => Readonly<Record<string, unknown>> | undefined;

/** Turns this thread into one that does these tasks, one at a time. */
export function serveTasks(tasks: Readonly<Record<string, Task>>, explain: Explain): void {
  if (!parentPort) throw new Error('This module runs in a thread.');
  const port = parentPort;
  const send = (message: FromThread, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, transfer);
  const questions = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  let stopping = new AbortController();

  const run = async ({ task, input }: Extract<ToThread, { kind: 'run' }>): Promise<void> => {
    stopping = new AbortController();
    try {
      const work = tasks[task];
      if (!work) throw new Error(`There is no task ${task}.`);
      const { result, transfer } = await work(input as never, {
        signal: stopping.signal,
        progress: (progress) => send({ kind: 'progress', progress }),
        ask: (question) =>
          new Promise((resolve, reject) => {
            const id = ++asked;
            questions.set(id, { resolve, reject });
            send({ kind: 'question', id, question });
          }),
      });
      send({ kind: 'done', result }, transfer);
    } catch (error) {
      const details = explain(error);
      const { name, message, stack } = error instanceof Error ? error : new Error(typeof error);
      send({
        kind: 'failed',
        error: { type: name, message, explained: details !== undefined, details: details ?? {}, stack },
      });
    } finally {
      questions.clear();
    }
  };

  port.on('message', (message: ToThread) => {
    if (message.kind === 'run') void run(message);
    else if (message.kind === 'stop') stopping.abort(new Error('Nobody waits for the result any more.'));
    else {
      const question = questions.get(message.id);
      questions.delete(message.id);
      if (message.failed) question?.reject(new Error('The question could not be answered.'));
      else question?.resolve(message.answer);
    }
  });
}
