import { detectLanguage, type Language } from '../text/language.js';
import type { EmbeddingModel } from './candidate.js';
import { type CoverageSignals, coverageSignals } from './coverage-signals.js';
import { embeddingSimilarity } from './embedding-similarity.js';
import { largest } from './largest.js';
import { buildLexicalIndex } from './lexical-index.js';
import { lexicalQuery } from './lexical-search.js';
import { type Shortlist, shortlistTexts } from './shortlist.js';
import { emptyMatrix, exclusivity, type Matrix, rowOf, standardise } from './similarity.js';

/** How ranking weighs what it knows; every figure in the evaluation names the settings it was made with. */
export interface RankingSettings {
  /** Shares of TF-IDF cosine, BM25 and embedding cosine, each as z-scores over the shortlist; they add up to 1. */
  readonly weights: { readonly cosine: number; readonly bm25: number; readonly embedding: number };
  /** Share of the exclusivity of a text to a query in the score, 0 to 1; less where there are fewer texts than queries. */
  readonly exclusivity: number;
  /** What each neighbour in the document adds of its own nearness, 0 to 1. */
  readonly context: number;
  /** Collections up to this many texts are looked at whole: a paraphrase may share no word with a query. */
  readonly wholeUpTo: number;
  /** In larger ones, lexically nearest texts of each query that are looked at closely. */
  readonly shortlist: number;
  /** Most texts looked at closely over all queries; each costs one embedding. */
  readonly shortlistLimit: number;
}

/** For evidence: one passage may serve several criteria, and its neighbours speak of the same thing. */
export const EVIDENCE_RANKING: RankingSettings = {
  weights: { cosine: 0.25, bm25: 0.25, embedding: 0.5 },
  exclusivity: 0.15,
  context: 0.15,
  wholeUpTo: 400,
  shortlist: 100,
  shortlistLimit: 4000,
};

/** For trace links: an artifact answers few others, and its neighbours in the list say nothing about it. */
export const LINK_RANKING: RankingSettings = { ...EVIDENCE_RANKING, exclusivity: 0.5, context: 0 };

export interface RankedText {
  /** Number of the text. */
  readonly text: number;
  /** Fused score; comparable within one query, and roughly between queries of the same ranking. */
  readonly score: number;
}

export interface TextRanking {
  /**
   * By query: the shortlisted texts, nearest first, ties in the order of the texts. Without an embedding, texts that
   * share no word with the query are left out: nothing is known of them.
   */
  readonly ranked: readonly (readonly RankedText[])[];
  /** By query: what speaks for and against its being answered at all. */
  readonly signals: readonly CoverageSignals[];
  /** Number of texts looked at closely. */
  readonly shortlisted: number;
}

/** Texts as they are ranked; the arrays are parallel. */
export interface RankableTexts {
  readonly texts: readonly string[];
  /** Language of each text; found out from all texts together where absent. */
  readonly languages?: readonly Language[];
  /** Document of each text, in the document's order; neighbours count only within one. */
  readonly documents?: readonly string[];
}

/**
 * Ranks texts for every query: a lexical shortlist, then z-scored TF-IDF cosine, BM25 and (with a model, English
 * queries and texts only) embedding cosine, then what the neighbours and the other queries say. Queries are ranked
 * together because they compete for the texts. Deterministic. Rejects when `signal` is aborted.
 */
export async function rankTexts(
  queries: readonly string[],
  { texts, languages = sameLanguage(texts), documents }: RankableTexts,
  options: {
    readonly settings: RankingSettings;
    readonly model?: EmbeddingModel;
    /** Texts returned per query; all shortlisted ones unless told otherwise. */
    readonly limit?: number;
    readonly signal?: AbortSignal;
  },
): Promise<TextRanking> {
  const { settings, model, signal } = options;
  const index = buildLexicalIndex(texts, languages);
  const queryLanguages = sameLanguage(queries);
  const shortlist = await shortlistTexts(
    index,
    queries.map((query, number) => lexicalQuery(query, queryLanguages[number])),
    {
      wholeUpTo: settings.wholeUpTo,
      perQuery: settings.shortlist,
      limit: settings.shortlistLimit,
      ...(signal ? { signal } : {}),
    },
  );
  const embedding = model
    ? await embedEnglish(model, { queries, queryLanguages, texts, languages, shortlist }, signal)
    : undefined;
  const fused = fuse(shortlist, embedding, settings);
  const inContext = withContext(fused, shortlist.texts, { documents, weight: settings.context });
  const scores = withExclusivity(inContext, exclusivityShare(settings, inContext));
  const ranked = queries.map((_, query) => {
    const row = rowOf(scores, query);
    const columns = comparableColumns(query, shortlist, embedding);
    return largest(row, columns, options.limit ?? row.length).map((column) => ({
      text: shortlist.texts[column]!,
      score: row[column]!,
    }));
  });
  const signals = coverageSignals({ fused: inContext, scores, cosine: shortlist.cosine, embedding });
  return { ranked, signals, shortlisted: shortlist.texts.length };
}

function comparableColumns(query: number, { cosine }: Shortlist, embedding: Matrix | undefined): number[] {
  const shared = rowOf(cosine, query);
  const embedded = embedding && rowOf(embedding, query);
  const columns: number[] = [];
  for (let column = 0; column < shared.length; column++) {
    if (shared[column]! > 0 || (embedded !== undefined && !Number.isNaN(embedded[column]!))) {
      columns.push(column);
    }
  }
  return columns;
}

/** Short texts do not tell their language one by one; together they do. */
function sameLanguage(texts: readonly string[]): Language[] {
  const language = detectLanguage(
    texts
      .slice(0, 2000)
      .map((text) => text.slice(0, 200))
      .join('\n'),
  );
  return texts.map(() => language);
}

/** Embedding cosines where both sides are English; NaN elsewhere, undefined when that is everywhere. */
async function embedEnglish(
  model: EmbeddingModel,
  given: {
    readonly queries: readonly string[];
    readonly queryLanguages: readonly Language[];
    readonly texts: readonly string[];
    readonly languages: readonly Language[];
    readonly shortlist: Shortlist;
  },
  signal?: AbortSignal,
): Promise<Matrix | undefined> {
  const rows = [...given.queries.keys()].filter((row) => given.queryLanguages[row] !== 'de');
  const columns = [...given.shortlist.texts.keys()].filter(
    (column) => given.languages[given.shortlist.texts[column]!] === 'en',
  );
  if (rows.length === 0 || columns.length === 0) return undefined;
  const similarities = await embeddingSimilarity(
    model,
    {
      queries: rows.map((row) => given.queries[row]!),
      texts: columns.map((column) => given.texts[given.shortlist.texts[column]!]!),
    },
    signal,
  );
  const result = emptyMatrix(given.queries.length, given.shortlist.texts.length);
  result.values.fill(Number.NaN);
  rows.forEach((row, embeddedRow) => {
    columns.forEach((column, embeddedColumn) => {
      result.values[row * result.columns + column] =
        similarities.values[embeddedRow * similarities.columns + embeddedColumn]!;
    });
  });
  return result;
}

/** Weighted sum of z-scores; a pair without an embedding is judged by its words alone. */
function fuse(
  { cosine, bm25 }: Shortlist,
  embedding: Matrix | undefined,
  { weights }: RankingSettings,
): Matrix {
  const result = emptyMatrix(cosine.rows, cosine.columns);
  for (let query = 0; query < cosine.rows; query++) {
    const byCosine = standardise(rowOf(cosine, query));
    const byBm25 = standardise(rowOf(bm25, query));
    const embedded = embedding ? rowOf(embedding, query) : undefined;
    const isEmbedded = (column: number) => embedded !== undefined && !Number.isNaN(embedded[column]!);
    const byEmbedding = embedded ? standardise(embedded, isEmbedded) : undefined;
    const row = rowOf(result, query);
    for (let column = 0; column < row.length; column++) {
      const lexical = weights.cosine * byCosine[column]! + weights.bm25 * byBm25[column]!;
      row[column] =
        byEmbedding && isEmbedded(column)
          ? lexical + weights.embedding * byEmbedding[column]!
          : lexical / (weights.cosine + weights.bm25);
    }
  }
  return result;
}

/** Adds to each text a share of what stands right before and after it in its document. */
function withContext(
  scores: Matrix,
  texts: Uint32Array,
  { documents, weight }: { documents: readonly string[] | undefined; weight: number },
): Matrix {
  if (!documents || weight === 0) return scores;
  /** By column: whether it stands right behind the one before. */
  const follows = Uint8Array.from(texts, (text, column) =>
    column > 0 && texts[column - 1]! + 1 === text && documents[text - 1] === documents[text] ? 1 : 0,
  );
  const result = emptyMatrix(scores.rows, scores.columns);
  for (let query = 0; query < scores.rows; query++) {
    const row = rowOf(scores, query);
    const target = rowOf(result, query);
    for (let column = 0; column < row.length; column++) {
      let score = row[column]!;
      if (follows[column] === 1) score += weight * row[column - 1]!;
      if (follows[column + 1] === 1) score += weight * row[column + 1]!;
      target[column] = score;
    }
  }
  return result;
}

/**
 * What has few texts for many queries cannot be exclusive: a parent has many children. The share falls with the number of
 * texts for one query.
 */
const exclusivityShare = ({ exclusivity: share }: RankingSettings, { rows, columns }: Matrix): number =>
  share * Math.min(1, columns / Math.max(1, rows));

function withExclusivity(scores: Matrix, share: number): Matrix {
  const standardised = emptyMatrix(scores.rows, scores.columns);
  for (let query = 0; query < scores.rows; query++) {
    rowOf(standardised, query).set(standardise(rowOf(scores, query)));
  }
  if (share === 0) return standardised;
  const exclusive = exclusivity(scores);
  for (let i = 0; i < standardised.values.length; i++) {
    standardised.values[i] = (1 - share) * standardised.values[i]! + share * exclusive.values[i]!;
  }
  return standardised;
}
