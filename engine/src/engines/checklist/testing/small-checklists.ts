import type { AnalysedDocument } from '../../../corpus/analysed-document.js';
import { verifyEvidence } from '../../../findings/verify-evidence.js';
import { analysedDocument } from '../../../testing/document-fixture.js';
import { checkSchema } from '../check.js';
import type { Checklist, ChecklistItem } from '../checklist.js';
import type { ChecklistAnalysis, ChecklistInput, ItemResult } from '../checklist-analysis.js';
import { checkChecklist } from '../run.js';

/** A document of a type from lines; the type is its name. */
export const documentOf = (type: string, lines: readonly string[], rest: Partial<AnalysedDocument> = {}) =>
  analysedDocument(`${type}.md`, lines, { documentType: type, ...rest });

/** A checklist of items with checks as the data files write them. */
export function checklistOf(
  items: readonly (Partial<Omit<ChecklistItem, 'checks'>> & { readonly checks: readonly object[] })[],
  about: readonly string[] = ['hara'],
): Checklist {
  return {
    id: 'USR-T',
    title: { en: 'A list' },
    domain: 'own',
    about: { documentTypes: about, names: ['hazard analysis and risk assessment', 'Gefährdungsanalyse'] },
    source: 'own',
    items: items.map(({ checks, ...item }, at) => ({
      id: `USR-T-0${at + 1}`,
      text: { en: 'Is it there?' },
      refs: [],
      appliesWhen: [],
      notApplicable: { when: [], unless: [], draft: false, stated: [] },
      severity: 'medium',
      missingSeverity: 'high',
      documentTypes: [],
      automation: 'assisted',
      status: 'active',
      revision: 1,
      ...item,
      checks: checks.map((one) => checkSchema.parse(one)),
    })),
  };
}

/** Runs a checklist and holds every answer to what it promises. */
export async function analyse(
  input: Pick<ChecklistInput, 'checklist' | 'documents'> & Partial<ChecklistInput>,
): Promise<ChecklistAnalysis> {
  const result = await checkChecklist(input);
  const documents = new Map(input.documents.map((one) => [one.id, one.document]));
  for (const item of result.items) {
    verifyEvidence(item.evidence, documents);
    const problem = brokenPromise(item);
    if (problem !== undefined) throw new Error(`${item.itemId}: ${problem}`);
  }
  return result;
}

/** What an answer lacks of what the rules of the four answers ask for (domain F.1). */
export function brokenPromise({
  verdict,
  evidence,
  search,
  confidence,
  ...item
}: ItemResult): string | undefined {
  const has = (role: string) => evidence.some((one) => one.role === role);
  const isDecided = !item.rules.includes('undecided');
  if (verdict === 'pass' && !(isDecided ? has('support') : evidence.length > 0))
    return 'a pass without a quote';
  if (verdict === 'fail' && !has('counter')) return 'a fail without a quote against it';
  if (verdict === 'missing' && search === undefined) return 'a missing without a search';
  const byCondition = item.rules.some((rule) => rule.startsWith('condition-') || rule === 'draft');
  if (verdict === 'NA' && evidence.length === 0 && !byCondition) return 'an NA without a quote';
  if (confidence === 'low' && !item.needsConfirmation) return 'a low confidence that nobody confirms';
  if (item.needsConfirmation && item.question === undefined) return 'a person is asked nothing';
  if ((verdict === 'fail' || verdict === 'missing') !== (item.severity !== undefined))
    return 'a severity out of place';
  return undefined;
}

/** The answer to one check on some documents. */
export async function answer(
  checks: object | readonly object[],
  documents: readonly AnalysedDocument[],
  rest: Partial<ChecklistInput> = {},
): Promise<ItemResult> {
  const list = Array.isArray(checks) ? checks : [checks];
  const result = await analyse({ checklist: checklistOf([{ checks: list }]), documents, ...rest });
  return result.items[0]!;
}
