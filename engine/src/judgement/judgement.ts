import type { Condition } from '../conditions/condition.js';
import type { Corpus } from '../corpus/corpus.js';
import type { PhraseIndex } from '../corpus/mentions.js';
import type { StatedAsils } from '../facts/asil-of-documents.js';
import type { CriterionVerdict } from '../findings/finding.js';
import type { Candidate } from '../retrieval/candidate.js';
import type { CoverageEstimate } from '../retrieval/estimate-coverage.js';
import type { CandidateRanking } from '../retrieval/rank-candidates.js';
import type { Sentence } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';

/** Everything that a judgement may look at. */
export interface JudgementContext {
  readonly corpus: Corpus;
  readonly index: PhraseIndex;
  readonly asils: StatedAsils;
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Answers of a person, by condition. */
  readonly answers: Readonly<Record<string, boolean>>;
  /** Criteria by id. */
  readonly criteria: ReadonlyMap<string, Criterion>;
  /** Passages nearest to a criterion, best first. */
  readonly nearest: (criterion: Criterion) => readonly Candidate[];
  /** A guess from ranks and margins whether nothing treats the criterion. */
  readonly coverageOf: (criterion: Criterion) => CoverageEstimate | undefined;
}

/** The answer before search statement and verdict of the condition are added. */
export interface Judgement extends Omit<CriterionVerdict, 'criterionId' | 'reason' | 'said'> {
  readonly reason: Sentence;
}

/** As many as a ranking has for rules, which a longer one for a model does not change. */
const MOST_FOR_RULES = 20;

/** What a ranking of passages says to a judgement by rules. */
export const nearestIn = ({
  byCriterion,
}: CandidateRanking): Pick<JudgementContext, 'nearest' | 'coverageOf'> => ({
  nearest: (criterion) => byCriterion.get(criterion.id)?.candidates.slice(0, MOST_FOR_RULES) ?? [],
  coverageOf: (criterion) => byCriterion.get(criterion.id)?.coverage,
});
