import type { Finding, Severity } from '../../findings/finding.js';
import { reasonOf } from '../../findings/said.js';
import { isAtLeast } from '../../findings/severities.js';
import { severityWord } from '../../findings/severity.js';
import { type LocalWords, type Sentence, say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { ChecklistItem } from './checklist.js';
import type { ItemResult } from './checklist-analysis.js';

/** What the item carries, and that the level of what it concerns holds it lower. */
function reasonsOf(
  item: ChecklistItem,
  verdict: ItemResult['verdict'],
  severity: Severity,
): readonly Sentence[] {
  const carried = verdict === 'missing' ? item.missingSeverity : item.severity;
  const said = say('severity.item', { severity: severityWord(carried) });
  return severity !== carried && isAtLeast(carried, severity)
    ? [said, say('severity.item-held', { severity: severityWord(severity) })]
    : [said];
}

/** What an item that fails or is missing means as a finding; undefined for one that passes or does not apply. */
export function findingOfItem(item: ChecklistItem, result: ItemResult): Finding | undefined {
  const { verdict, severity, search } = result;
  if (severity === undefined) return undefined;
  const unmet = result.instances ? result.instances.total - result.instances.met : 0;
  const unnamed = Math.max(0, unmet - result.affectedItems.length);
  const expected = item.pass ?? item.text;
  return {
    fingerprint: result.fingerprint,
    kind: verdict,
    criterionId: item.id,
    severity,
    confidence: result.confidence,
    // Quotes are a selection of what does not meet an item about each and every one.
    ...(result.affectedItems.length > 0 && unmet > 0
      ? { defects: [...result.affectedItems, ...Array<string>(unnamed).fill('not named')] }
      : {}),
    evidence: result.evidence,
    ...(search ? { search } : {}),
    ...(result.subject === undefined ? {} : { subject: result.subject }),
    ...worded({
      standardRef: say('checks.refs', { refs: item.refs.map(inBothLanguages) }),
      title: say('checks.finding-title', { id: item.id, text: item.text, missing: verdict === 'missing' }),
      severityReasons: reasonsOf(item, verdict, severity),
      expected: say('checks.item-text', { text: expected }),
      observed: reasonOf(result),
      ...(result.said?.affectedItems ? { affectedItems: result.said.affectedItems } : {}),
      whyItMatters: written(''),
      recommendation: say(verdict === 'fail' ? 'checks.correct' : 'checks.supply', { expected }),
    }),
    // As they are known by; `said` has what they are called.
    affectedItems: result.affectedItems,
  };
}

/** "ISO 26262-2:2018, 5 and 6": numbers are joined in the language of the reader. */
const inBothLanguages = (en: string): LocalWords => ({
  en,
  de: en
    .replace(/(\d) and (?=\d)/g, '$1 und ')
    .replace(/(\d) to (?=\d)/g, '$1 bis ')
    .replace(/\bAnnex(?= [A-Z]\b)/g, 'Anhang'),
});
