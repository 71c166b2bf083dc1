/** Runs beside the reading thread, so that it also works while that one is busy. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MARGIN_MEGABYTES, MEMORY_EXCEEDED, PROCESSOR_TIME_EXCEEDED } from './last-words.js';
import { hasPassed } from './processor-time.js';

const POLL_MILLISECONDS = 20;
const { parent, endsAt, mostMegabytes } = workerData as WatchdogData;

/** What the watchdog is told when it starts. */
export interface WatchdogData {
  /** The process that started this one. */
  readonly parent: number;
  /** One number that the reading thread sets: the second of processor time at which the process ends; 0 while idle. */
  readonly endsAt: Float64Array;
  /** One number that the reading thread sets: the resident memory, MiB, past which the process ends. */
  readonly mostMegabytes: Float64Array;
}

const end = (lastWords: string): void => {
  writeSync(2, lastWords);
  process.kill(process.pid, 'SIGKILL');
};

setInterval(() => {
  const limit = (mostMegabytes[0]! - MARGIN_MEGABYTES) * 1024 * 1024;
  if (process.memoryUsage.rss() > limit) end(MEMORY_EXCEEDED);
  if (hasPassed(endsAt)) end(PROCESSOR_TIME_EXCEEDED);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, POLL_MILLISECONDS);
