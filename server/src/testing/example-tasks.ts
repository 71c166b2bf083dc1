import { serveTasks } from '../platform/threads/serve-tasks.js';

// Tasks for the test of the thread pool.
serveTasks(
  {
    add: async ({ a, b }: { a: number; b: number }) => ({ result: a + b }),
    ask: async (_: undefined, context) => ({ result: `heard ${await context.ask('who?')}` }),
    count: async ({ to }: { to: number }, context) => {
      for (let n = 1; n <= to; n++) context.progress(n);
      return { result: to };
    },
    spin: async () => {
      for (;;);
    },
    polite: (_: undefined, context) =>
      new Promise((_, reject) => {
        context.progress('started');
        context.signal.addEventListener('abort', () => {
          context.progress('cleaned up');
          reject(context.signal.reason);
        });
      }),
    hoard: async () => {
      const kept: unknown[] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => ({ n })));
    },
    refuse: async () => {
      throw new RangeError('Too long. Shorten it.');
    },
    crash: async () => process.exit(1),
    bytes: async ({ bytes }: { bytes: Uint8Array<ArrayBuffer> }) => ({
      result: bytes,
      transfer: [bytes.buffer],
    }),
  },
  (error) => (error instanceof RangeError ? { hint: 'shorten' } : undefined),
);
