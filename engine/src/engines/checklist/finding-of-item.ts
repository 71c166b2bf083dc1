import { z } from 'zod';
import type { ChecklistItem } from '../../checklists/checklist.js';
import type { LocalText } from '../../checklists/question.js';
import type { Finding } from '../../findings/finding.js';
import { readWords } from '../../words/read-words.js';
import type { ItemResult } from './checklist-analysis.js';

/** A title has at most twelve words (domain H.2). */
const TITLE_WORDS = 10;

const textSchema = z.strictObject({ en: z.string().min(1), de: z.string().min(1) });
const schema = z.strictObject({ fail: textSchema, missing: textSchema });

/** What an item that fails or is missing means as a finding; undefined for one that passes or does not apply. */
export function findingOfItem(
  item: ChecklistItem,
  result: ItemResult,
  language: 'en' | 'de' = 'en',
): Finding | undefined {
  const { verdict, severity, search } = result;
  if (severity === undefined) return undefined;
  const unmet = result.instances ? result.instances.total - result.instances.met : 0;
  const unnamed = Math.max(0, unmet - result.affectedItems.length);
  const expected = textIn(item.pass ?? item.text, language);
  const recommendation = readWords('checklist-findings', schema)[verdict === 'fail' ? 'fail' : 'missing'];
  return {
    fingerprint: result.fingerprint,
    kind: verdict,
    criterionId: item.id,
    title: `${item.id}: ${shortened(textIn(item.text, language))}`,
    standardRef: item.refs.join('; '),
    severity,
    confidence: result.confidence,
    severityReasons: [],
    expected,
    observed: result.reason,
    whyItMatters: '',
    recommendation: recommendation[language].replace('{expected}', () => expected),
    affectedItems: result.affectedItems,
    // Quotes are a selection of what does not meet an item about each and every one.
    ...(result.affectedItems.length > 0 && unmet > 0
      ? { defects: [...result.affectedItems, ...Array<string>(unnamed).fill('not named')] }
      : {}),
    evidence: result.evidence,
    ...(search ? { search } : {}),
  };
}

const textIn = (text: LocalText, language: 'en' | 'de'): string => text[language] ?? text.en;

function shortened(text: string): string {
  const words = text.split(/\s+/);
  return words.length <= TITLE_WORDS ? text : `${words.slice(0, TITLE_WORDS).join(' ')} …`;
}
