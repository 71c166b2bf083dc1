import type { Criterion, GapAnalysis, StandardIdentity } from '@normtrace/engine';
import { createThreadPool, TaskFailed, type TaskOptions } from '../../platform/threads/thread-pool.js';
import type { GapAnalysisNews, GapAnalysisTaskInput, VectorQuestion } from './gap-analysis-task.js';

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

/** The engine, run in threads of this process. Every call ends with its signal. */
export interface Engine {
  readDocument(input: ReadDocumentInput, options: Pick<TaskOptions, 'signal'>): Promise<ReadDocumentOutput>;
  readStandard(input: ReadStandardInput, options: Pick<TaskOptions, 'signal'>): Promise<ReadStandardOutput>;
  analyseGaps(
    input: GapAnalysisTaskInput,
    options: Pick<TaskOptions, 'signal'> & {
      readonly onNews: (news: GapAnalysisNews) => void;
      /** Vectors by key for `get`, in its order. */
      readonly vectors: (question: VectorQuestion) => Promise<unknown>;
    },
  ): Promise<GapAnalysis>;
  close(): Promise<void>;
}

/** Old space of a thread in MiB: the largest real analyses need a fifth of it. */
const MAX_MEMORY = 3072;

/** `size`: tasks at the same time. Threads start when they are needed. */
export function createEngine(size: number): Engine {
  const pool = createThreadPool({
    entry: new URL('./engine-tasks.js', import.meta.url),
    size,
    maxMemoryMegabytes: MAX_MEMORY,
  });
  const bytesOf = (bytes: Uint8Array): ArrayBuffer[] =>
    bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
  return {
    readDocument: async (input, { signal }) =>
      (await pool.run('readDocument', input, {
        signal,
        transfer: bytesOf(input.bytes),
      })) as ReadDocumentOutput,
    readStandard: async (input, { signal }) =>
      (await pool.run('readStandard', input, {
        signal,
        transfer: bytesOf(input.bytes),
      })) as ReadStandardOutput,
    analyseGaps: async (input, { signal, onNews, vectors }) =>
      (await pool.run('analyseGaps', input, {
        signal,
        transfer: input.documents.flatMap(({ packed }) => bytesOf(packed)),
        onProgress: (news) => onNews(news as GapAnalysisNews),
        onQuestion: (question) => vectors(question as VectorQuestion),
      })) as GapAnalysis,
    close: pool.close,
  };
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
