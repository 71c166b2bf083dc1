import { performance } from 'node:perf_hooks';

/** One line of the result: a figure beside what it is compared with in the same run. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** The peer or limit measured in the same run, and the ratio to it. */
  readonly peer?: string;
  readonly ratio?: number;
  /** What was aimed for, as written; empty where nothing was. */
  readonly goal?: string;
  readonly note?: string;
}

export interface Bench {
  readonly name: string;
  /** What is measured, in one sentence. */
  readonly about: string;
  /** Takes so long that it runs only when it is named. */
  readonly onlyByName?: true;
  run(context: BenchContext): Promise<readonly Figure[]>;
}

export interface BenchContext {
  /** Folder with real documents, where one was given. */
  readonly dataDirectory?: string;
  readonly log: (line: string) => void;
}

/** A bench that cannot run here says why instead of inventing a figure. */
export class BenchSkipped extends Error {
  override readonly name = 'BenchSkipped';
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Nearest-rank quantile, 0 < q ≤ 1. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/** Wall-clock milliseconds of one call. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of processor time of one call, in all threads of this process. */
export async function processorMilliseconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Runs two things in turn, A B A B …, after one uncounted round, so that a drift of the machine meets both.
 * Returns the milliseconds of each round.
 */
export async function interleave(
  rounds: number,
  a: () => unknown,
  b: () => unknown,
): Promise<{ a: number[]; b: number[] }> {
  await a();
  await b();
  const times = { a: [] as number[], b: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.a.push(await milliseconds(a));
    times.b.push(await milliseconds(b));
  }
  return times;
}

/** Numbers that repeat: a small generator with a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
