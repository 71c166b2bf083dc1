/** The socket that the pool opens beside standard input, output and error. */
export const CHANNEL = 3;

/** From the pool to a process. A process does one task at a time. */
export type ToProcess =
  | {
      readonly kind: 'run';
      readonly task: string;
      readonly input: unknown;
      /** Seconds of processor time after which the process ends itself. */
      readonly processorSeconds: number;
    }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer?: unknown; readonly failed?: true };

/** What a task ended with when it threw. */
export interface TaskFailure {
  readonly type: string;
  readonly message: string;
  readonly explained: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  readonly stack?: string | undefined;
}

/** From a process to the pool; `residentMegabytes` is what the process takes after the task. */
export type FromProcess =
  | { readonly kind: 'done'; readonly result: unknown; readonly residentMegabytes: number }
  | { readonly kind: 'failed'; readonly error: TaskFailure; readonly residentMegabytes: number }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'question'; readonly id: number; readonly question: unknown };

/** What a process writes to standard error before it ends itself. */
export const MEMORY_EXCEEDED = 'resident memory exceeded';
export const PROCESSOR_TIME_EXCEEDED = 'processor time exceeded';
