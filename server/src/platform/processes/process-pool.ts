import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../unavailable.js';
import { createMessageDecoder, encodeMessage } from './frames.js';
import {
  CHANNEL,
  type FromProcess,
  MEMORY_EXCEEDED,
  PROCESSOR_TIME_EXCEEDED,
  type TaskFailure,
  type ToProcess,
} from './messages.js';

/** A stopped task gets this long to clean up behind itself; then its process is ended. */
const GRACE_MILLISECONDS = 800;
/** One idle process stays for the next task; further ones end after this time. */
const IDLE_MILLISECONDS = 20_000;
/**
 * A process that takes more than this after a task does not stay for good: it would keep it while it is idle. Its code is warm, which is worth
 * two thirds of the time of a small task: it is used again for a while, and then another one gets ready in its place.
 */
const WORN_MEGABYTES = 256;
const WORN_MILLISECONDS = 600_000;
/** One that takes more than this is not used again. */
const SPENT_MEGABYTES = 512;
/**
 * Most room for each half of the young objects, in MiB. Tasks make hundreds of thousands of rows that live as long as their document or
 * batch: with the usual 16 they are copied twice before they are garbage. It grows only in a task that needs it.
 */
const YOUNG_MEGABYTES = 32;
/** What a process takes beside its heap: the program, buffers, young objects. */
const OUTSIDE_HEAP_MEGABYTES = 1024;

export interface ProcessPoolOptions {
  /** The module that calls `serveTasks`. */
  readonly entry: URL;
  /** Processes for tasks of one group. One more is started for another group, which waits for nobody's tasks then. */
  readonly size: number;
  /** Old space of one process in MiB, and with 1 GiB more its resident memory: past it the task fails. */
  readonly maxMemoryMegabytes: number;
  /** How long a process that has grown may be idle. */
  readonly wornMilliseconds?: number;
}

export interface TaskOptions {
  /** Stops the task. The promise is rejected with the reason at once or after a short time for cleaning up. */
  readonly signal: AbortSignal;
  /** Who takes turns with others for a process. */
  readonly group?: string;
  /** Seconds of processor time that the task may take; an hour where not given. */
  readonly processorSeconds?: number;
  readonly onProgress?: (progress: unknown) => void;
  /** Answers what the task asks; the task waits for it. */
  readonly onQuestion?: (question: unknown) => Promise<unknown>;
}

/**
 * Processes for work that would block the event loop, or that a file could make grow without end. They are started when
 * needed and used again. One that dies fails its task and nothing else.
 */
export interface ProcessPool {
  /**
   * Runs the named task; waits while all processes are busy. Throws `TaskFailed` for what the task threw, or the
   * `Unavailable` that one of its questions met.
   */
  run(task: string, input: unknown, options: TaskOptions): Promise<unknown>;
  /** Tasks that run, each in a process of its own, and tasks that wait for one. */
  load(): { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

/** How a process can end under a task: by its limit of memory, of processor time, or for any other reason. */
const DEATHS = ['OutOfMemory', 'OutOfTime', 'ProcessDied'] as const;
export type Death = (typeof DEATHS)[number];

/** What a task threw. `explained` when the message is meant for a person. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly type: string;
  readonly explained: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(failure: TaskFailure) {
    super(failure.message);
    this.type = failure.type;
    this.explained = failure.explained;
    this.details = failure.details;
    if (failure.stack) this.stack = failure.stack;
  }
}

/** How the process of a task ended under it; undefined where it did not. */
export const deathOf = (error: unknown): Death | undefined =>
  error instanceof TaskFailed && !error.explained ? DEATHS.find((death) => death === error.type) : undefined;

/** One process of the pool. */
interface Child {
  readonly ended: Promise<void>;
  isAlive(): boolean;
  send(message: ToProcess): void;
  /** Who hears what the process says; without anybody it does not keep this one from ending. */
  listen(listener: Listener | undefined): void;
  kill(): void;
}

/** A task without a process. */
interface Waiting {
  readonly group: string;
  begin(child: Child): void;
}

interface Listener {
  message(message: FromProcess): void;
  ended(failure: TaskFailure): void;
}

export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const { wornMilliseconds = WORN_MILLISECONDS } = options;
  const idle: { readonly child: Child; readonly timer: NodeJS.Timeout | undefined }[] = [];
  const all = new Set<Child>();
  const queue: Waiting[] = [];
  const running = new Map<string, number>();
  let closed = false;

  const start = (): Child => {
    const child = startChild(options);
    all.add(child);
    void child.ended.then(() => {
      all.delete(child);
      const index = idle.findIndex((one) => one.child === child);
      if (index >= 0) clearTimeout(idle.splice(index, 1)[0]!.timer);
      startNext();
    });
    return child;
  };
  const takeIdle = (): Child | undefined => {
    for (let taken = idle.pop(); taken; taken = idle.pop()) {
      clearTimeout(taken.timer);
      if (taken.child.isAlive()) return taken.child;
    }
    return undefined;
  };
  const startNext = (): void => {
    // The first of those who have the fewest.
    const next = queue.reduce<Waiting | undefined>(
      (best, one) => (best === undefined || tasksOf(one) < tasksOf(best) ? one : best),
      undefined,
    );
    if (closed || !next || tasksOf(next) >= options.size) return;
    const others = [...running.keys()].some((group) => group !== next.group);
    const child = takeIdle() ?? (all.size < options.size + (others ? 1 : 0) ? start() : undefined);
    if (!child) return;
    queue.splice(queue.indexOf(next), 1);
    running.set(next.group, tasksOf(next) + 1);
    next.begin(child);
  };
  const tasksOf = ({ group }: Pick<Waiting, 'group'>): number => running.get(group) ?? 0;
  const leaveProcess = (group: string): void => {
    const left = tasksOf({ group }) - 1;
    if (left > 0) running.set(group, left);
    else running.delete(group);
  };
  const release = (child: Child, residentMegabytes: number): void => {
    if (closed || !child.isAlive()) return;
    const end = (): void => {
      child.kill();
      // Its place is free when it has ended.
      void child.ended.then(keepOne);
    };
    if (residentMegabytes > SPENT_MEGABYTES) {
      end();
      return;
    }
    const isWorn = residentMegabytes > WORN_MEGABYTES;
    const endSpare = (): void => {
      if (isWorn || idle.length > 1) end();
    };
    const after = idle.length > 0 ? IDLE_MILLISECONDS : isWorn ? wornMilliseconds : undefined;
    const timer = after === undefined ? undefined : setTimeout(endSpare, after);
    timer?.unref();
    idle.push({ child, timer });
  };
  const keepOne = (): void => {
    if (closed || idle.length > 0 || all.size >= options.size) return;
    const child = start();
    child.listen(undefined);
    idle.push({ child, timer: undefined });
  };

  return {
    run: (task, input, taskOptions) =>
      new Promise((resolve, reject) => {
        const { signal, group = '' } = taskOptions;
        if (closed) return reject(new Error('The processes are closed.'));
        if (signal.aborted) return reject(signal.reason);
        const leave = (): void => {
          const index = queue.indexOf(waiting);
          if (index >= 0) queue.splice(index, 1);
          reject(signal.reason);
        };
        const begin = (child: Child): void => {
          signal.removeEventListener('abort', leave);
          let taken = 0;
          const told = (residentMegabytes: number): void => {
            taken = residentMegabytes;
          };
          runOn(child, { task, input, told, ...taskOptions })
            .finally(() => {
              leaveProcess(group);
              release(child, taken);
              startNext();
            })
            .then(resolve, reject);
        };
        const waiting: Waiting = { group, begin };
        signal.addEventListener('abort', leave, { once: true });
        queue.push(waiting);
        startNext();
      }),
    load: () => ({ running: all.size - idle.length, waiting: queue.length }),
    close: async () => {
      closed = true;
      const ends = [...all].map((child) => {
        child.kill();
        return child.ended;
      });
      await Promise.all(ends);
    },
  };
}

/** A process with its own limits and no environment: tasks know nothing of how the service is configured. */
function startChild({ entry, maxMemoryMegabytes }: ProcessPoolOptions): Child {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${maxMemoryMegabytes}`,
      `--max-semi-space-size=${YOUNG_MEGABYTES}`,
      '--no-warnings',
      fileURLToPath(entry),
      String(maxMemoryMegabytes + OUTSIDE_HEAP_MEGABYTES),
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], env: { TZ: 'UTC' }, windowsHide: true },
  );
  const channel = child.stdio[CHANNEL] as Duplex;
  let lastWords = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('latin1')).slice(-8192);
  });
  let listener: Listener | undefined;
  channel.on(
    'data',
    createMessageDecoder((message) => listener?.message(message as FromProcess)),
  );
  channel.on('error', () => {}); // The end of the process says why.
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      resolve();
      listener?.ended(failureOf(child, lastWords));
    };
    child.once('close', end);
    child.once('error', end);
  });
  const holders = [child, channel, child.stderr] as unknown as { ref(): void; unref(): void }[];
  return {
    ended,
    // One that was told to end takes no task any more, even if it is still there for a moment.
    isAlive: () =>
      !child.killed && child.exitCode === null && child.signalCode === null && child.pid !== undefined,
    send: (message) => {
      const pieces = encodeMessage(message);
      channel.cork();
      for (const piece of pieces) channel.write(piece);
      channel.uncork();
    },
    listen: (next) => {
      listener = next;
      for (const holder of holders) holder[next ? 'ref' : 'unref']();
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function runOn(
  child: Child,
  job: TaskOptions & {
    readonly task: string;
    readonly input: unknown;
    readonly told: (residentMegabytes: number) => void;
  },
): Promise<unknown> {
  const { task, input, signal, processorSeconds = 3600, onProgress, onQuestion, told } = job;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    // What the task could not be told, because something was away for a moment, is why it failed.
    let away: Unavailable | undefined;
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      child.listen(undefined);
      finish();
    };
    const stop = (): void => {
      child.send({ kind: 'stop' });
      timer = setTimeout(() => child.kill(), GRACE_MILLISECONDS);
    };
    child.listen({
      ended: (failure) => settle(() => reject(signal.aborted ? signal.reason : new TaskFailed(failure))),
      message: (message) => {
        if (message.kind === 'done') {
          told(message.residentMegabytes);
          settle(() => resolve(message.result));
        } else if (message.kind === 'failed') {
          told(message.residentMegabytes);
          settle(() => reject(signal.aborted ? signal.reason : (away ?? new TaskFailed(message.error))));
        } else if (message.kind === 'progress') onProgress?.(message.progress);
        else {
          const { id, question } = message;
          (onQuestion?.(question) ?? Promise.reject(new Error('Nobody answers.'))).then(
            (answer) => child.send({ kind: 'answer', id, answer }),
            (error: unknown) => {
              if (error instanceof Unavailable) away = error;
              child.send({ kind: 'answer', id, failed: true });
            },
          );
        }
      },
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      child.send({ kind: 'run', task, input, processorSeconds });
    } catch (error) {
      settle(() => reject(error));
    }
  });
}

function failureOf({ exitCode, signalCode }: ChildProcess, lastWords: string): TaskFailure {
  const type: Death =
    lastWords.includes(MEMORY_EXCEEDED) || /heap out of memory|allocation failed/i.test(lastWords)
      ? 'OutOfMemory'
      : lastWords.includes(PROCESSOR_TIME_EXCEEDED)
        ? 'OutOfTime'
        : 'ProcessDied';
  const message = `The process of the task ended (${signalCode ?? `code ${exitCode}`}).`;
  // The log takes the frames of a stack only, as it does of any error.
  return { type, message, explained: false, details: {}, stack: `TaskFailed: ${message}\n${lastWords}` };
}
