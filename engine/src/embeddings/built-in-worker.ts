/** Worker thread: turns texts into vectors with the weights that come with the packages. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createEmbedder, type ModelManifest } from '@lat.md/embed';

/** What the thread is started with. */
export interface BuiltInWorkerData {
  readonly manifest: ModelManifest;
  /** Lower-case hexadecimal SHA-256 that the weights must have. */
  readonly weightsSha256: string;
  /** At a lower priority than everything else. */
  readonly inBackground: boolean;
}

/** A request, and its answer: vectors of all texts one after the other, or what went wrong. */
export interface BuiltInRequest {
  readonly texts: readonly string[];
}
export type BuiltInAnswer = { readonly vectors: Float32Array } | { readonly error: string };

const { manifest, weightsSha256, inBackground } = workerData as BuiltInWorkerData;
// Linux has a priority for each thread; elsewhere it would be that of the whole process.
if (inBackground && platform() === 'linux')
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
const port = parentPort!;

async function load() {
  const found = createHash('sha256').update(readFileSync(manifest.weightsPath)).digest('hex');
  if (found !== weightsSha256) {
    throw new Error(
      `The weights of the embedding model ${manifest.id} are not the ones that results were measured with ` +
        `(SHA-256 ${found}, expected ${weightsSha256}). Install the packages again from the lock file.`,
    );
  }
  return createEmbedder({ model: manifest });
}

const embedder = load();
// The rejection is answered to the first request; without a handler it would end the thread before that.
embedder.catch(() => {});

port.on('message', async ({ texts }: BuiltInRequest) => {
  try {
    const { embed, dimensions } = await embedder;
    const vectors = new Float32Array(texts.length * dimensions);
    // One text at a time: its vector must not depend on its neighbours.
    for (const [index, text] of texts.entries()) vectors.set((await embed([text]))[0]!, index * dimensions);
    port.postMessage({ vectors } satisfies BuiltInAnswer, [vectors.buffer]);
  } catch (error) {
    port.postMessage({
      error: error instanceof Error ? error.message : String(error),
    } satisfies BuiltInAnswer);
  }
});
