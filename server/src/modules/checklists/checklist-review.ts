import { type ChecklistItem as DefinitionItem, render, type Sentence, say } from '@normtrace/engine';
import type { Language } from '../../platform/http/language.js';
import { timestamp } from '../../platform/http/schemas.js';
import { toEvidence } from '../gaps/gaps.service.js';
import type { ChecklistResultRow } from './checklist-analysis.repository.js';
import type { AnswerRow } from './checklist-answers.repository.js';
import type { Answer, ReviewedItem, ReviewStatus } from './checklist-answers.schemas.js';
import { toVerdict } from './checklist-result.js';
import { toItem } from './checklists.service.js';

/**
 * An item with what the newest run and people say, and what counts: the answer of a person as long as it was given on what
 * is there now; else the verdict of the run, unless a person has to confirm it.
 */
export function reviewedItem(
  item: DefinitionItem,
  machine: ChecklistResultRow | undefined,
  answers: readonly AnswerRow[],
  language: Language,
): ReviewedItem {
  const newest = answers[0]?.verdict === null ? undefined : answers[0];
  const stale = newest ? staleReason(item, newest) : undefined;
  const counts = stale === undefined ? newest : undefined;
  const unanswered = counts ? undefined : (stale ?? openReason(item, machine));
  return {
    item_id: item.id,
    item: toItem(item),
    machine: machine ? toVerdict(machine, language) : null,
    answer: newest ? toAnswer(newest) : null,
    effective_verdict:
      unanswered === undefined ? (counts?.verdict ?? machine?.verdict ?? 'to_be_reviewed') : 'to_be_reviewed',
    review_status: counts ? statusOf(counts) : unanswered === undefined ? 'not_needed' : 'to_be_reviewed',
    review_reason: unanswered ? render(unanswered, language) : null,
    history: answers.map(toAnswer),
  };
}

const statusOf = ({ verdict, machine_verdict }: AnswerRow): ReviewStatus =>
  verdict === machine_verdict ? 'confirmed' : 'overridden';

/** Why an answer does not count any more. */
function staleReason({ revision }: DefinitionItem, answer: AnswerRow): Sentence | undefined {
  if (answer.item_revision !== revision) return say('reviews.changed-after-answer');
  const replaced = answer.documents.find(({ sha256, newest_sha256 }) => sha256 !== newest_sha256);
  if (replaced?.newest_version === null) return say('reviews.document-deleted', { name: replaced.name });
  if (replaced) {
    const { name, version, newest_version: newest } = replaced;
    return say('reviews.document-replaced', { name, version, newest });
  }
  return answer.outdated ? say('reviews.basis-changed') : undefined;
}

/** Why a person has to look at an item that nobody answered. */
function openReason(
  { revision }: DefinitionItem,
  machine: ChecklistResultRow | undefined,
): Sentence | undefined {
  if (!machine) return say('reviews.not-judged');
  if (machine.item.revision !== revision) return say('reviews.changed-after-run');
  return machine.result.needsConfirmation ? say('reviews.to-confirm') : undefined;
}

const toAnswer = (row: AnswerRow): Answer => ({
  id: row.id,
  verdict: row.verdict,
  reason: row.reason,
  evidence: row.evidence.map((one) => toEvidence({ ...one, role: 'support' })),
  analysis_id: row.analysis_id,
  machine_verdict: row.machine_verdict,
  documents: row.documents.map(({ work_product_id, name, version }) => ({ work_product_id, name, version })),
  answered_by: row.answered_by,
  answered_by_name: row.answered_by_name,
  answered_at: timestamp(row.answered_at),
});
