import type { EmbeddingModel } from './candidate.js';
import { LINK_RANKING, type RankedText, rankTexts } from './rank-texts.js';

/** Queries that are ranked together; more would take memory for every pair. */
const TOGETHER = 500;
/** Up to so many texts in all are embedded: some ten milliseconds each, while a person waits. */
const MOST_EMBEDDED = 1000;

/**
 * For every text the others that it could be linked to, nearest first, at most `limit`. Give everything that is open at once:
 * texts compete for what they belong to, so that a part of them would get other proposals. Beyond a thousand texts in all
 * the words alone decide. Rejects when `signal` is aborted.
 */
export async function proposeLinks(
  queries: readonly string[],
  texts: readonly string[],
  {
    model,
    limit,
    signal,
  }: { readonly model?: EmbeddingModel; readonly limit: number; readonly signal?: AbortSignal },
): Promise<readonly (readonly RankedText[])[]> {
  const isEmbedded = model !== undefined && queries.length + texts.length <= MOST_EMBEDDED;
  const all: (readonly RankedText[])[] = [];
  for (let from = 0; from < queries.length; from += TOGETHER) {
    const { ranked } = await rankTexts(
      queries.slice(from, from + TOGETHER),
      { texts },
      { settings: LINK_RANKING, limit, ...(isEmbedded ? { model } : {}), ...(signal ? { signal } : {}) },
    );
    all.push(...ranked);
  }
  return all;
}
