import { detectLanguage, type Language } from '../text/language.js';
import { chunkTerms } from '../text/terms.js';
import { forEachChunk } from '../text/tokenise.js';

/** Saturation of repeated terms and influence of length, the usual values of BM25. */
export const BM25_K1 = 1.2;
const BM25_B = 0.75;

/** Occurrences of one term in one text are counted up to here; no weighting tells more apart. */
const LARGEST_COUNT = 255;

/** Postings of a collection of texts over typed arrays: 5 bytes a posting, 12 a text, 12 a term. */
export interface LexicalIndex {
  /** Number of texts. */
  readonly size: number;
  /** Number of terms over all texts, repetitions included. */
  readonly termCount: number;
  readonly termIds: ReadonlyMap<string, number>;
  /** Postings of term `t` are `offsets[t]` to `offsets[t + 1]` (exclusive). */
  readonly offsets: Uint32Array;
  /** Number of the text of each posting, ascending within a term. */
  readonly texts: Uint32Array;
  /** Occurrences of the term in that text, 1 to 255. */
  readonly counts: Uint8Array;
  /** By term: inverse document frequency, for BM25 and for TF-IDF. */
  readonly idf: { readonly bm25: Float64Array; readonly tfidf: Float64Array };
  /** By text: the length term of BM25, and the length of its TF-IDF vector. */
  readonly lengthTerms: Float64Array;
  readonly norms: Float64Array;
}

/** Weight of a term by its occurrences: 1 + ln. */
export const COUNT_WEIGHTS = Float64Array.from({ length: LARGEST_COUNT + 1 }, (_, count) =>
  count === 0 ? 0 : 1 + Math.log(count),
);

/**
 * Builds the index of a list of texts. `languages` has the language of each; without it the language of each text is
 * found out. Texts without a term are kept and never hit. Time and memory are linear in the number of words.
 */
export function buildLexicalIndex(texts: readonly string[], languages?: readonly Language[]): LexicalIndex {
  const termIds = new Map<string, number>();
  /** By term: number of texts that have it, the last of them, and the posting that counts it there. */
  const frequencies: number[] = [];
  const lastText: number[] = [];
  const lastPosting: number[] = [];
  const postings = emptyPostings();
  const postingsBefore = new Uint32Array(texts.length + 1);
  const lengths = new Uint32Array(texts.length);
  const idOf = (term: string): number => {
    const known = termIds.get(term);
    if (known !== undefined) return known;
    termIds.set(term, termIds.size);
    frequencies.push(0);
    lastText.push(-1);
    lastPosting.push(-1);
    return termIds.size - 1;
  };
  const caches: Record<Language, Map<string, number[]>> = {
    en: new Map(),
    de: new Map(),
    unknown: new Map(),
  };
  const chunkIds = (chunk: string, language: Language): number[] => {
    const known = caches[language].get(chunk);
    if (known) return known;
    const ids = chunkTerms(chunk, language).map(idOf);
    caches[language].set(chunk, ids);
    return ids;
  };

  texts.forEach((text, number) => {
    const language = languages?.[number] ?? detectLanguage(text);
    forEachChunk(text, (start, end) => {
      const ids = chunkIds(text.slice(start, Math.min(end, start + 256)), language);
      lengths[number]! += ids.length;
      for (const id of ids) {
        if (lastText[id] !== number) {
          lastText[id] = number;
          lastPosting[id] = appendPosting(postings, id);
          frequencies[id]!++;
        } else if (postings.counts[lastPosting[id]!]! < LARGEST_COUNT) {
          postings.counts[lastPosting[id]!]!++;
        }
      }
    });
    postingsBefore[number + 1] = postings.length;
  });
  return arrange({ termIds, frequencies, postings, postingsBefore, lengths });
}

/** Inverse document frequency of TF-IDF, smoothed so that an unknown term has one too. */
export function tfidfIdf(size: number, frequency: number): number {
  return Math.log((size + 1) / (frequency + 1)) + 1;
}

function arrange(collected: {
  termIds: Map<string, number>;
  frequencies: readonly number[];
  postings: Postings;
  postingsBefore: Uint32Array;
  lengths: Uint32Array;
}): LexicalIndex {
  const { termIds, frequencies, postings, postingsBefore, lengths } = collected;
  const size = lengths.length;
  const offsets = new Uint32Array(termIds.size + 1);
  const bm25 = new Float64Array(termIds.size);
  const tfidf = new Float64Array(termIds.size);
  frequencies.forEach((frequency, term) => {
    offsets[term + 1] = offsets[term]! + frequency;
    bm25[term] = Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
    tfidf[term] = tfidfIdf(size, frequency);
  });
  const next = offsets.slice();
  const texts = new Uint32Array(postings.length);
  const counts = new Uint8Array(postings.length);
  const norms = new Float64Array(size);
  for (let text = 0; text < size; text++) {
    let sum = 0;
    for (let posting = postingsBefore[text]!; posting < postingsBefore[text + 1]!; posting++) {
      const term = postings.terms[posting]!;
      const count = postings.counts[posting]!;
      const place = next[term]!++;
      texts[place] = text;
      counts[place] = count;
      sum += (COUNT_WEIGHTS[count]! * tfidf[term]!) ** 2;
    }
    norms[text] = Math.sqrt(sum) || 1;
  }
  const termCount = lengths.reduce((sum, length) => sum + length, 0);
  const averageLength = termCount / Math.max(1, size) || 1;
  const lengthTerms = Float64Array.from(
    lengths,
    (length) => BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength),
  );
  return { size, termCount, termIds, offsets, texts, counts, idf: { bm25, tfidf }, lengthTerms, norms };
}

/** Postings in the order of the texts, over arrays that grow. */
interface Postings {
  terms: Uint32Array;
  counts: Uint8Array;
  length: number;
}

function emptyPostings(): Postings {
  return { terms: new Uint32Array(1024), counts: new Uint8Array(1024), length: 0 };
}

/** Adds a posting with the count 1 and returns its place. */
function appendPosting(postings: Postings, term: number): number {
  if (postings.length === postings.terms.length) {
    const { terms, counts } = postings;
    postings.terms = new Uint32Array(terms.length * 2);
    postings.terms.set(terms);
    postings.counts = new Uint8Array(counts.length * 2);
    postings.counts.set(counts);
  }
  postings.terms[postings.length] = term;
  postings.counts[postings.length] = 1;
  return postings.length++;
}
