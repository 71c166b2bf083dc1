import type { Severity } from '../../findings/finding.js';
import { severityOfItem } from '../../findings/severity.js';
import type { ChecklistItem } from './checklist.js';
import type { ItemVerdict } from './checklist-analysis.js';
import type { ChecklistContext } from './context.js';

/**
 * What an item carries that fails or is missing, whoever says so: held at what the highest level deserves that the documents state, in
 * functional safety. That of a single artifact may be what is wrong with it.
 */
export function severityOfAnswer(
  verdict: Extract<ItemVerdict, 'fail' | 'missing'>,
  item: Pick<ChecklistItem, 'severity' | 'missingSeverity'>,
  { checklist, asils }: Pick<ChecklistContext, 'checklist' | 'asils'>,
): Severity {
  const atStake = checklist.domain === 'functional_safety' ? asils.highest : undefined;
  return severityOfItem(verdict === 'fail' ? item.severity : item.missingSeverity, atStake);
}
