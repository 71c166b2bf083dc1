import type { Criterion, StandardIdentity } from '@normtrace/engine';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { createProcessPool, TaskFailed, type TaskOptions } from '../../platform/processes/process-pool.js';
import { inSpan, type Traces } from '../../platform/traces/traces.js';
import type { EngineTasks } from './engine-tasks.js';
import type { RunNews } from './run-news.js';

export interface ReadDocumentInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
}

export interface ReadDocumentOutput {
  /** See `packDocument`. */
  readonly packed: Uint8Array;
  readonly format: string;
  readonly language: string;
  readonly pageCount: number | null;
  readonly blockCount: number;
  readonly detectedCategory: string | null;
  readonly notes: readonly { readonly code: string; readonly message: string }[];
}

export interface ReadStandardInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly standardId: string;
  readonly identity: Partial<StandardIdentity>;
}

export interface ReadStandardOutput {
  readonly criteria: readonly Criterion[];
  /** The copy bears the mark of a licence for one person. */
  readonly licenceMark: boolean;
}

export interface EngineOptions extends Pick<TaskOptions, 'signal' | 'group' | 'onQuestion'> {
  readonly onNews?: (news: RunNews) => void;
}

export type InputOf<Name extends keyof EngineTasks> = Parameters<EngineTasks[Name]>[0];
export type ResultOf<Name extends keyof EngineTasks> = Awaited<ReturnType<EngineTasks[Name]>>['result'];

/** The engine, run in processes of its own: whatever a document does to one of them, the service goes on. */
export interface Engine {
  /**
   * Runs one of `engine-tasks.ts`. Ends with its signal. Throws `TaskFailed` for what the task threw, and when its
   * process died (`deathOf`).
   */
  run<Name extends keyof EngineTasks>(
    task: Name,
    input: InputOf<Name>,
    options: EngineOptions,
  ): Promise<ResultOf<Name>>;
  close(): Promise<void>;
}

/** Old space of a process in MiB: the largest real analyses need a fifth of it. */
const MAX_MEMORY = 3072;

/**
 * Seconds of processor time that a task may take. Reading itself happens in a process with limits of its own; what is
 * longer than its job is only a last resort.
 */
const PROCESSOR_SECONDS: Readonly<Partial<Record<keyof EngineTasks, number>>> = {
  readDocument: 120,
  readStandard: 120,
  unpackArchive: 300,
  extractTrace: 900,
  renderReport: 900,
  traceMatrix: 120,
  listGaps: 120,
  suggestLinks: 300,
};
/** An analysis ends after `ANALYSIS_TIMEOUT_MINUTES`. */
const ANALYSIS_SECONDS = 24 * 3600;

/** Who looks on while the engine works, and limits that are not the usual ones. */
export interface EngineObservers {
  /** What the tasks are for, which tells this engine from others of the process. */
  readonly pool?: 'answers' | 'jobs';
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
  readonly maxMemoryMegabytes?: number;
}

/** `size`: tasks at the same time. Processes start when they are needed. */
export function createEngine(
  size: number,
  { pool: name = 'jobs', metrics, traces, maxMemoryMegabytes = MAX_MEMORY }: EngineObservers = {},
): Engine {
  const pool = createProcessPool({
    entry: new URL('./engine-tasks.js', import.meta.url),
    size,
    maxMemoryMegabytes,
  });
  metrics?.watch(() =>
    Object.entries(pool.load()).map(([state, value]) => ({
      state: 'engineTasks',
      labels: { pool: name, state },
      value,
    })),
  );
  return {
    run: async <Name extends keyof EngineTasks>(
      task: Name,
      input: InputOf<Name>,
      { signal, group, onNews, onQuestion }: EngineOptions,
    ) =>
      (await inSpan(traces, { name: `engine ${task}`, kind: 'internal' }, () =>
        pool.run(task, input, {
          signal,
          ...(group === undefined ? {} : { group }),
          processorSeconds: PROCESSOR_SECONDS[task] ?? ANALYSIS_SECONDS,
          ...(onNews ? { onProgress: (news: unknown) => onNews(news as RunNews) } : {}),
          ...(onQuestion ? { onQuestion } : {}),
        }),
      )) as ResultOf<Name>,
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
