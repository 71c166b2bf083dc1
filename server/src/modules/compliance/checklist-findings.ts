import type { ChecklistItem, Finding, ItemResult } from '@normtrace/engine';

/** A title has at most twelve words (domain H.2). */
const TITLE_WORDS = 10;

/** What an item that fails or is missing means as a gap; undefined for one that passes or does not apply. */
export function findingOfItem(item: ChecklistItem, result: ItemResult): Finding | undefined {
  const { verdict, severity, search } = result;
  if (severity === undefined) return undefined;
  const unmet = result.instances ? result.instances.total - result.instances.met : 0;
  const unnamed = Math.max(0, unmet - result.affectedItems.length);
  const expected = (item.pass ?? item.text).en;
  return {
    fingerprint: result.fingerprint,
    kind: verdict,
    criterionId: item.id,
    title: `${item.id}: ${shortened(item.text.en)}`,
    standardRef: item.refs.join('; '),
    severity,
    confidence: result.confidence,
    severityReasons: [],
    expected,
    observed: result.reason,
    whyItMatters: '',
    recommendation:
      verdict === 'fail'
        ? `Correct what the quotes show, until this can be seen: ${expected}`
        : `Add what is not there, or name the document that shows it: ${expected}`,
    affectedItems: result.affectedItems,
    // Quotes are a selection of what does not meet an item about each and every one.
    ...(result.affectedItems.length > 0 && unmet > 0
      ? { defects: [...result.affectedItems, ...Array<string>(unnamed).fill('not named')] }
      : {}),
    evidence: result.evidence,
    ...(search ? { search } : {}),
  };
}

function shortened(text: string): string {
  const words = text.split(/\s+/);
  return words.length <= TITLE_WORDS ? text : `${words.slice(0, TITLE_WORDS).join(' ')} …`;
}
