import { afterAll, describe, expect, test } from 'vitest';
import { createThreadPool, TaskFailed, type TaskOptions } from './thread-pool.js';

describe('the thread pool', () => {
  const pool = createThreadPool({
    entry: new URL('../../testing/example-tasks.js', import.meta.url),
    size: 2,
    maxMemoryMegabytes: 64,
  });
  afterAll(() => pool.close());
  const run = (task: string, input?: unknown, options: Partial<TaskOptions> = {}): Promise<unknown> =>
    pool.run(task, input, { signal: new AbortController().signal, ...options });

  test('runs many tasks on few threads', async () => {
    const sums = await Promise.all(Array.from({ length: 20 }, (_, n) => run('add', { a: n, b: 1 })));
    expect(sums).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  test('passes progress in order, questions, answers and handed-over bytes', async () => {
    const seen: unknown[] = [];
    expect(await run('count', { to: 5 }, { onProgress: (n) => seen.push(n) })).toBe(5);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(await run('ask', undefined, { onQuestion: async (question) => `${question} me` })).toBe(
      'heard who? me',
    );
    await expect(run('ask')).rejects.toThrow('could not be answered');
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await run('bytes', { bytes }, { transfer: [bytes.buffer] })).toEqual(new Uint8Array([1, 2, 3]));
    expect(bytes.length).toBe(0);
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

  test('survives a task that takes all memory, one that ends its thread, and one that throws', async () => {
    await expect(run('hoard')).rejects.toMatchObject({ type: 'OutOfMemory' });
    await expect(run('crash')).rejects.toBeInstanceOf(TaskFailed);
    await expect(run('refuse')).rejects.toMatchObject({
      type: 'RangeError',
      message: 'Too long. Shorten it.',
      explained: true,
      details: { hint: 'shorten' },
    });
    await expect(run('no such task')).rejects.toMatchObject({ explained: false });
    expect(await run('add', { a: 3, b: 3 })).toBe(6);
  });
});
