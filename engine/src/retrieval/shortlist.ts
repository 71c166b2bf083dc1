import { breathe } from '../scheduling/breathe.js';
import { largest } from './largest.js';
import type { LexicalIndex } from './lexical-index.js';
import { emptyScores, type LexicalQuery, scoreTexts } from './lexical-search.js';
import { emptyMatrix, type Matrix, rowOf } from './similarity.js';

/** The texts that are looked at closely, and the lexical similarities of every query to them. */
export interface Shortlist {
  /** Numbers of texts, ascending. */
  readonly texts: Uint32Array;
  readonly cosine: Matrix;
  readonly bm25: Matrix;
}

/**
 * All texts when there are no more than `wholeUpTo`; otherwise those that some query is lexically near to: of each query
 * the `perQuery` nearest, and at most `limit` over all queries, given out rank by rank so that every query keeps its
 * nearest ones. The event loop runs between queries.
 */
export async function shortlistTexts(
  index: LexicalIndex,
  queries: readonly LexicalQuery[],
  options: {
    readonly wholeUpTo: number;
    readonly perQuery: number;
    readonly limit: number;
    readonly signal?: AbortSignal;
  },
): Promise<Shortlist> {
  const scores = emptyScores(index);
  let texts = Uint32Array.from({ length: index.size }, (_, text) => text);
  if (texts.length > options.wholeUpTo) {
    const nearest: number[][] = [];
    for (const query of queries) {
      await breathe(options.signal);
      scoreTexts(index, query, scores);
      nearest.push(largest(scores.cosine, scores.touched.subarray(0, scores.touchedCount), options.perQuery));
    }
    texts = Uint32Array.from(chooseByRank(nearest, options)).sort();
  }
  const cosine = emptyMatrix(queries.length, texts.length);
  const bm25 = emptyMatrix(queries.length, texts.length);
  for (const [row, query] of queries.entries()) {
    await breathe(options.signal);
    scoreTexts(index, query, scores);
    const cosineRow = rowOf(cosine, row);
    const bm25Row = rowOf(bm25, row);
    texts.forEach((text, column) => {
      cosineRow[column] = scores.cosine[text]!;
      bm25Row[column] = scores.bm25[text]!;
    });
  }
  return { texts, cosine, bm25 };
}

function chooseByRank(
  nearest: readonly number[][],
  { perQuery, limit }: { perQuery: number; limit: number },
) {
  const chosen = new Set<number>();
  for (let rank = 0; rank < perQuery; rank++) {
    for (const texts of nearest) {
      const text = texts[rank];
      if (text === undefined) continue;
      if (chosen.size >= limit) return chosen;
      chosen.add(text);
    }
  }
  return chosen;
}
