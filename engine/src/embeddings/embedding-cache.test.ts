import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmbeddingModel } from '../retrieval/candidate.js';
import {
  type EmbeddingCache,
  embeddingKey,
  memoryEmbeddingCache,
  withEmbeddingCache,
} from './embedding-cache.js';
import { fileEmbeddingCache } from './file-embedding-cache.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedding-cache-'));
});
afterAll(() => rm(directory, { recursive: true }));

function lengthModel(id = 'length'): EmbeddingModel & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id,
    dimensions: 2,
    asked,
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => Float32Array.of(text.length, 1 / 3));
    },
  };
}

const caches: [string, () => EmbeddingCache][] = [
  ['memory', () => memoryEmbeddingCache()],
  ['file', () => fileEmbeddingCache(join(directory, 'shared'))],
];

test.each(caches)('%s: every distinct text is computed once, for one model', async (_, open) => {
  const cache = open();
  const model = lengthModel();
  const cached = withEmbeddingCache(model, cache);
  const first = await cached.embed(['a', 'bb', 'a', '']);
  const second = await cached.embed(['bb', 'ccc']);
  expect(first.map((vector) => vector[0])).toEqual([1, 2, 1, 0]);
  expect(second[0]).toEqual(first[1]);
  expect(model.asked).toEqual(['a', 'bb', '', 'ccc']);
  const other = lengthModel('other');
  await withEmbeddingCache(other, cache).embed(['a']);
  expect(other.asked).toEqual(['a']);
});

test('files outlive the process, and broken ones are made again', async () => {
  const place = join(directory, 'broken');
  await withEmbeddingCache(lengthModel(), fileEmbeddingCache(place)).embed(['whole', 'cut', 'odd']);
  const fileOf = (text: string) => {
    const key = embeddingKey('length', text);
    return join(place, key.slice(0, 2), `${key.slice(2)}.f32`);
  };
  await truncate(fileOf('cut'), 4);
  // One byte too many for two floats: the right number of them could be read, and would be wrong.
  await writeFile(fileOf('odd'), 'nine byte');
  const model = lengthModel();
  const vectors = await withEmbeddingCache(model, fileEmbeddingCache(place)).embed(['whole', 'cut', 'odd']);
  expect(model.asked).toEqual(['cut', 'odd']);
  expect(vectors[0]).toEqual(Float32Array.of(5, 1 / 3));
});

test('writers at the same time leave whole files and nothing else', async () => {
  const place = join(directory, 'parallel');
  const texts = Array.from({ length: 200 }, (_, number) => `text ${number}`);
  const vectors = await Promise.all(
    [1, 2, 3].map(() => withEmbeddingCache(lengthModel(), fileEmbeddingCache(place)).embed(texts)),
  );
  expect(vectors[1]).toEqual(vectors[0]);
  const names = await readdir(place, { recursive: true });
  expect(names.filter((name) => name.endsWith('.f32')).length).toBe(200);
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a place that cannot be written to is an error', async () => {
  await writeFile(join(directory, 'file'), '');
  const cached = withEmbeddingCache(lengthModel(), fileEmbeddingCache(join(directory, 'file')));
  await expect(cached.embed(['a'])).rejects.toThrow();
});

test('memory forgets what was not used for longest', async () => {
  const cache = memoryEmbeddingCache(2);
  await cache.set([
    ['a', Float32Array.of(1)],
    ['b', Float32Array.of(2)],
  ]);
  await cache.get(['a']);
  await cache.set([['c', Float32Array.of(3)]]);
  expect((await cache.get(['a', 'b', 'c'])).map((vector) => vector?.[0])).toEqual([1, undefined, 3]);
});
