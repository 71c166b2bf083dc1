/** Worker thread: turns texts into vectors with the weights that come with the packages. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { readTensors } from './mini-lm/safe-tensors.js';
import { openSentenceEncoder } from './mini-lm/sentence-encoder.js';
import { openWordPieces, type WordPieceFile } from './mini-lm/word-pieces.js';

/** Where the package has the model, and how much of a text it reads. */
export interface ModelFiles {
  readonly id: string;
  readonly weightsPath: string;
  readonly tokenizerPath: string;
  readonly maxTokens: number;
}

/** What the thread is started with. */
export interface BuiltInWorkerData {
  readonly manifest: ModelFiles;
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

/** Turns a text into its vector. */
type Encoder = (text: string) => Float32Array;

function load(): Encoder {
  const weights = readFileSync(manifest.weightsPath);
  const found = createHash('sha256').update(weights).digest('hex');
  if (found !== weightsSha256) {
    throw new Error(
      `The weights of the embedding model ${manifest.id} are not the ones that results were measured with ` +
        `(SHA-256 ${found}, expected ${weightsSha256}). Install the packages again from the lock file.`,
    );
  }
  const file = JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')) as WordPieceFile;
  const wordPieces = openWordPieces(file);
  const encode = openSentenceEncoder(readTensors(weights), manifest.maxTokens);
  return (text) => encode(wordPieces(text, manifest.maxTokens));
}

let encoder: Encoder | undefined;

port.on('message', ({ texts }: BuiltInRequest) => {
  try {
    encoder ??= load();
    // One text at a time: a batch would have to be as long as its longest text.
    const vectors = texts.map(encoder);
    const all = new Float32Array(texts.length * (vectors[0]?.length ?? 0));
    for (const [index, vector] of vectors.entries()) all.set(vector, index * vector.length);
    port.postMessage({ vectors: all } satisfies BuiltInAnswer, [all.buffer]);
  } catch (error) {
    port.postMessage({
      error: error instanceof Error ? error.message : String(error),
    } satisfies BuiltInAnswer);
  }
});
