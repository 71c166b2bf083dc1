import { type Corpus, statingPassages } from '../../corpus/corpus.js';
import { type CandidateRanking, rankCandidates } from '../../retrieval/rank-candidates.js';
import type { Criterion } from '../../standards/criterion.js';
import type { ChecklistItem } from './checklist.js';

/** Items without checks are looked for by their words; nothing is ranked where every item has checks. */
export async function rankByText(
  items: readonly ChecklistItem[],
  corpus: Corpus,
  signal: AbortSignal | undefined,
): Promise<CandidateRanking | undefined> {
  const plain = items.filter((item) => item.checks.length === 0);
  if (plain.length === 0) return undefined;
  return rankCandidates(plain.map(criterionOf), statingPassages(corpus), signal ? { signal } : {});
}

/** An item as something that passages can be near to. */
export const criterionOf = ({ id, text, severity }: ChecklistItem): Criterion => ({
  id,
  kind: 'clause',
  clause: '',
  title: '',
  text: [text.en, text.de ?? ''].join(' ').trim(),
  severity,
  obligation: 'shall',
});
