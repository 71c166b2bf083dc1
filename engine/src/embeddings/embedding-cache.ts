import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../retrieval/candidate.js';

/** Keeps vectors between runs. Keys say model and content, so an entry never goes stale. */
export interface EmbeddingCache {
  /** Vectors in the order of the keys, undefined where none is kept. */
  get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>;
  set(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void>;
}

/** Key of a text under a model: 64 hexadecimal digits. */
export function embeddingKey(modelId: string, text: string): string {
  return createHash('sha256').update(modelId).update('\0').update(text).digest('hex');
}

/** A cache in memory that forgets the entries that were not used for longest. */
export function memoryEmbeddingCache(largest = 20_000): EmbeddingCache {
  const vectors = new Map<string, Float32Array>();
  return {
    async get(keys) {
      return keys.map((key) => {
        const vector = vectors.get(key);
        if (vector) {
          vectors.delete(key);
          vectors.set(key, vector);
        }
        return vector;
      });
    },
    async set(entries) {
      for (const [key, vector] of entries) {
        vectors.delete(key);
        vectors.set(key, vector);
      }
      for (const key of vectors.keys()) {
        if (vectors.size <= largest) break;
        vectors.delete(key);
      }
    },
  };
}

/** Texts whose vectors are kept as soon as they are there, so that a cancelled run is not lost. */
const STEP = 128;

/**
 * The model with a cache before it; every distinct text is computed once.
 * @param onComputed Told how many of the texts that were not kept are computed, from 0 to all of them.
 */
export function withEmbeddingCache(
  model: EmbeddingModel,
  cache: EmbeddingCache,
  onComputed?: (done: number, total: number) => void,
): EmbeddingModel {
  return {
    id: model.id,
    dimensions: model.dimensions,
    async embed(texts, signal) {
      const keys = texts.map((text) => embeddingKey(model.id, text));
      const textOf = new Map(keys.map((key, index) => [key, texts[index]!]));
      const distinct = [...textOf.keys()];
      const vectors = new Map<string, Float32Array>();
      const kept = await cache.get(distinct);
      const unknown = distinct.filter((key, index) => {
        const vector = kept[index];
        if (vector?.length === model.dimensions) vectors.set(key, vector);
        return !vectors.has(key);
      });
      for (let from = 0; from < unknown.length; from += STEP) {
        signal?.throwIfAborted();
        if (from === 0) onComputed?.(0, unknown.length);
        const step = unknown.slice(from, from + STEP);
        const computed = await model.embed(
          step.map((key) => textOf.get(key)!),
          signal,
        );
        const entries = step.map((key, index) => [key, computed[index]!] as const);
        for (const [key, vector] of entries) vectors.set(key, vector);
        await cache.set(entries);
        onComputed?.(from + step.length, unknown.length);
      }
      return keys.map((key) => vectors.get(key)!);
    },
  };
}
