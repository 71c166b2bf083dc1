import type { Criterion, StandardIdentity } from '@normtrace/engine';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { createThreadPool, TaskFailed, type TaskOptions } from '../../platform/threads/thread-pool.js';
import { inSpan, type Traces } from '../../platform/traces/traces.js';
import type { EngineTasks } from './engine-tasks.js';
import type { PackedDocument } from './packed-documents.js';
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

export interface EngineOptions extends Pick<TaskOptions, 'signal' | 'onQuestion'> {
  readonly onNews?: (news: RunNews) => void;
}

type InputOf<Name extends keyof EngineTasks> = Parameters<EngineTasks[Name]>[0];
type ResultOf<Name extends keyof EngineTasks> = Awaited<ReturnType<EngineTasks[Name]>>['result'];

/** The engine, run in threads of this process. */
export interface Engine {
  /**
   * Runs one of `engine-tasks.ts`. Ends with its signal. Bytes of the input, and of documents in it, are handed over
   * to the thread: they are gone here.
   */
  run<Name extends keyof EngineTasks>(
    task: Name,
    input: InputOf<Name>,
    options: EngineOptions,
  ): Promise<ResultOf<Name>>;
  close(): Promise<void>;
}

/** Old space of a thread in MiB: the largest real analyses need a fifth of it. */
const MAX_MEMORY = 3072;

/** Who looks on while the engine works. */
export interface EngineObservers {
  /** What the tasks are for, which tells this engine from others of the process. */
  readonly pool?: 'answers' | 'jobs';
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
}

/** `size`: tasks at the same time. Threads start when they are needed. */
export function createEngine(
  size: number,
  { pool: name = 'jobs', metrics, traces }: EngineObservers = {},
): Engine {
  const pool = createThreadPool({
    entry: new URL('./engine-tasks.js', import.meta.url),
    size,
    maxMemoryMegabytes: MAX_MEMORY,
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
      { signal, onNews, onQuestion }: EngineOptions,
    ) =>
      (await inSpan(traces, { name: `engine ${task}`, kind: 'internal' }, () =>
        pool.run(task, input, {
          signal,
          transfer: buffersOf(input),
          ...(onNews ? { onProgress: (news: unknown) => onNews(news as RunNews) } : {}),
          ...(onQuestion ? { onQuestion } : {}),
        }),
      )) as ResultOf<Name>,
    close: pool.close,
  };
}

function buffersOf(input: object): ArrayBuffer[] {
  const { bytes, documents = [] } = input as { bytes?: Uint8Array; documents?: readonly PackedDocument[] };
  const all = [...(bytes ? [bytes] : []), ...documents.map((one) => one.packed)];
  return all.flatMap(({ buffer, byteLength }) =>
    byteLength === buffer.byteLength && buffer instanceof ArrayBuffer ? [buffer] : [],
  );
}

/** What went wrong with a file, for the person who uploaded it; undefined for errors that are ours. */
export function explainFailure(error: unknown): { readonly code: string; readonly text: string } | undefined {
  if (!(error instanceof TaskFailed)) return undefined;
  if (error.type === 'OutOfMemory') {
    return {
      code: 'out_of_memory',
      text: 'The file needs more memory than a reading may take. Split it and upload the parts.',
    };
  }
  if (!error.explained) return undefined;
  const { code, hint } = error.details;
  return { code: String(code), text: [error.message, hint].filter(Boolean).join(' ') };
}
