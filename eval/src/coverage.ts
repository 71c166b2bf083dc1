import {
  type CoverageModel,
  type CoverageWeights,
  estimateCoverage,
  shippedCoverageModel,
} from '@normtrace/engine';
import { type Decision, fitCoverageWeights } from './fit-coverage-model.js';
import type { CoverageCorpus } from './gold.js';
import type { Method } from './methods.js';
import { areaUnderCurve, bestThreshold, mean, type Quality, qualityAt, type Scored } from './metrics.js';

export interface CoverageFigures {
  readonly corpus: string;
  readonly decisions: number;
  readonly missing: number;
  /** Share of covered criteria with evidence among the first one and three passages. */
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** How well missing criteria are told from covered ones. */
  readonly auc: number;
  /** Of "missing", with model and threshold from the other corpora. */
  readonly quality: Quality;
}

/** What one method says about all decisions of a corpus. */
interface Judged {
  readonly corpus: string;
  readonly hits: readonly { readonly first: boolean; readonly firstThree: boolean }[];
  readonly decisions: readonly (Decision & { readonly bestScore: number })[];
  readonly hasSignals: boolean;
}

const EMBEDDED = ['standing', 'wordExclusivity', 'meaningExclusivity'] as const;
const LEXICAL = ['standing', 'wordExclusivity'] as const;

/** Figures of every corpus; what is fitted is fitted on the other corpora, or is the shipped model without one. */
export async function evaluateCoverage(
  corpora: readonly CoverageCorpus[],
  method: Method,
): Promise<CoverageFigures[]> {
  const judged: Judged[] = [];
  for (const corpus of corpora) judged.push(await judge(corpus, method));
  return judged.map((one): CoverageFigures => {
    const others = judged.filter((other) => other !== one);
    const scored = score(one, others);
    return {
      corpus: one.corpus,
      decisions: one.decisions.length,
      missing: one.decisions.filter(({ missing }) => missing).length,
      hitAt1: mean(one.hits.map(({ first }) => (first ? 1 : 0))),
      hitAt3: mean(one.hits.map(({ firstThree }) => (firstThree ? 1 : 0))),
      auc: areaUnderCurve(scored.items),
      quality: qualityAt(scored.items, { threshold: scored.threshold, beta: 1 }),
    };
  });
}

/** The model to ship: fitted on all corpora together, with and without embeddings. */
export async function fitShippedModel(
  corpora: readonly CoverageCorpus[],
  methods: { readonly embedded: Method; readonly lexical: Method },
): Promise<CoverageModel> {
  const decisionsOf = async (method: Method) => {
    const decisions: Decision[] = [];
    for (const corpus of corpora) decisions.push(...(await judge(corpus, method)).decisions);
    return decisions;
  };
  const embedded = await decisionsOf(methods.embedded);
  const names = corpora.map(({ name, sets }) => `${name} (${sets.length} documents)`).join(' and ');
  return {
    provenance:
      `Logistic regression on ${embedded.length} decisions of persons, ` +
      `${embedded.filter(({ missing }) => missing).length} of them "missing": ${names}. No text of them is in here.`,
    embedded: fitCoverageWeights(embedded, EMBEDDED),
    lexical: fitCoverageWeights(await decisionsOf(methods.lexical), LEXICAL),
  };
}

/** hit@3 of one corpus. */
export async function evidenceHits(corpus: CoverageCorpus, rank: Method['rank']): Promise<number> {
  const { hits } = await judge(corpus, { name: corpus.name, rank });
  return mean(hits.map(({ firstThree }) => (firstThree ? 1 : 0)));
}

async function judge(corpus: CoverageCorpus, method: Method): Promise<Judged> {
  const hits: Judged['hits'][number][] = [];
  const decisions: Judged['decisions'][number][] = [];
  let hasSignals = false;
  for (const set of corpus.sets) {
    const { ranked, signals } = await method.rank(set.criteria, set.passages, 'evidence');
    hasSignals = signals !== undefined;
    set.truth.forEach(({ covered, evidence }, criterion) => {
      const first = ranked[criterion]!.slice(0, 3).map(({ text }) => evidence.has(text));
      if (covered && evidence.size > 0)
        hits.push({ first: first[0] ?? false, firstThree: first.includes(true) });
      decisions.push({
        missing: !covered,
        signals: signals?.[criterion] ?? { standing: 0 },
        bestScore: ranked[criterion]![0]?.score ?? 0,
      });
    });
  }
  return { corpus: corpus.name, hits, decisions, hasSignals };
}

function score(one: Judged, others: readonly Judged[]): { items: Scored[]; threshold: number } {
  if (!one.hasSignals) {
    // Nothing but scores: the nearer the nearest passage, the less likely it is missing.
    const byScore = ({ decisions }: Judged): Scored[] =>
      decisions.map(({ missing, bestScore }) => ({ score: -bestScore, positive: missing }));
    return {
      items: byScore(one),
      threshold: others.length ? bestThreshold(others.map(byScore), 1) : Number.NaN,
    };
  }
  const model = modelFor(one, others);
  const items = one.decisions.map(({ signals, missing }) => ({
    score: estimateCoverage(signals, model).missingScore,
    positive: missing,
  }));
  return { items, threshold: weightsIn(model, one).threshold };
}

function modelFor(one: Judged, others: readonly Judged[]): CoverageModel {
  return others.length === 0 ? shippedCoverageModel() : fittedOn(others, isEmbedded(one));
}

/** The shipped model with the half that a method uses fitted on these corpora. */
export async function modelFittedOn(
  corpora: readonly CoverageCorpus[],
  method: Method,
): Promise<CoverageModel> {
  const judged: Judged[] = [];
  for (const corpus of corpora) judged.push(await judge(corpus, method));
  return fittedOn(judged, judged.some(isEmbedded));
}

function fittedOn(judged: readonly Judged[], embedded: boolean): CoverageModel {
  const decisions = judged.flatMap((one) => one.decisions);
  const fitted = fitCoverageWeights(decisions, embedded ? EMBEDDED : LEXICAL);
  return { ...shippedCoverageModel(), [embedded ? 'embedded' : 'lexical']: fitted };
}

function weightsIn(model: CoverageModel, judged: Judged): CoverageWeights {
  return isEmbedded(judged) ? model.embedded : model.lexical;
}

function isEmbedded({ decisions }: Judged): boolean {
  return decisions.some(({ signals }) => signals.meaningExclusivity !== undefined);
}
