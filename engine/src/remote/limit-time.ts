/** What ends work when its time is over, or when whoever asked for it gives up. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the time was over first. */
  isOver(): boolean;
  /** To be called when the work has ended. */
  release(): void;
}

/**
 * A signal that is aborted after so many milliseconds, or with the given one and its reason. Its timer and listener
 * hold it: of signals out of `AbortSignal.any` and `AbortSignal.timeout` Node 20 loses some while an answer is read.
 */
export function limitTime(milliseconds: number, signal?: AbortSignal): TimeLimit {
  const ending = new AbortController();
  let over = false;
  const timer = setTimeout(
    () => {
      over = !ending.signal.aborted;
      ending.abort(new DOMException('The time is over.', 'TimeoutError'));
    },
    Math.min(Math.ceil(milliseconds), 2 ** 31 - 1),
  );
  const giveUp = () => ending.abort(signal?.reason);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: ending.signal,
    isOver: () => over,
    release() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    },
  };
}
