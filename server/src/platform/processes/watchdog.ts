/** Runs beside the thread that works, so that it also looks while that one is busy. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_EXCEEDED, PROCESSOR_TIME_EXCEEDED } from './messages.js';
import { hasPassed } from './processor-time.js';

/** What the watchdog of a process is told when it starts. */
export interface WatchdogData {
  readonly maxResidentMegabytes: number;
  /** The process that started this one. */
  readonly parent: number;
  /** One number that the working thread sets: the second of processor time at which the process ends; 0 while idle. */
  readonly endsAt: Float64Array;
}

const POLL_MILLISECONDS = 20;
const { maxResidentMegabytes, parent, endsAt } = workerData as WatchdogData;

const end = (lastWords: string): void => {
  writeSync(2, lastWords);
  process.kill(process.pid, 'SIGKILL');
};

setInterval(() => {
  if (process.memoryUsage.rss() > maxResidentMegabytes * 1024 * 1024) end(MEMORY_EXCEEDED);
  if (hasPassed(endsAt)) end(PROCESSOR_TIME_EXCEEDED);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, POLL_MILLISECONDS);
