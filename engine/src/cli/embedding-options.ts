import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { openBuiltInModel } from '../embeddings/built-in-model.js';
import { memoryEmbeddingCache, withEmbeddingCache } from '../embeddings/embedding-cache.js';
import { fileEmbeddingCache } from '../embeddings/file-embedding-cache.js';
import type { EmbeddingModel } from '../retrieval/candidate.js';
import { oneOf } from './options.js';
import type { Progress } from './progress.js';

/** Options about embeddings of every command that uses them. */
export const EMBEDDING_OPTIONS = {
  embeddings: { type: 'string', default: 'builtin' },
  vectors: { type: 'string' },
} as const;

interface Values {
  readonly embeddings: string;
  readonly vectors?: string | undefined;
}

/** Where vectors are kept unless told otherwise. */
const OWN_FOLDER = join(homedir(), '.cache', 'normtrace', 'embeddings');
const ALL_IN_MEMORY = Number.POSITIVE_INFINITY;

/**
 * Runs with the built-in model, or without one. Vectors are kept in the folder of `--vectors`, with `off` nowhere, and else in the
 * user's cache folder, which is then told: they are made of what documents say. Throws `CommandError` for options that do
 * not exist, before any work.
 */
export function embeddingsOf(
  values: Values,
): <T>(progress: Progress, work: (model: EmbeddingModel | undefined) => Promise<T>) => Promise<T> {
  const choice = oneOf('--embeddings', values.embeddings, ['builtin', 'off']);
  return async (progress, work) => {
    if (choice === 'off') return work(undefined);
    const folder = values.vectors === 'off' ? undefined : resolve(values.vectors ?? OWN_FOLDER);
    const cache = folder === undefined ? memoryEmbeddingCache(ALL_IN_MEMORY) : fileEmbeddingCache(folder);
    const builtIn = openBuiltInModel();
    let kept = 0;
    const model = withEmbeddingCache(builtIn, cache, (done, total) => {
      kept += done === total ? total : 0;
      progress.step('Computing what passages mean', done, total);
    });
    try {
      const result = await work(model);
      if (kept > 0 && folder !== undefined && values.vectors === undefined)
        progress.note(
          `Kept what ${kept} texts mean for the next run, in ${folder}. --vectors names another folder, or "off".`,
        );
      return result;
    } finally {
      await builtIn.close();
    }
  };
}
