import { setTimeout } from 'node:timers/promises';
import { serveTasks } from '../platform/processes/serve-tasks.js';

/** Stays. */
const filled: Buffer[] = [];

// Tasks for the test of the process pool.
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
    abort: async () => process.abort(),
    buffers: async () => {
      const kept: Buffer[] = [];
      for (;;) kept.push(Buffer.alloc(8_000_000, 1));
    },
    wait: async ({ milliseconds }: { milliseconds: number }) => {
      await setTimeout(milliseconds);
      return { result: 'waited' };
    },
    about: async () => ({
      result: { pid: process.pid, environment: Object.keys(process.env), seconds: process.uptime() },
    }),
    fill: async ({ megabytes }: { megabytes: number }) => ({
      result: filled.push(Buffer.alloc(megabytes * 1_000_000, 1)),
    }),
    echo: async (input: unknown) => ({ result: input }),
  },
  (error) => (error instanceof RangeError ? { hint: 'shorten' } : undefined),
);
