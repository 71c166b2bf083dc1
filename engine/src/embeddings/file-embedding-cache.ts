import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddingCache } from './embedding-cache.js';

/** Files opened at the same time. */
const PARALLEL = 64;

/**
 * A cache of one small file per vector under `directory` (32-bit floats, little endian, the key as name, 256
 * folders), made when first written. Several processes may share it: a file appears whole or not at all.
 * Deleting any of it is safe. Files that cannot be read or hold no whole number of floats count as absent;
 * a directory that cannot be written to is an error.
 */
export function fileEmbeddingCache(directory: string): EmbeddingCache {
  const place = (key: string) => join(directory, key.slice(0, 2), `${key.slice(2)}.f32`);
  return {
    get: (keys) => inParallel(keys, async (key) => readVector(place(key))),
    async set(entries) {
      const folders = new Set(entries.map(([key]) => key.slice(0, 2)));
      for (const folder of folders) await mkdir(join(directory, folder), { recursive: true });
      await inParallel(entries, async ([key, vector]) => {
        const temporary = join(directory, key.slice(0, 2), `${randomUUID()}.part`);
        try {
          await writeFile(temporary, toBytes(vector));
          await rename(temporary, place(key));
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
      });
    },
  };
}

async function readVector(path: string): Promise<Float32Array | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch {
    return undefined;
  }
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes;
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += PARALLEL) {
    results.push(...(await Promise.all(items.slice(from, from + PARALLEL).map(work))));
  }
  return results;
}
