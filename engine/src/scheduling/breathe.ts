import { setImmediate } from 'node:timers/promises';

/** Lets other work of the event loop run, and stops when asked to. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
