import type { RankedText } from '@normtrace/engine';

/**
 * The lexical baseline, kept apart from the engine on purpose: words of two and more letters or digits in lower case,
 * a few English function words left out, no stemming, counts times idf, cosine. By query: every text, nearest first.
 */
export function rankByPlainTfidf(queries: readonly string[], texts: readonly string[]): RankedText[][] {
  const documents = texts.map(countWords);
  const frequencies = new Map<string, number>();
  for (const words of documents) {
    for (const word of words.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const vectorOf = (words: ReadonlyMap<string, number>) => {
    const vector = new Map<string, number>();
    for (const [word, count] of words) {
      vector.set(word, count * (Math.log((1 + texts.length) / (1 + (frequencies.get(word) ?? 0))) + 1));
    }
    const length = Math.hypot(...vector.values()) || 1;
    for (const [word, value] of vector) vector.set(word, value / length);
    return vector;
  };
  const vectors = documents.map(vectorOf);
  return queries.map((query) => {
    const asked = vectorOf(countWords(query));
    const scores = vectors.map((vector, text) => {
      let score = 0;
      for (const [word, value] of asked) score += value * (vector.get(word) ?? 0);
      return { text, score };
    });
    return scores.sort((a, b) => b.score - a.score || a.text - b.text);
  });
}

const FUNCTION_WORDS = new Set(
  'a an and any are as at be been by can for from has have if in into is it its may must no not of on or shall should such that the their then there these this to was were which will with'.split(
    ' ',
  ),
);

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []) {
    if (!FUNCTION_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
