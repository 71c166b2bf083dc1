import { createHash } from 'node:crypto';
import {
  type Agreement,
  type Criterion,
  render,
  type Sentence,
  say,
  scoreOf,
  type Verdict,
} from '@normtrace/engine';
import type { Language } from '../../platform/http/language.js';
import { timestamp } from '../../platform/http/schemas.js';
import { toEvidence } from '../gaps/gaps.service.js';
import type { CriterionAnswerRow, VerdictFacts } from './criterion-answers.repository.js';
import type { CriterionAnswer, ReviewStatus } from './criterion-answers.schemas.js';

// What counts for a criterion: what a person said as long as it was said about what is there, else the verdict of a run.

/** What counts for a criterion beside a run, and why. */
export interface CriterionReview {
  readonly effective_verdict: Verdict | null;
  readonly review_status: ReviewStatus;
  readonly review_reason: string | null;
  readonly answer: CriterionAnswer | null;
}

/** Of the demand, the verdict and its quotes: an answer counts beside runs that found the same. */
export function basisOf({ title, text }: Pick<Criterion, 'title' | 'text'>, facts: VerdictFacts): string {
  const quotes = new Set(
    facts.evidence.map(({ work_product_id, role, quote }) => `${work_product_id} ${role} ${quote}`),
  );
  return createHash('sha256')
    .update(JSON.stringify([title, text, facts.verdict, [...quotes].sort()]))
    .digest('hex');
}

/** Why an answer does not count any more; undefined where it does. */
export function staleReason(
  criterion: Pick<Criterion, 'title' | 'text'>,
  facts: VerdictFacts | undefined,
  answer: CriterionAnswerRow,
): Sentence | undefined {
  const replaced = answer.documents.find(({ sha256, newest_sha256 }) => sha256 !== newest_sha256);
  if (replaced?.newest_version === null) {
    return say('reviews.verdict-document-deleted', { name: replaced.name });
  }
  if (replaced) {
    const { name, version, newest_version: newest } = replaced;
    return say('reviews.document-replaced', { name, version, newest });
  }
  // A run over less than what was answered says nothing about it.
  if (!facts || !answer.as_wide || basisOf(criterion, facts) === answer.basis) return undefined;
  return say('reviews.verdict-basis-changed');
}

/** A criterion beside a run; `answers` are those to it, newest first. */
export function reviewCriterion(
  criterion: Pick<Criterion, 'title' | 'text'>,
  found: {
    readonly facts: VerdictFacts | undefined;
    readonly answers: readonly CriterionAnswerRow[];
    readonly language: Language;
  },
): CriterionReview {
  const { facts, answers, language } = found;
  const newest = answers[0]?.verdict === null ? undefined : answers[0];
  const stale = newest && staleReason(criterion, facts, newest);
  const answer = newest ? toAnswer(newest) : null;
  if (newest && !stale) {
    const confirmed = newest.verdict === (facts?.verdict ?? newest.machine_verdict);
    return {
      effective_verdict: newest.verdict,
      review_status: confirmed ? 'confirmed' : 'overridden',
      review_reason: null,
      answer,
    };
  }
  const open = stale ?? (facts?.verdict === 'needs_review' ? say('reviews.verdict-undecided') : undefined);
  return {
    effective_verdict: open ? 'needs_review' : (facts?.verdict ?? null),
    review_status: open ? 'to_be_reviewed' : 'not_needed',
    review_reason: open ? render(open, language) : null,
    answer,
  };
}

export const toAnswer = (row: CriterionAnswerRow): CriterionAnswer => ({
  id: row.id,
  verdict: row.verdict,
  rating: row.rating,
  reason: row.reason,
  evidence: row.evidence.map((one) => toEvidence({ ...one, role: 'support' })),
  analysis_id: row.analysis_id,
  machine_verdict: row.machine_verdict,
  documents: row.documents.map(({ work_product_id, name, version }) => ({ work_product_id, name, version })),
  answered_by: row.answered_by,
  answered_by_name: row.answered_by_name,
  answered_at: timestamp(row.answered_at),
});

/** Rule of a verdict that a person gave. */
const BY_A_PERSON = 'person';

/** The score of a run with what counts, by the rule of the run; of its own verdicts it is that of the run. */
export function effectiveScore(
  criteria: ReadonlyMap<string, Criterion>,
  verdicts: readonly {
    readonly facts: VerdictFacts;
    readonly effective: Verdict;
    readonly answered: boolean;
  }[],
  agreement: Agreement,
): number | null {
  const counted = verdicts.filter(({ facts }) => criteria.has(facts.criterion_id));
  return scoreOf(
    counted.map(({ facts, effective, answered }) => ({
      criterionId: facts.criterion_id,
      verdict: effective,
      rules: answered || effective !== facts.verdict ? [BY_A_PERSON] : facts.rules,
    })),
    criteria,
    agreement,
  ).value;
}

/** By criterion, newest first. */
export function byCriterion(
  answers: readonly CriterionAnswerRow[],
): ReadonlyMap<string, readonly CriterionAnswerRow[]> {
  const grouped = new Map<string, CriterionAnswerRow[]>();
  for (const answer of answers) {
    const group = grouped.get(answer.criterion_id);
    if (group) group.push(answer);
    else grouped.set(answer.criterion_id, [answer]);
  }
  return grouped;
}
