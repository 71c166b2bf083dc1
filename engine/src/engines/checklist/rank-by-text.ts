import { type Corpus, statingPassages } from '../../corpus/corpus.js';
import { type CandidateRanking, rankCandidates } from '../../retrieval/rank-candidates.js';
import type { ChecklistItem } from './checklist.js';

/** Items without checks are looked for by their words; nothing is ranked where every item has checks. */
export async function rankByText(
  items: readonly ChecklistItem[],
  corpus: Corpus,
  signal: AbortSignal | undefined,
): Promise<CandidateRanking | undefined> {
  const plain = items.filter((item) => item.checks.length === 0);
  if (plain.length === 0) return undefined;
  const criteria = plain.map(({ id, text, severity }) => ({
    id,
    kind: 'clause' as const,
    clause: '',
    title: '',
    text: [text.en, text.de ?? ''].join(' ').trim(),
    severity,
    obligation: 'shall' as const,
  }));
  return rankCandidates(criteria, statingPassages(corpus), signal ? { signal } : {});
}
