import { inLanguage } from '@normtrace/engine';
import type { Language } from '../../platform/http/language.js';
import { toEvidence, toSearch } from '../gaps/gaps.service.js';
import { toStoredSearch } from '../gaps/store-gaps.js';
import type { ChecklistResultRow } from './checklist-analysis.repository.js';
import type { ChecklistVerdict } from './checklist-analysis.schemas.js';
import { toItem, toTextOrNull } from './checklists.service.js';

/** What a run says about an item, as the API answers it, in the words of a language. */
export function toVerdict(
  { item, result: stored, evidence }: ChecklistResultRow,
  language: Language,
): ChecklistVerdict {
  const result = inLanguage(stored, language);
  return {
    item_id: result.itemId,
    item: toItem(item),
    verdict: result.verdict,
    confidence: result.confidence,
    needs_confirmation: result.needsConfirmation,
    question: toTextOrNull(result.question),
    rules: [...result.rules],
    reason: result.reason,
    severity: result.severity ?? null,
    instances: result.instances ? { ...result.instances } : null,
    affected_items: [...result.affectedItems],
    evidence: inLanguage(evidence, language).map(toEvidence),
    search: toSearch(toStoredSearch(result.search)),
    looked_at: [...result.lookedAt],
    fingerprint: result.fingerprint,
    basis: result.basis,
  };
}
