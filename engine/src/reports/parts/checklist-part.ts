import type { Checklist, ChecklistItem } from '../../engines/checklist/checklist.js';
import {
  type ChecklistAnalysis,
  type ItemResult,
  shownVerdict,
} from '../../engines/checklist/checklist-analysis.js';
import { findingOfItem } from '../../engines/checklist/finding-of-item.js';
import type { LocalText } from '../../engines/checklist/question.js';
import type { Sentence } from '../../sentences/sentence.js';
import { inLanguage } from '../../sentences/worded.js';
import type { ReportLanguage, ReportPart, ReportResult } from '../report.js';
import { assemblePart, reportEvidence } from './assemble-part.js';
import { modelFacts } from './gap-analysis-part.js';
import {
  type EvidenceValues,
  type OpinionValues,
  opinionsById,
  type RunValues,
  valuesOf,
} from './part-values.js';

export interface ItemValues {
  readonly item: Pick<ChecklistItem, 'id' | 'text'>;
  readonly result: Omit<ItemResult, 'evidence'>;
  readonly evidence: readonly EvidenceValues[];
  /** What a person said otherwise. */
  readonly override?: NonNullable<ReportResult['override']>;
}

export interface ItemQuestionValues {
  readonly question: string;
  readonly reason: string;
  readonly said?: { readonly reason: Sentence };
  /** Ids of the items that wait for the answer. */
  readonly items: readonly string[];
}

/** A checklist with its answers as a part of a report; what fails or is missing is a finding too. */
export function itemsPart(
  run: Omit<RunValues, 'score'>,
  about: {
    readonly checklist: Pick<Checklist, 'id' | 'title'>;
    readonly items: readonly ItemValues[];
    readonly questions: readonly ItemQuestionValues[];
    /** Where a language model was asked. */
    readonly opinions?: readonly OpinionValues[];
  },
): ReportPart {
  const { language } = run;
  const { id, title } = about.checklist;
  const group = { key: id, title: textIn(title, language) };
  const byId = new Map(about.items.map((one) => [one.item.id, one]));
  const score = scoreOf(about.items);
  const opinions = opinionsById(about.opinions);
  return assemblePart(
    'checklist',
    // A finding is about its item: that is its clause.
    { ...run, score, findings: run.findings.map((one) => ({ ...one, clause: one.finding.criterionId })) },
    {
      subject: `${id} ${group.title}`.trim(),
      groups: [group],
      groupOf: () => group.key,
      results: about.items.map((one) => ({
        ...resultOf(one, group.key, run),
        ...opinions.get(one.item.id),
      })),
      // What a person answered otherwise is no finding any more; the result shows who said so, and what the tool said.
      isFound: ({ finding }) =>
        !['pass', 'NA'].includes(byId.get(finding.criterionId)?.override?.state ?? ''),
      isUnconfirmed: ({ finding }) => {
        const one = byId.get(finding.criterionId);
        return one?.result.needsConfirmation === true && one.override === undefined;
      },
      // Of what fails or is missing the rules name the conditions that are open.
      isWaiting: ({ finding }) => {
        const one = byId.get(finding.criterionId);
        return (
          one?.override === undefined &&
          one?.result.rules.some((rule) => rule.startsWith('condition-')) === true
        );
      },
      questions: inLanguage(about.questions, language).map(({ question, reason, items }) => ({
        subject: question,
        text: `${reason} ${items.join(', ')}`,
      })),
    },
  );
}

function resultOf(
  { item, result, evidence, override }: ItemValues,
  group: string,
  run: Pick<RunValues, 'documents' | 'language'>,
): ReportResult {
  const { confidence, reason, question, instances, needsConfirmation } = inLanguage(result, run.language);
  return {
    id: item.id,
    group,
    label: item.id,
    title: textIn(item.text, run.language),
    state: shownVerdict(result),
    confidence,
    reason: question ? `${reason} ${textIn(question, run.language)}` : reason,
    evidence: evidence.map((one) => reportEvidence(one, run)),
    needsPerson: needsConfirmation,
    ...(instances ? { instances: { met: instances.met, of: instances.total } } : {}),
    ...(override ? { override } : {}),
  };
}

/** The answers of a run as a part of a report. */
export function checklistPart(
  { method, items, opinions, counts, questions, notDue }: ChecklistAnalysis,
  options: {
    readonly id: string;
    readonly checklist: Checklist;
    /** Of the texts of the items, where they are kept in it. */
    readonly language: ReportLanguage;
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const { checklist, language, notAssessed } = options;
  const byId = new Map(checklist.items.map((item) => [item.id, item]));
  const answered = items.flatMap((result) => {
    const item = byId.get(result.itemId);
    return item ? [{ item, result, evidence: result.evidence }] : [];
  });
  const run = {
    id: options.id,
    engine: method.engine,
    mode: method.mode,
    method: { conditions: method.conditions, ...modelFacts(method.model) },
    severities: counts.severities,
    documents: new Map(method.documents.map((one) => [one.id, one])),
    findings: answered.flatMap(({ item, result }) => {
      const finding = findingOfItem(item, result);
      return finding ? [valuesOf(finding)] : [];
    }),
    ...(notAssessed ? { notAssessed } : {}),
    notDue,
    language,
  };
  return itemsPart(run, {
    ...{ checklist, items: answered, questions },
    ...(opinions
      ? {
          opinions: opinions.map(({ itemId, byRules, byModel, outcome, because }) => ({
            id: itemId,
            byRules: shownVerdict(byRules),
            ...(byModel ? { byModel: BY_MODEL[byModel.state] } : {}),
            outcome,
            // What it would raise waits for a person.
            ...(outcome === 'raised' ? { confirm: true as const } : {}),
            ...(because === undefined ? {} : { because }),
          })),
        }
      : {}),
  });
}

const BY_MODEL = {
  pass: 'pass',
  fail: 'fail',
  missing: 'missing',
  not_applicable: 'NA',
  cannot_tell: 'none',
} as const;

const textIn = (text: LocalText, language: ReportLanguage): string => text[language] ?? text.en;

/** Items that surely pass of those that apply, 0 to 100; `upTo`: if all that a person has to confirm passed. */
function scoreOf(items: readonly ItemValues[]): ReportPart['score'] {
  const answers = items.map(({ result, override }) => ({
    verdict: override?.state ?? result.verdict,
    isOpen: result.needsConfirmation && override === undefined,
  }));
  const applying = answers.filter(({ verdict, isOpen }) => verdict !== 'NA' || isOpen);
  if (applying.length === 0) return { value: null };
  const open = applying.filter(({ isOpen }) => isOpen).length;
  const sure = applying.filter(({ verdict, isOpen }) => verdict === 'pass' && !isOpen).length;
  const share = (count: number): number => Math.round((1000 * count) / applying.length) / 10;
  return { value: share(sure), upTo: share(sure + open) };
}
