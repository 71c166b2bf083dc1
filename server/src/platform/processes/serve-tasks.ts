import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createMessageDecoder, encodeMessage } from './frames.js';
import { CHANNEL, type FromProcess, type ToProcess } from './messages.js';
import { processorSeconds } from './processor-time.js';
import type { WatchdogData } from './watchdog.js';

export interface TaskContext {
  /** Aborted when nobody waits for the result any more; clean up and throw. */
  readonly signal: AbortSignal;
  progress(progress: unknown): void;
  /** Asks the side that started the task. */
  ask(question: unknown): Promise<unknown>;
}

export interface TaskResult<Result = unknown> {
  readonly result: Result;
}

export type Task = (input: never, context: TaskContext) => Promise<TaskResult>;

/** What a person is told about an error: `undefined` for errors that are ours. */
export type Explain = (error: unknown) => Readonly<Record<string, unknown>> | undefined;

/** Turns this process into one that does these tasks, one at a time; it was started by a process pool. */
export function serveTasks(tasks: Readonly<Record<string, Task>>, explain: Explain): void {
  const endsAt = startWatchdog();
  preferToDie();
  const socket = new Socket({ fd: CHANNEL, readable: true, writable: true });
  const send = (message: FromProcess): void => {
    const pieces = encodeMessage(message);
    socket.cork();
    for (const piece of pieces) socket.write(piece);
    socket.uncork();
  };
  const questions = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  let stopping = new AbortController();

  const run = async ({
    task,
    input,
    processorSeconds: seconds,
  }: Extract<ToProcess, { kind: 'run' }>): Promise<void> => {
    stopping = new AbortController();
    endsAt[0] = processorSeconds() + seconds;
    try {
      const work = tasks[task];
      if (!work) throw new Error(`There is no task ${task}.`);
      const { result } = await work(input as never, {
        signal: stopping.signal,
        progress: (progress) => send({ kind: 'progress', progress }),
        ask: (question) =>
          new Promise((resolve, reject) => {
            const id = ++asked;
            questions.set(id, { resolve, reject });
            send({ kind: 'question', id, question });
          }),
      });
      send({ kind: 'done', result, residentMegabytes: residentMegabytes() });
    } catch (error) {
      const details = explain(error);
      const { name, message, stack } = error instanceof Error ? error : new Error(typeof error);
      send({
        kind: 'failed',
        error: { type: name, message, explained: details !== undefined, details: details ?? {}, stack },
        residentMegabytes: residentMegabytes(),
      });
    } finally {
      endsAt[0] = 0;
      questions.clear();
    }
  };

  const receive = createMessageDecoder((received) => {
    const message = received as ToProcess;
    if (message.kind === 'run') void run(message);
    else if (message.kind === 'stop') stopping.abort(new Error('Nobody waits for the result any more.'));
    else {
      const question = questions.get(message.id);
      questions.delete(message.id);
      if (message.failed) question?.reject(new Error('The question could not be answered.'));
      else question?.resolve(message.answer);
    }
  });
  socket.on('data', receive);
  // The pool is gone: nobody waits for an answer.
  socket.on('close', () => process.exit(0));
  socket.on('error', () => process.exit(0));
}

function startWatchdog(): Float64Array {
  const endsAt = new Float64Array(new SharedArrayBuffer(8));
  const maxResidentMegabytes = Number(process.argv[2]);
  if (!(maxResidentMegabytes > 0)) throw new Error('This module runs in a process of a pool.');
  const workerData: WatchdogData = { maxResidentMegabytes, parent: process.ppid, endsAt };
  const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  watchdog.unref();
  return endsAt;
}

/** Where the machine itself has no memory left, Linux ends this process and not the service. */
function preferToDie(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not allowed here: the limits of the pool hold all the same.
  }
}

const residentMegabytes = (): number => process.memoryUsage.rss() / 1024 / 1024;
