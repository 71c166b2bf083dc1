import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AnswerStore } from './answer-store.js';
import type { StoredAnswer } from './language-model.js';

const count = z.int().nonnegative().optional();
const schema = z.strictObject({
  text: z.string(),
  model: z.string(),
  usage: z.strictObject({ inputTokens: count, cachedInputTokens: count, outputTokens: count }),
  fingerprint: z.string().optional(),
  milliseconds: z.number().optional(),
});

/**
 * Answers as one JSON file each under `directory`, readable by its owner only, made when first written. Several processes
 * may share it: a file appears whole or not at all. Files that cannot be read or hold something else count as absent; a
 * directory that cannot be written to is an error.
 */
export function fileAnswerStore(directory: string): AnswerStore {
  const place = (key: string) => join(directory, key.slice(0, 2), `${key.slice(2)}.json`);
  return {
    get: (keys) => Promise.all(keys.map((key) => readAnswerFile(place(key)))),
    async set(entries) {
      for (const { key, answer } of entries) {
        const folder = join(directory, key.slice(0, 2));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const temporary = join(folder, `${randomUUID()}.part`);
        try {
          await writeFile(temporary, JSON.stringify(answer), { mode: 0o600 });
          await rename(temporary, place(key));
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
      }
    },
  };
}

async function readAnswerFile(path: string): Promise<StoredAnswer | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? (parsed.data as StoredAnswer) : undefined;
}
