import { setTimeout as delay } from 'node:timers/promises';
import type { RunProgress } from './run-news.js';

/** At most four transactions a second for one task, however often it speaks. */
const INTERVAL_MILLISECONDS = 250;

/**
 * Writes how far a task is: the newest that it told, one after the other. Progress is a courtesy: what cannot be written is not,
 * and the task goes on.
 */
export function writeNewest(write: (progress: RunProgress) => Promise<unknown>): {
  report(progress: RunProgress): void;
  /** Resolves when what was reported last is written. */
  finish(): Promise<void>;
} {
  let next: RunProgress | undefined;
  let writing: Promise<void> | undefined;
  const hurry = new AbortController();
  const writeAll = async (): Promise<void> => {
    while (next) {
      const progress = next;
      next = undefined;
      await write(progress).catch(() => undefined);
      await delay(INTERVAL_MILLISECONDS, undefined, { signal: hurry.signal }).catch(() => undefined);
    }
  };
  return {
    report(progress) {
      next = progress;
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    finish: async () => {
      hurry.abort();
      await writing;
    },
  };
}
