/** Runs beside the reading thread, so that it also works while that one is busy. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_EXCEEDED } from './memory-exceeded.js';

const POLL_MILLISECONDS = 20;
/** What may come between two looks. */
const MARGIN_MEGABYTES = 20;
const { maxMemoryMegabytes, parent } = workerData as { maxMemoryMegabytes: number; parent: number };
const limit = (maxMemoryMegabytes - MARGIN_MEGABYTES) * 1024 * 1024;

setInterval(() => {
  if (process.memoryUsage.rss() > limit) {
    writeSync(2, MEMORY_EXCEEDED);
    process.kill(process.pid, 'SIGKILL');
  }
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, POLL_MILLISECONDS);
