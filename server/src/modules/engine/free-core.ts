import { availableParallelism, loadavg } from 'node:os';

/**
 * Processes that may read one document at the same time: two while a core of the machine had nothing to do in the last minute, beside the
 * one of the reading itself. Where the machine does not tell (Windows), it counts as idle.
 */
export const processesForReading = (): number => (loadavg()[0]! < availableParallelism() - 1 ? 2 : 1);
