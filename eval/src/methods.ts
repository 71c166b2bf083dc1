import {
  buildLexicalIndex,
  type CoverageSignals,
  detectLanguage,
  type EmbeddingModel,
  EVIDENCE_RANKING,
  LINK_RANKING,
  lexicalQuery,
  type RankedText,
  type RankingSettings,
  rankTexts,
  searchLexical,
} from '@normtrace/engine';

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
    rank: (queries, texts, task) => rankWith(settings(task), embedding)(queries, texts, task),
  });
  const shipped = (task: Task) => (task === 'links' ? LINK_RANKING : EVIDENCE_RANKING);
  const lexical: Method[] = [
    { name: 'plain TF-IDF', rank: async (queries, texts) => ({ ranked: rankByTfidf(queries, texts) }) },
    engineMethod('engine, embeddings off', shipped),
  ];
  if (!model) return lexical;
  return [
    ...lexical,
    engineMethod('z-fusion', () => Z_FUSION, model),
    engineMethod('engine', shipped, model),
  ];
}

/** The engine's ranking with the given settings; the passages of evidence stand in one document. */
export function rankWith(settings: RankingSettings, model?: EmbeddingModel): Method['rank'] {
  return (queries, texts, task) =>
    rankTexts(
      queries,
      { texts, ...(task === 'evidence' ? { documents: texts.map(() => 'document') } : {}) },
      { settings, ...(model ? { model } : {}) },
    );
}

/** The lexical baseline: TF-IDF cosine over stems without stop words. Texts that share no word are not ranked. */
function rankByTfidf(queries: readonly string[], texts: readonly string[]): RankedText[][] {
  const language = detectLanguage([...queries, ...texts].join('\n'));
  const index = buildLexicalIndex(
    texts,
    texts.map(() => language),
  );
  return queries.map((query) =>
    searchLexical(index, lexicalQuery(query, language), { limit: texts.length }).map(({ text, cosine }) => ({
      text,
      score: cosine,
    })),
  );
}
