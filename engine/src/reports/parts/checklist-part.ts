import type { Checklist, ChecklistItem } from '../../engines/checklist/checklist.js';
import type { ChecklistAnalysis, ItemResult } from '../../engines/checklist/checklist-analysis.js';
import { findingOfItem } from '../../engines/checklist/finding-of-item.js';
import type { LocalText } from '../../engines/checklist/question.js';
import { inLanguage } from '../../sentences/worded.js';
import type { ReportFinding, ReportLanguage, ReportPart, ReportResult } from '../report.js';
import { type DocumentNames, reportEvidence } from './report-evidence.js';

/** A checklist with its answers as a part of a report; what fails or is missing is a finding too. */
export function checklistPart(
  analysis: ChecklistAnalysis,
  options: {
    readonly id: string;
    readonly checklist: Checklist;
    /** Of the texts of the items, where they are kept in it. */
    readonly language: ReportLanguage;
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const { method, items, counts, questions } = analysis;
  const { checklist, language } = options;
  const documents: DocumentNames = new Map(method.documents.map((one) => [one.id, one]));
  const byId = new Map(checklist.items.map((item) => [item.id, item]));
  const group = { key: checklist.id, title: textIn(checklist.title, language) };
  return {
    id: options.id,
    type: 'checklist',
    subject: `${checklist.id} ${group.title}`,
    engine: method.engine,
    mode: method.mode,
    method: { conditions: method.conditions },
    score: scoreOf(items),
    severities: counts.severities,
    groups: [group],
    results: items.map((one) => resultOf(one, byId.get(one.itemId))),
    findings: items.flatMap((one) => {
      const item = byId.get(one.itemId);
      return item ? findingOf(one, item) : [];
    }),
    questions: questions.map(({ question, reason, items: waiting }) => ({
      subject: question,
      text: `${reason} ${waiting.join(', ')}`,
    })),
    notAssessed: options.notAssessed ?? [],
  };

  function resultOf(result: ItemResult, item: ChecklistItem | undefined): ReportResult {
    const { itemId, verdict, confidence, reason, needsConfirmation, question, instances, evidence } = result;
    return {
      id: itemId,
      group: group.key,
      label: itemId,
      title: item ? textIn(item.text, language) : '',
      state: verdict,
      confidence,
      reason: question ? `${reason} ${textIn(question, language)}` : reason,
      evidence: evidence.map((one) => reportEvidence(one, documents)),
      needsPerson: needsConfirmation,
      ...(instances ? { instances: { met: instances.met, of: instances.total } } : {}),
    };
  }

  function findingOf(result: ItemResult, item: ChecklistItem): ReportFinding[] {
    const finding = inLanguage(findingOfItem(item, result), language);
    if (!finding) return [];
    const { evidence, search, defects: _, said: _words, ...rest } = finding;
    return [
      {
        ...rest,
        group: group.key,
        clause: result.itemId,
        ...(result.needsConfirmation ? { unconfirmed: true } : {}),
        evidence: evidence.map((one) => reportEvidence(one, documents)),
        ...(search ? { search: search.statement } : {}),
      },
    ];
  }
}

const textIn = (text: LocalText, language: ReportLanguage): string => text[language] ?? text.en;

/** Items that surely pass of those that apply, 0 to 100; `upTo`: if all that a person has to confirm passed. */
function scoreOf(items: readonly ItemResult[]): ReportPart['score'] {
  const applying = items.filter(({ verdict, needsConfirmation }) => verdict !== 'NA' || needsConfirmation);
  if (applying.length === 0) return { value: null };
  const open = applying.filter(({ needsConfirmation }) => needsConfirmation).length;
  const sure = applying.filter((one) => one.verdict === 'pass' && !one.needsConfirmation).length;
  const share = (count: number): number => Math.round((1000 * count) / applying.length) / 10;
  return { value: share(sure), upTo: share(sure + open) };
}
