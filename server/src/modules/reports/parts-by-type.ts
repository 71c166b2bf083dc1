import {
  type Criterion,
  criterionGroups,
  inGroupOrder,
  loadStandard,
  type ReportLanguage,
  type ReportPart,
  type ReportResult,
  type ReportTrace,
  TRACE_GROUPS,
  traceOf,
} from '@normtrace/engine';
import type { DocumentCompleteness, OpenQuestion } from '../completeness/completeness.schemas.js';
import { examine } from '../traceability/examine-trace-task.js';
import { readTrace } from '../traceability/read-trace.js';
import type {
  PartRows,
  ReportedEvidence,
  ReportedGap,
  ReportedItem,
  ReportedVerdict,
  StandardRows,
} from './report-rows.js';
import { evidenceOf, type Names, type StoredMethod } from './reported-evidence.js';

// Runs in a process of the engine: stored results as the engine's model of a report.

type Group = ReportPart['groups'][number];

/** What differs from type to type. */
interface OwnParts {
  /** What the documents were compared with, where it is no standard. */
  readonly subject?: string;
  readonly groups: readonly Group[];
  groupOf(gap: ReportedGap): string;
  /** Absent: every gap is a finding. */
  readonly isFound?: (gap: ReportedGap) => boolean;
  readonly isUnconfirmed?: (gap: ReportedGap) => boolean;
  readonly results: readonly ReportResult[];
  readonly questions?: ReportPart['questions'];
  readonly notAssessed?: ReportPart['notAssessed'];
  readonly trace?: ReportTrace;
}

type OfType = (
  rows: PartRows,
  context: { readonly names: Names; readonly language: ReportLanguage },
) => Promise<OwnParts>;

export const OF_TYPE: Readonly<Record<ReportPart['type'], OfType>> = {
  gap_analysis: async ({ standard, verdicts = '[]' }, { names }) => {
    const criteria = standard ? await criteriaOf(standard) : [];
    const { groups, groupOf } = criterionGroups(criteria);
    const byId = new Map(criteria.map((one) => [one.id, one]));
    const results = (JSON.parse(verdicts) as ReportedVerdict[]).map(
      (one): ReportResult => ({
        id: one.criterion_id,
        group: groupOf(one.criterion_id),
        label: labelOf(one.criterion_id),
        title: byId.get(one.criterion_id)?.title ?? '',
        state: one.verdict,
        confidence: one.confidence,
        reason: one.reason,
        evidence: one.evidence.map((each) => evidenceOf(each, names)),
        needsPerson: one.verdict === 'needs_review',
      }),
    );
    return {
      groups,
      groupOf: ({ finding }) => groupOf(finding.criterionId),
      results: inGroupOrder(results, groups),
    };
  },

  completeness: async ({ analysis, documents = '[]' }, { names }) => {
    const checked = JSON.parse(documents) as DocumentCompleteness[];
    const groups = [...checked.map((one) => ({ key: one.work_product_id, title: one.name })), NO_GROUP];
    const byFingerprint = new Map(
      checked.flatMap((one) => one.gap_fingerprints.map((print) => [print, one.work_product_id] as const)),
    );
    const questions = (analysis.summary?.questions ?? []) as readonly OpenQuestion[];
    return {
      groups,
      groupOf: ({ finding, work_product_id }) =>
        byFingerprint.get(finding.fingerprint) ?? work_product_id ?? NO_GROUP.key,
      results: checked.flatMap((document) => sectionsOf(document, names)),
      questions: questions.map(({ question, reason, sections }) => ({
        subject: question,
        text: [
          reason,
          sections.map((one) => `${names.get(one.work_product_id)?.name ?? ''}: ${one.section}`).join('; '),
        ].join(' '),
      })),
      notAssessed: checked
        .filter(({ templates }) => templates.length === 0)
        .map(({ name, set_aside }) => ({
          subject: name,
          reason: set_aside ?? 'No template fits this document.',
        })),
    };
  },

  traceability: async ({ analysis, trace }) => ({
    groups: TRACE_GROUPS,
    groupOf: ({ finding }) => finding.criterionId,
    results: [],
    ...(await traceParts(analysis, trace)),
  }),

  checklist: async ({ analysis, items = '[]' }, { names, language }) => {
    const reported = JSON.parse(items) as ReportedItem[];
    const { id, title } = ((analysis.summary?.method ?? {}) as StoredMethod).checklist ?? {
      id: '',
      title: { en: '' },
    };
    const group = { key: id, title: textIn(title, language) };
    const byId = new Map(reported.map((one) => [one.item.id, one]));
    return {
      subject: `${id} ${group.title}`.trim(),
      groups: [group],
      groupOf: () => group.key,
      results: reported.map((one) => itemOf(one, group.key, { names, language })),
      // What a person answered otherwise is no finding any more; the result shows who said so, and what the tool said.
      isFound: ({ finding }) =>
        !['pass', 'NA'].includes(byId.get(finding.criterionId)?.answer?.verdict ?? ''),
      isUnconfirmed: ({ finding }) => {
        const one = byId.get(finding.criterionId);
        return one?.result.needsConfirmation === true && one.answer === null;
      },
      questions: ((analysis.summary?.questions ?? []) as readonly ChecklistQuestion[]).map((one) => ({
        subject: one.question,
        text: `${one.reason} ${one.items.join(', ')}`,
      })),
    };
  },
};

const NO_GROUP: Group = { key: '', title: '' };

interface ChecklistQuestion {
  readonly question: string;
  readonly reason: string;
  readonly items: readonly string[];
}

function itemOf(
  { item, result, evidence, answer }: ReportedItem,
  group: string,
  { names, language }: { readonly names: Names; readonly language: ReportLanguage },
): ReportResult {
  const { verdict, confidence, reason, question, instances, needsConfirmation } = result;
  return {
    id: item.id,
    group,
    label: item.id,
    title: textIn(item.text, language),
    state: verdict,
    confidence,
    reason: question ? `${reason} ${textIn(question, language)}` : reason,
    evidence: evidence.map((one) => evidenceOf(one, names)),
    needsPerson: needsConfirmation,
    ...(instances ? { instances: { met: instances.met, of: instances.total } } : {}),
    ...(answer?.verdict
      ? { override: { state: answer.verdict, by: answer.by, at: answer.at, reason: answer.reason } }
      : {}),
  };
}

const textIn = (text: { readonly en: string; readonly de?: string }, language: ReportLanguage): string =>
  text[language] ?? text.en;

/** The stored trace as the analysis saw it; when it changed since, the matrix is left out and the report says so. */
async function traceParts(
  { summary }: PartRows['analysis'],
  stored: PartRows['trace'],
): Promise<Pick<OwnParts, 'trace' | 'notAssessed'>> {
  const seen = summary?.trace as
    | { readonly total_artifacts: number; readonly total_links: number; readonly total_gaps: number }
    | undefined;
  const examination = stored && (await examine(readTrace(stored.columns), stored.options));
  const same =
    examination &&
    seen?.total_artifacts === examination.analysis.totalArtifacts &&
    seen.total_links === examination.analysis.totalLinks &&
    seen.total_gaps === examination.analysis.totalGaps;
  if (same) {
    return { trace: traceOf(examination.analysis, examination.matrixRows(), examination.matrixLength) };
  }
  const reason =
    'The trace of the workspace has changed since this analysis, so its matrix and coverage cannot be shown any more. Start a new analysis.';
  return { notAssessed: [{ subject: 'Trace matrix', reason }] };
}

function sectionsOf(document: DocumentCompleteness, names: Names): ReportResult[] {
  return document.templates.flatMap(({ type, name, sections }) =>
    sections
      .filter(({ applies }) => applies !== 'no')
      .map((section): ReportResult => {
        const isOpen = section.applies === 'unknown';
        return {
          id: `${document.work_product_id}/${type}.${section.key}`,
          group: document.work_product_id,
          label: name,
          title: section.title,
          state: isOpen ? 'needs_review' : section.state,
          reason: section.reason,
          evidence: section.evidence.map(({ location: { requirement_id, ...location }, ...one }) =>
            evidenceOf(
              {
                ...one,
                location: {
                  ...(location as ReportedEvidence['location']),
                  ...(requirement_id === undefined ? {} : { requirementId: requirement_id }),
                },
              },
              names,
            ),
          ),
          needsPerson: section.needs_person || isOpen,
        };
      }),
  );
}

async function criteriaOf({ catalogId, criteria }: StandardRows): Promise<readonly Criterion[]> {
  if (catalogId !== null) return (await loadStandard(catalogId)).criteria;
  return criteria === undefined ? [] : (JSON.parse(criteria) as Criterion[]);
}

const labelOf = (criterionId: string): string => criterionId.slice(criterionId.indexOf(':') + 1);
