import { expect, it, vi } from 'vitest';
import { keepViews, type TraceView } from './kept-views.js';
import { bytesOf, packRows } from './packed-rows.js';
import type { StoredExtraction } from './trace.repository.js';

const view = (revision: number, name: string): TraceView => ({
  rows: packRows([{ name }]),
  extraction: { revision } as StoredExtraction,
});
const key = (workspaceId: string, revision: number, what: unknown = 'matrix') => ({
  workspaceId,
  revision,
  what,
});

it('keeps a view of a revision, by workspace and options', async () => {
  const kept = keepViews();
  const make = vi.fn(async () => view(3, 'a'));
  const first = await kept.get(key('w', 3), make);
  expect(await kept.get(key('w', 3), make)).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);
  for (const other of [key('w', 3, 'gaps'), key('v', 3), key('w', 4)]) {
    expect(await kept.get(other, async () => view(other.revision, 'b'))).not.toBe(first);
  }
  kept.close();
});

it('forgets what a later revision replaced', async () => {
  const kept = keepViews();
  await kept.get(key('w', 3), async () => view(4, 'newer than asked for'));
  const again = vi.fn(async () => view(3, 'old'));
  await kept.get(key('w', 3), again);
  expect(again).toHaveBeenCalled();
  await kept.get(key('w', 5), async () => view(5, 'new'));
  const old = vi.fn(async () => view(4, 'old'));
  await kept.get(key('w', 4), old);
  expect(old).toHaveBeenCalled();
  kept.close();
});

it('makes one for all who ask at the same time, and nothing of a failure', async () => {
  const kept = keepViews();
  const make = vi.fn(async (): Promise<TraceView> => {
    throw new Error('no');
  });
  const asked = await Promise.allSettled([kept.get(key('w', 1), make), kept.get(key('w', 1), make)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(make).toHaveBeenCalledTimes(1);
  expect(await kept.get(key('w', 1), async () => view(1, 'a'))).toBeDefined();
  kept.close();
});

it('lets the least recently used go when there is no room', async () => {
  const one = view(1, 'x');
  const kept = keepViews(2 * bytesOf(one.rows));
  const made: string[] = [];
  const ask = (name: string) =>
    kept.get(key(name, 1), async () => {
      made.push(name);
      return one;
    });
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(name);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  const large = { rows: packRows(Array.from({ length: 2000 }, Math.random)), extraction: null };
  await kept.get(key('large', 0), async () => large);
  expect(await kept.get(key('large', 0), async () => one)).toBe(one);
  kept.close();
});
