import { programOf } from '@normtrace/engine';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { createProcessPool, TaskFailed, type TaskOptions } from '../../platform/processes/process-pool.js';
import { inSpan, type Traces } from '../../platform/traces/traces.js';
import { type Answerer, answerWith } from './engine-question.js';
import type { EngineTask } from './engine-task.js';
import type { RunNews } from './run-news.js';

export interface EngineOptions extends Pick<TaskOptions, 'signal' | 'group'> {
  /** Who answers what the task asks, one for each kind of question. */
  readonly answers?: readonly Answerer[];
  readonly onNews?: (news: RunNews) => void;
}

/** The engine, run in processes of its own: whatever a document does to one of them, the service goes on. */
export interface Engine {
  /** Ends with its signal. Throws `TaskFailed` for what the task threw, and when its process died (`deathOf`). */
  run<Input, Result>(task: EngineTask<Input, Result>, input: Input, options: EngineOptions): Promise<Result>;
  close(): Promise<void>;
}

/** Old space of a process in MiB: the largest real analyses need a fifth of it. */
const MAX_MEMORY = 3072;

/** The program that calls `serveEngineTasks`. */
const TASKS = programOf('engine-tasks', new URL('../../', import.meta.url));

/** Seconds of processor time of a task that says nothing: an analysis ends after `ANALYSIS_TIMEOUT_MINUTES`. */
const PROCESSOR_SECONDS = 24 * 3600;

export interface EngineSettings {
  /** Tasks at the same time. Processes start when they are needed. */
  readonly size: number;
  /** What the tasks are for, which tells this engine from others of the process. */
  readonly pool?: 'answers' | 'jobs';
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
  readonly maxMemoryMegabytes?: number;
}

export function createEngine({
  size,
  pool: name = 'jobs',
  metrics,
  traces,
  maxMemoryMegabytes = MAX_MEMORY,
}: EngineSettings): Engine {
  const pool = createProcessPool({ entry: TASKS, size, maxMemoryMegabytes });
  metrics?.watch(() =>
    Object.entries(pool.load()).map(([state, value]) => ({
      state: 'engineTasks',
      labels: { pool: name, state },
      value,
    })),
  );
  return {
    run: async <Input, Result>(
      task: EngineTask<Input, Result>,
      input: Input,
      { signal, group, onNews, answers = [] }: EngineOptions,
    ) =>
      (await inSpan(traces, { name: `engine ${task.name}`, kind: 'internal' }, () =>
        pool.run(task.name, input, {
          signal,
          ...(group === undefined ? {} : { group }),
          processorSeconds: task.processorSeconds ?? PROCESSOR_SECONDS,
          ...(onNews ? { onProgress: (news: unknown) => onNews(news as RunNews) } : {}),
          onQuestion: answerWith(answers),
        }),
      )) as Result,
    close: pool.close,
  };
}

/** What went wrong with a file, for the person who uploaded it; undefined for errors that are ours. */
export function explainFailure(error: unknown): { readonly code: string; readonly text: string } | undefined {
  if (!(error instanceof TaskFailed)) return undefined;
  if (!error.explained) return undefined;
  const { code, hint } = error.details;
  return { code: String(code), text: [error.message, hint].filter(Boolean).join(' ') };
}
