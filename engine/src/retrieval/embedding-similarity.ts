import { breathe } from '../scheduling/breathe.js';
import type { EmbeddingModel } from './candidate.js';
import { emptyMatrix, type Matrix, rowOf } from './similarity.js';

/**
 * Small models read some 256 tokens and drop the rest without a word, so longer texts are read in windows of this
 * many words; the nearest pair of windows counts.
 */
const WINDOW_WORDS = 120;
/** A window is no longer than this, whatever its words are. */
const WINDOW_CHARACTERS = 2000;
/** A text is read up to here: what follows is data, not prose. */
const MOST_WINDOWS = 16;

/** Cosine of the embeddings of every query and text, -1 to 1; 0 where a text has no word. */
export async function embeddingSimilarity(
  model: EmbeddingModel,
  texts: { readonly queries: readonly string[]; readonly texts: readonly string[] },
  signal?: AbortSignal,
): Promise<Matrix> {
  const queryWindows = texts.queries.map(windowsOf);
  const textWindows = texts.texts.map(windowsOf);
  const vectors = await model.embed([...queryWindows, ...textWindows].flat(), signal);
  let next = 0;
  const take = (windows: readonly string[]) => windows.map(() => vectors[next++]!);
  const queryVectors = queryWindows.map(take);
  const textVectors = textWindows.map(take);
  const result = emptyMatrix(texts.queries.length, texts.texts.length);
  for (const [row, query] of queryVectors.entries()) {
    await breathe(signal);
    const values = rowOf(result, row);
    textVectors.forEach((text, column) => {
      values[column] = nearestPair(query, text);
    });
  }
  return result;
}

/** Pieces of a text that are embedded one by one; none for a text without a word. */
export function windowsOf(text: string): string[] {
  const windows: string[] = [];
  const word = /\S+/g;
  let start = -1;
  let end = 0;
  let words = 0;
  const close = () => {
    if (start >= 0) windows.push(text.slice(start, end).slice(0, WINDOW_CHARACTERS));
    start = -1;
    words = 0;
  };
  const head = text.slice(0, MOST_WINDOWS * WINDOW_CHARACTERS);
  for (let match = word.exec(head); match && windows.length < MOST_WINDOWS; match = word.exec(head)) {
    if (words === WINDOW_WORDS || (start >= 0 && match.index + match[0].length - start > WINDOW_CHARACTERS))
      close();
    if (start < 0) start = match.index;
    end = match.index + match[0].length;
    words++;
  }
  if (windows.length < MOST_WINDOWS) close();
  return windows;
}

function nearestPair(one: readonly Float32Array[], other: readonly Float32Array[]): number {
  let best = one.length > 0 && other.length > 0 ? -1 : 0;
  for (const a of one) for (const b of other) best = Math.max(best, dot(a, b));
  return best;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
