import { setImmediate } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { HELP_SHARE, type ReadingHelp } from '../reading-help.js';
import type { ReadingLimits } from '../reading-limits.js';
import type { Frame } from './frames.js';
import { processorSeconds } from './processor-time.js';

/** What the parent hands on of a process that helps. */
type HelpHead =
  | { readonly type: 'page'; readonly index: number }
  | { readonly type: 'helped'; readonly seconds: number };

export interface HelpFromOutside extends ReadingHelp {
  receive(frame: Frame): void;
}

/** Part of what is left to this process beside a helper from which on it goes on alone, with all of it. */
const TIGHT = 0.85;

/** Asking for memory and processor time takes as long as a tenth of a page. */
const LOOK_EVERY_MILLISECONDS = 20;
const BREATHE_EVERY_MILLISECONDS = 10;

/** Lets the event loop run when it has not for some milliseconds, after `before`. */
export function everyFewMilliseconds(before?: () => Promise<void>): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < BREATHE_EVERY_MILLISECONDS) return;
    await before?.();
    await setImmediate();
    last = performance.now();
  };
}

/** The help of another process with one document, as messages of the parent bring it. */
export function helpFromOutside({
  limits: { maxProcessorSeconds, maxMemoryMegabytes },
  begin,
  endsAt,
  mostMegabytes,
  send,
}: {
  readonly limits: ReadingLimits;
  /** Second of processor time of this process at which the document began. */
  readonly begin: number;
  /** What the watchdog looks at. */
  readonly endsAt: Float64Array;
  readonly mostMegabytes: Float64Array;
  readonly send: (head: object) => void;
}): HelpFromOutside {
  const pages = new Map<number, Buffer>();
  const before = mostMegabytes[0]!;
  const own = {
    seconds: maxProcessorSeconds * (1 - HELP_SHARE.time),
    megabytes: Math.min(before, maxMemoryMegabytes * (1 - HELP_SHARE.memory)),
  };
  let isAsked = false;
  let taken = 0;
  let looked = performance.now();
  let hasEnded = (): void => {};
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  return {
    ask(count) {
      isAsked = true;
      endsAt[0] = begin + own.seconds;
      mostMegabytes[0] = own.megabytes;
      send({ type: 'long', pages: count });
    },
    breathe: everyFewMilliseconds(),
    take(index) {
      const page = pages.get(index);
      pages.delete(index);
      return page && deserialize(page);
    },
    isTight() {
      if (!isAsked || performance.now() - looked < LOOK_EVERY_MILLISECONDS) return false;
      looked = performance.now();
      return (
        processorSeconds() - begin > TIGHT * own.seconds ||
        process.memoryUsage.rss() > TIGHT * own.megabytes * 1024 * 1024
      );
    },
    async end() {
      if (isAsked) send({ type: 'alone' });
      await ended;
    },
    seconds: () => taken,
    receive({ head, body }) {
      const message = head as HelpHead;
      if (message.type === 'page') {
        pages.set(message.index, body);
        return;
      }
      isAsked = false;
      taken = message.seconds;
      endsAt[0] = begin + maxProcessorSeconds - taken;
      mostMegabytes[0] = before;
      hasEnded();
    },
  };
}
