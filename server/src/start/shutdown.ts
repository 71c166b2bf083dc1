import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Closing {
  readonly what: string;
  /** It gets this long; after that the rest goes on without it. */
  readonly milliseconds: number;
  readonly close: () => Promise<unknown>;
}

export interface Shutdown {
  readonly begun: boolean;
  /** Closes what was added last first; what was added together is closed together. */
  add(...together: readonly Closing[]): void;
  /** Closes everything once, however often it is called. */
  run(): Promise<void>;
}

/** Collects what has to be closed. Nothing that hangs or fails keeps the rest from being closed. */
export function createShutdown(log: Logger): Shutdown {
  const steps: (readonly Closing[])[] = [];
  let running: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await Promise.all(step.map((closing) => closeOne(closing, log)));
    }
  };
  return {
    get begun() {
      return running !== undefined;
    },
    add: (...together) => {
      steps.push(together);
    },
    run: () => {
      running ??= closeAll();
      return running;
    },
  };
}

async function closeOne({ what, milliseconds, close }: Closing, log: Logger): Promise<void> {
  const timer = new AbortController();
  const late = delay(milliseconds, 'late', { signal: timer.signal }).catch(() => undefined);
  try {
    const first = await Promise.race([close(), late]);
    if (first === 'late') log.warn({ what, milliseconds }, 'did not stop in time');
  } catch (error) {
    log.warn({ what, err: error }, 'did not stop cleanly');
  } finally {
    timer.abort();
  }
}
