import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../database/errors.js';
import { createProcessPool, deathOf, TaskFailed, type TaskOptions } from './process-pool.js';

const ENTRY = new URL('../../testing/example-tasks.js', import.meta.url);

describe('the process pool', () => {
  const pool = createProcessPool({
    entry: ENTRY,
    size: 2,
    maxMemoryMegabytes: 64,
  });
  afterAll(() => pool.close());
  const run = (task: string, input?: unknown, options: Partial<TaskOptions> = {}): Promise<unknown> =>
    pool.run(task, input, { signal: new AbortController().signal, ...options });

  test('runs many tasks in few processes', async () => {
    const sums = await Promise.all(Array.from({ length: 20 }, (_, n) => run('add', { a: n, b: 1 })));
    expect(sums).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  test('passes progress in order, questions, answers, and bytes of every kind', async () => {
    const seen: unknown[] = [];
    expect(await run('count', { to: 5 }, { onProgress: (n) => seen.push(n) })).toBe(5);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(await run('ask', undefined, { onQuestion: async (question) => `${question} me` })).toBe(
      'heard who? me',
    );
    await expect(run('ask')).rejects.toThrow('could not be answered');
    // What is away for a moment is no fault of the task.
    const away = new DatabaseUnavailable(new Error('gone'));
    await expect(run('ask', undefined, { onQuestion: () => Promise.reject(away) })).rejects.toBe(away);
    const bytes = Buffer.alloc(3_000_000, 'abc');
    const sent = {
      bytes: bytes.subarray(1, 2_000_000),
      empty: new Uint8Array(),
      numbers: [Float32Array.of(0.5, -2), Int32Array.of(-7)],
      twice: bytes,
      again: bytes,
      text: 'x'.repeat(100_000),
      map: new Map([['a', undefined]]),
    };
    const back = (await run('echo', sent)) as typeof sent;
    expect(Buffer.compare(back.bytes, sent.bytes)).toBe(0);
    expect(back.twice).toBe(back.again);
    expect({ ...back, bytes: 0, twice: 0, again: 0 }).toEqual({ ...sent, bytes: 0, twice: 0, again: 0 });
    await expect(run('echo', { shared: new BigInt64Array(1) })).rejects.toThrow('BigInt64Array');
    await expect(run('echo', { work: () => 1 })).rejects.toThrow('could not be cloned');
    expect(await run('add', { a: 1, b: 1 })).toBe(2);
  });

  test('stops a task that never looks up, and a waiting one, and goes on', async () => {
    const stop = new AbortController();
    const spinning = [0, 1].map(() => run('spin', undefined, { signal: stop.signal }));
    const waiting = run('add', { a: 1, b: 1 }, { signal: stop.signal });
    expect(pool.load()).toEqual({ running: 2, waiting: 1 });
    const before = performance.now();
    stop.abort(new Error('cancelled'));
    const ends = await Promise.allSettled([...spinning, waiting]);
    expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
      Array(3).fill('Error: cancelled'),
    );
    expect(performance.now() - before).toBeLessThan(2000);
    expect(await run('add', { a: 2, b: 2 })).toBe(4);
    await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
  });

  test('starts one more process for another group, and tasks of the group with the fewest first', async () => {
    const stops = { a: new AbortController(), b: new AbortController(), c: new AbortController() };
    const spin = (group: keyof typeof stops): Promise<unknown> =>
      run('spin', undefined, { group, signal: stops[group].signal });
    const ends = Promise.allSettled(
      [...['a', 'a', 'a'], ...['b', 'b']].map((group) => spin(group as 'a' | 'b')),
    );
    // Two of one group, one of another.
    expect(pool.load()).toEqual({ running: 3, waiting: 2 });
    const order: string[] = [];
    const later = (['b', 'c'] as const).map((group) =>
      run('add', { a: 1, b: 1 }, { group }).then(() => order.push(group)),
    );
    stops.b.abort(new Error('cancelled'));
    await Promise.all(later);
    expect(order).toEqual(['c', 'b']);
    stops.a.abort(new Error('cancelled'));
    expect((await ends).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
  });

  test('lets a task clean up before it is stopped', async () => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): void => {
      seen.push(progress);
      if (progress === 'started') stop.abort(new Error('cancelled'));
    };
    await expect(run('polite', undefined, { signal: stop.signal, onProgress })).rejects.toThrow('cancelled');
    expect(seen).toEqual(['started', 'cleaned up']);
  });

  test('survives a task that takes all memory, one that ends its process, and one that throws', async () => {
    const ends = await Promise.all(
      ['hoard', 'buffers', 'crash', 'abort'].map((task) => run(task).catch((error: unknown) => error)),
    );
    expect(ends.map(deathOf)).toEqual(['OutOfMemory', 'OutOfMemory', 'ProcessDied', 'ProcessDied']);
    expect(ends.every((end) => end instanceof TaskFailed)).toBe(true);
    await expect(run('refuse')).rejects.toMatchObject({
      type: 'RangeError',
      message: 'Too long. Shorten it.',
      explained: true,
      details: { hint: 'shorten' },
    });
    await expect(run('no such task')).rejects.toMatchObject({ explained: false });
    expect(await run('add', { a: 3, b: 3 })).toBe(6);
  });

  test('ends a task by its own processor time, not by the time that passes', async () => {
    const spinning = run('spin', undefined, { processorSeconds: 0.3 }).catch((error: unknown) => error);
    expect(deathOf(await spinning)).toBe('OutOfTime');
    expect(await run('wait', { milliseconds: 600 }, { processorSeconds: 0.3 })).toBe('waited');
  });

  test('ends a process that has grown, and has another one ready', async () => {
    const other = createProcessPool({ entry: ENTRY, size: 1, maxMemoryMegabytes: 64 });
    const options = { signal: new AbortController().signal };
    const { pid } = (await other.run('about', undefined, options)) as { pid: number };
    expect(await other.run('fill', { megabytes: 600 }, options)).toBe(1);
    await expect.poll(() => other.load()).toEqual({ running: 0, waiting: 0 });
    await setTimeout(2500);
    const next = (await other.run('about', undefined, options)) as { pid: number; seconds: number };
    expect(next.pid).not.toBe(pid);
    expect(next.seconds).toBeGreaterThan(1.5);
    await other.close();
  });

  test('uses a process that has grown a little again for a while', async () => {
    const other = createProcessPool({
      entry: ENTRY,
      size: 1,
      maxMemoryMegabytes: 64,
      wornMilliseconds: 1500,
    });
    const options = { signal: new AbortController().signal };
    const about = async () => (await other.run('about', undefined, options)) as { pid: number };
    expect(await other.run('fill', { megabytes: 300 }, options)).toBe(1);
    const { pid } = await about();
    await setTimeout(500);
    expect((await about()).pid).toBe(pid);
    await setTimeout(3000);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect((await about()).pid).not.toBe(pid);
    await other.close();
  });

  test('gives no task to a process that is being ended', async () => {
    const other = createProcessPool({ entry: ENTRY, size: 1, maxMemoryMegabytes: 64, wornMilliseconds: 100 });
    const options = { signal: new AbortController().signal };
    const begun = new Promise((resolve) => {
      // Behind the timer of the pool, before the process is gone.
      const ask = (): void => resolve(other.run('about', undefined, options));
      void other.run('fill', { megabytes: 300 }, options).then(() => globalThis.setTimeout(ask, 100));
    });
    expect(await begun).toMatchObject({ pid: expect.any(Number) });
    await other.close();
  });

  test('keeps one process warm, tells tasks nothing of the configuration, and ends with its pool', async () => {
    const first = (await run('about')) as { pid: number; environment: string[] };
    const second = (await run('about')) as { pid: number };
    expect(second.pid).toBe(first.pid);
    expect(first.environment).toEqual(['TZ']);
    const other = createProcessPool({ entry: ENTRY, size: 1, maxMemoryMegabytes: 64 });
    const options = { signal: new AbortController().signal };
    const { pid } = (await other.run('about', undefined, options)) as { pid: number };
    const spinning = other.run('spin', undefined, options).catch((error: unknown) => error);
    await other.close();
    expect(deathOf(await spinning)).toBe('ProcessDied');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(other.run('add', { a: 1, b: 1 }, options)).rejects.toThrow('closed');
  });
});
