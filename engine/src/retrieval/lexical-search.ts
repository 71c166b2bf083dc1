import type { Language } from '../text/language.js';
import { termsOf } from '../text/terms.js';
import { largest } from './largest.js';
import { BM25_K1, COUNT_WEIGHTS, type LexicalIndex, tfidfIdf } from './lexical-index.js';

/** How near a text is to a query by its words. */
export interface LexicalHit {
  /** Index of the text in the list that the index was built from. */
  readonly text: number;
  /** BM25, not bounded. */
  readonly bm25: number;
  /** Cosine of the TF-IDF vectors, 0 to 1. */
  readonly cosine: number;
}

/** Terms of a query with their numbers of occurrences; build it once when it is asked more than once. */
export type LexicalQuery = ReadonlyMap<string, number>;

/** Terms of a query text and how often each occurs. */
export function lexicalQuery(text: string, language?: Language): LexicalQuery {
  const query = new Map<string, number>();
  for (const term of termsOf(text, language)) query.set(term, (query.get(term) ?? 0) + 1);
  return query;
}

/** Scores of every text for one query; reuse one of them over many queries (`scoreTexts`). */
export interface LexicalScores {
  readonly bm25: Float64Array;
  readonly cosine: Float64Array;
  /** Numbers of the texts that share a term with the query, in no useful order. */
  readonly touched: Uint32Array;
  touchedCount: number;
}

export function emptyScores(index: LexicalIndex): LexicalScores {
  return {
    bm25: new Float64Array(index.size),
    cosine: new Float64Array(index.size),
    touched: new Uint32Array(index.size),
    touchedCount: 0,
  };
}

/**
 * BM25 and TF-IDF cosine of all texts in one pass over the postings of the query's terms. Fills and returns
 * `scores`, clearing what it held. Query terms that no text has lengthen the query's vector all the same.
 */
export function scoreTexts(
  index: LexicalIndex,
  query: LexicalQuery,
  scores: LexicalScores = emptyScores(index),
): LexicalScores {
  const { bm25, cosine, touched } = scores;
  for (let i = 0; i < scores.touchedCount; i++) bm25[touched[i]!] = cosine[touched[i]!] = 0;
  let touchedCount = 0;
  let queryNorm = 0;
  const unseenIdf = tfidfIdf(index.size, 0);
  for (const [term, count] of query) {
    const id = index.termIds.get(term);
    const idf = id === undefined ? unseenIdf : index.idf.tfidf[id]!;
    const queryWeight = (1 + Math.log(count)) * idf;
    queryNorm += queryWeight * queryWeight;
    if (id === undefined) continue;
    const bm25Idf = index.idf.bm25[id]! * (BM25_K1 + 1) * count;
    const cosineFactor = queryWeight * idf;
    const end = index.offsets[id + 1]!;
    for (let posting = index.offsets[id]!; posting < end; posting++) {
      const text = index.texts[posting]!;
      const occurrences = index.counts[posting]!;
      if (bm25[text] === 0) touched[touchedCount++] = text;
      bm25[text]! += (bm25Idf * occurrences) / (occurrences + index.lengthTerms[text]!);
      cosine[text]! += cosineFactor * COUNT_WEIGHTS[occurrences]!;
    }
  }
  const queryLength = Math.sqrt(queryNorm);
  for (let i = 0; i < touchedCount; i++) {
    const text = touched[i]!;
    cosine[text]! /= queryLength * index.norms[text]!;
  }
  scores.touchedCount = touchedCount;
  return scores;
}

/**
 * The `limit` nearest texts by TF-IDF cosine, nearest first; equal ones in the order of the texts. Texts that
 * share no term with the query are never returned.
 */
export function searchLexical(
  index: LexicalIndex,
  query: string | LexicalQuery,
  options: { readonly limit: number; readonly by?: 'cosine' | 'bm25'; readonly scores?: LexicalScores },
): LexicalHit[] {
  const asked = typeof query === 'string' ? lexicalQuery(query) : query;
  const scores = scoreTexts(index, asked, options.scores);
  const by = scores[options.by ?? 'cosine'];
  const best = largest(by, scores.touched.subarray(0, scores.touchedCount), options.limit);
  return best.map((text) => ({ text, bm25: scores.bm25[text]!, cosine: scores.cosine[text]! }));
}
