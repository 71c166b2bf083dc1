import type { Passage } from '../corpus/passages/passage.js';
import type { Criterion } from '../standards/criterion.js';
import { detectLanguage, type Language } from '../text/language.js';
import type { Candidate, EmbeddingModel } from './candidate.js';
import { type CoverageEstimate, type CoverageModel, estimateCoverage } from './estimate-coverage.js';
import { EVIDENCE_RANKING, type RankingSettings, rankTexts } from './rank-texts.js';

export interface RankedCriterion {
  /** Nearest passages, nearest first. */
  readonly candidates: readonly Candidate[];
  /** How likely it is, by ranks and margins alone, that no passage treats the criterion. */
  readonly coverage: CoverageEstimate;
}

/** How candidates were found: part of every result, because it says what could have been overlooked. */
export interface RetrievalMethod {
  readonly settings: RankingSettings;
  /** Id of the embedding model, or why there is none in the result. */
  readonly embedding: { readonly model: string } | { readonly off: 'disabled' | 'language' };
  /** Documents whose passages were found by their words alone, because the model does not know their language. */
  readonly lexicalOnlyDocuments: readonly string[];
  readonly passages: number;
  /** Passages that were looked at closely. */
  readonly shortlisted: number;
}

export interface CandidateRanking {
  readonly byCriterion: ReadonlyMap<string, RankedCriterion>;
  readonly method: RetrievalMethod;
}

/**
 * Finds for every criterion the passages that may show that it is met. Give all criteria of a standard at once: they
 * compete for the passages. Passages are ranked as given, whatever their role, in the order of their documents;
 * leave out those that cannot be evidence. Without `model` words alone decide; so they do for documents that are not
 * English, and the method says which. The same input gives the same ranking. Rejects when `signal` is aborted and
 * when the model does.
 */
export async function rankCandidates(
  criteria: readonly Criterion[],
  passages: readonly Passage[],
  options: {
    readonly model?: EmbeddingModel;
    /** Candidates per criterion; 20 unless told otherwise. */
    readonly limit?: number;
    readonly settings?: RankingSettings;
    readonly coverageModel?: CoverageModel;
    /** Language of a document; found out from its passages where absent. */
    readonly languageOf?: (documentId: string) => Language;
    readonly signal?: AbortSignal;
  } = {},
): Promise<CandidateRanking> {
  const { model, limit = 20, settings = EVIDENCE_RANKING, coverageModel, signal } = options;
  const languageByDocument = documentLanguages(passages, options.languageOf);
  const criteriaLanguage = detectLanguage(criteria.map(criterionQuery).join('\n'));
  const ranking = await rankTexts(
    criteria.map(criterionQuery),
    {
      texts: passages.map((passage) => passage.text),
      languages: passages.map((passage) => languageByDocument.get(passage.documentId)!),
      documents: passages.map((passage) => passage.documentId),
    },
    { settings, limit, ...(model ? { model } : {}), ...(signal ? { signal } : {}) },
  );
  const byCriterion = new Map<string, RankedCriterion>();
  criteria.forEach((criterion, query) => {
    const candidates = ranking.ranked[query]!.map(
      ({ text, score }, position): Candidate => ({ passage: passages[text]!, score, rank: position + 1 }),
    );
    const coverage = estimateCoverage(ranking.signals[query]!, coverageModel);
    byCriterion.set(criterion.id, { candidates, coverage });
  });
  const otherLanguage = [...languageByDocument].flatMap(([id, language]) =>
    language === 'en' && criteriaLanguage !== 'de' ? [] : [id],
  );
  const isEmbedded = model !== undefined && otherLanguage.length < languageByDocument.size;
  return {
    byCriterion,
    method: {
      settings,
      embedding: isEmbedded ? { model: model.id } : { off: model ? 'language' : 'disabled' },
      lexicalOnlyDocuments: model ? otherLanguage : [],
      passages: passages.length,
      shortlisted: ranking.shortlisted,
    },
  };
}

/** What is searched for: the title names the topic, the text says what is demanded of it. */
function criterionQuery({ title, text }: Criterion): string {
  // Without a title of its own a clause is called by its first words, which count once.
  return text.startsWith(title.replace(/\s*…$/u, '')) ? text : `${title}. ${text}`;
}

/** The first passages of a document decide, as many as `detectLanguage` reads. */
export function documentLanguages(
  passages: readonly Passage[],
  languageOf: ((documentId: string) => Language) | undefined,
): Map<string, Language> {
  const beginnings = new Map<string, string>();
  for (const { documentId, text } of passages) {
    const beginning = beginnings.get(documentId) ?? '';
    if (beginning.length < 20_000) beginnings.set(documentId, `${beginning}${text.slice(0, 2000)}\n`);
  }
  return new Map(
    [...beginnings].map(([id, beginning]) => [id, languageOf ? languageOf(id) : detectLanguage(beginning)]),
  );
}
