import type { ChecklistItem as DefinitionItem } from '@normtrace/engine';
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
): ReviewedItem {
  const newest = answers[0]?.verdict === null ? undefined : answers[0];
  const stale = newest ? staleReason(item, newest) : undefined;
  const counts = stale === undefined ? newest : undefined;
  const unanswered = counts ? undefined : (stale ?? openReason(item, machine));
  return {
    item_id: item.id,
    item: toItem(item),
    machine: machine ? toVerdict(machine) : null,
    answer: newest ? toAnswer(newest) : null,
    effective_verdict:
      unanswered === undefined ? (counts?.verdict ?? machine?.verdict ?? 'to_be_reviewed') : 'to_be_reviewed',
    review_status: counts ? statusOf(counts) : unanswered === undefined ? 'not_needed' : 'to_be_reviewed',
    review_reason: unanswered ?? null,
    history: answers.map(toAnswer),
  };
}

const statusOf = ({ verdict, machine_verdict }: AnswerRow): ReviewStatus =>
  verdict === machine_verdict ? 'confirmed' : 'overridden';

/** Why an answer does not count any more. */
function staleReason({ revision }: DefinitionItem, answer: AnswerRow): string | undefined {
  if (answer.item_revision !== revision) return 'The item was changed after it was answered.';
  const replaced = answer.documents.find(({ sha256, newest_sha256 }) => sha256 !== newest_sha256);
  if (replaced?.newest_version === null) return `"${replaced.name}" was deleted after the item was answered.`;
  if (replaced) {
    return `"${replaced.name}" was replaced: version ${replaced.version} was reviewed, version ${replaced.newest_version} is there now.`;
  }
  return answer.outdated ? 'What the verdict rests on has changed since the item was answered.' : undefined;
}

/** Why a person has to look at an item that nobody answered. */
function openReason(
  { revision }: DefinitionItem,
  machine: ChecklistResultRow | undefined,
): string | undefined {
  if (!machine) return 'No run has judged it yet.';
  if (machine.item.revision !== revision) return 'The item was changed after the run.';
  return machine.result.needsConfirmation ? 'A person has to confirm the verdict of the run.' : undefined;
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
