import {
  type CoverageSignals,
  type EmbeddingModel,
  EVIDENCE_RANKING,
  LINK_RANKING,
  type RankedText,
  type RankingSettings,
  rankTexts,
} from '@normtrace/engine';
import { rankByPlainTfidf } from './plain-tfidf.js';

/** A way to rank texts for queries, as the evaluation compares them. */
export interface Method {
  readonly name: string;
  readonly rank: (queries: readonly string[], texts: readonly string[], task: Task) => Promise<MethodRanking>;
}

export type Task = 'links' | 'evidence';

export interface MethodRanking {
  readonly ranked: readonly (readonly RankedText[])[];
  /** Absent for methods that know nothing but scores. */
  readonly signals?: readonly CoverageSignals[];
}

/** The published combination: z-scored cosines, nothing else. */
const Z_FUSION: RankingSettings = {
  ...EVIDENCE_RANKING,
  weights: { cosine: 0.4, bm25: 0, embedding: 0.6 },
  exclusivity: 0,
  context: 0,
};

/** The methods in the order of the report; the baseline first, the shipped one last. */
export function methodsToCompare(model: EmbeddingModel | undefined): Method[] {
  const engineMethod = (
    name: string,
    settings: (task: Task) => RankingSettings,
    embedding?: EmbeddingModel,
  ): Method => ({
    name,
    rank: (queries, texts, task) =>
      rankTexts(
        queries,
        { texts, ...(task === 'evidence' ? { documents: texts.map(() => 'document') } : {}) },
        { settings: settings(task), ...(embedding ? { model: embedding } : {}) },
      ),
  });
  const shipped = (task: Task) => (task === 'links' ? LINK_RANKING : EVIDENCE_RANKING);
  const lexical: Method[] = [
    { name: 'plain TF-IDF', rank: async (queries, texts) => ({ ranked: rankByPlainTfidf(queries, texts) }) },
    engineMethod('engine, embeddings off', shipped),
  ];
  if (!model) return lexical;
  return [
    ...lexical,
    engineMethod('z-fusion', () => Z_FUSION, model),
    engineMethod('engine', shipped, model),
  ];
}
