import { type Transferable, Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-messages.js';

/** A stopped task gets this long to clean up behind itself; then its thread is ended. */
const GRACE_MILLISECONDS = 800;

export interface ThreadPoolOptions {
  /** The module that calls `serveTasks`. */
  readonly entry: URL;
  readonly size: number;
  /** Old space of one thread in MiB: past it the task fails and the process goes on. */
  readonly maxMemoryMegabytes: number;
}

export interface TaskOptions {
  /** Stops the task. The promise is rejected with the reason at once or after a short time for cleaning up. */
  readonly signal: AbortSignal;
  readonly transfer?: readonly Transferable[];
  readonly onProgress?: (progress: unknown) => void;
  /** Answers what the task asks; the task waits for it. */
  readonly onQuestion?: (question: unknown) => Promise<unknown>;
}

/** Threads for work that would block the event loop. They are started when needed and used again. */
export interface ThreadPool {
  /** Runs the named task; waits while all threads are busy. Throws `TaskFailed` for what the task threw. */
  run(task: string, input: unknown, options: TaskOptions): Promise<unknown>;
  /** Tasks that run, each on a thread of its own, and tasks that wait for one. */
  load(): { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

/** What a task threw. `explained` when the message is meant for a person. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly type: string;
  readonly explained: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(failure: Extract<FromThread, { kind: 'failed' }>['error']) {
    super(failure.message);
    this.type = failure.type;
    this.explained = failure.explained;
    this.details = failure.details;
    if (failure.stack) this.stack = failure.stack;
  }
}

interface Waiting {
  readonly start: (worker: Worker) => void;
}

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const queue: Waiting[] = [];
  let closed = false;

  const startThread = (): Worker => {
    const worker = new Worker(options.entry, {
      resourceLimits: { maxOldGenerationSizeMb: options.maxMemoryMegabytes },
    });
    // An idle pool does not keep the process alive.
    worker.unref();
    all.add(worker);
    worker.once('exit', () => {
      all.delete(worker);
      const index = idle.indexOf(worker);
      if (index >= 0) idle.splice(index, 1);
      startNext();
    });
    // The running task hears of it through its own listener; nobody gets the dying thread after that.
    worker.on('error', () => all.delete(worker));
    return worker;
  };
  const startNext = (): void => {
    if (closed || queue.length === 0) return;
    const worker = idle.pop() ?? (all.size < options.size ? startThread() : undefined);
    if (worker) queue.shift()?.start(worker);
  };
  const release = (worker: Worker): void => {
    if (closed) return;
    if (all.has(worker)) idle.push(worker);
    startNext();
  };

  return {
    run: (task, input, taskOptions) =>
      new Promise((resolve, reject) => {
        const { signal } = taskOptions;
        if (closed) return reject(new Error('The threads are closed.'));
        if (signal.aborted) return reject(signal.reason);
        const leave = (): void => {
          const index = queue.indexOf(waiting);
          if (index >= 0) queue.splice(index, 1);
          reject(signal.reason);
        };
        const waiting: Waiting = {
          start: (worker) => {
            signal.removeEventListener('abort', leave);
            runOn(worker, { task, input, ...taskOptions })
              .then(resolve, reject)
              .finally(() => release(worker));
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        queue.push(waiting);
        startNext();
      }),
    load: () => ({ running: all.size - idle.length, waiting: queue.length }),
    close: async () => {
      closed = true;
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function runOn(worker: Worker, job: TaskOptions & { task: string; input: unknown }): Promise<unknown> {
  const { task, input, signal, transfer = [], onProgress, onQuestion } = job;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const send = (message: ToThread, moved: readonly Transferable[] = []): void =>
      worker.postMessage(message, moved);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off('message', receive).off('error', die).off('exit', exit);
      finish();
    };
    const stop = (): void => {
      send({ kind: 'stop' });
      timer = setTimeout(() => {
        worker.terminate().then(() => settle(() => reject(signal.reason)));
      }, GRACE_MILLISECONDS);
    };
    const die = (error: Error & { code?: string }): void =>
      settle(() =>
        reject(
          signal.aborted
            ? signal.reason
            : new TaskFailed({
                type: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'OutOfMemory' : error.name,
                message: error.message,
                explained: false,
                details: {},
                stack: error.stack,
              }),
        ),
      );
    const exit = (): void => die(new Error('The thread ended.'));
    const receive = (message: FromThread): void => {
      if (message.kind === 'done') settle(() => resolve(message.result));
      else if (message.kind === 'failed') {
        settle(() => reject(signal.aborted ? signal.reason : new TaskFailed(message.error)));
      } else if (message.kind === 'progress') onProgress?.(message.progress);
      else {
        const { id, question } = message;
        (onQuestion?.(question) ?? Promise.reject(new Error('Nobody answers.'))).then(
          (answer) => send({ kind: 'answer', id, answer }),
          () => send({ kind: 'answer', id, failed: true }),
        );
      }
    };
    worker.on('message', receive).once('error', die).once('exit', exit);
    signal.addEventListener('abort', stop, { once: true });
    send({ kind: 'run', task, input }, transfer);
  });
}
