import {
  type Criterion,
  criterionGroups,
  engineVersion,
  inGroupOrder,
  loadStandard,
  type ReportDocument,
  type ReportEvidence,
  type ReportFinding,
  type ReportLanguage,
  type ReportPart,
  type ReportResult,
  type ReportTrace,
  TRACE_GROUPS,
  traceOf,
} from '@normtrace/engine';
import type { DocumentCompleteness, OpenQuestion } from '../compliance/completeness.schemas.js';
import { examine } from '../engine/examine-trace-task.js';
import { readTrace } from '../engine/read-trace.js';
import type {
  PartRows,
  ReportedEvidence,
  ReportedGap,
  ReportedItem,
  ReportedVerdict,
  StandardRows,
} from './report-rows.js';

// Runs in a thread: stored results as the engine's model of a report.

type Names = ReadonlyMap<string, { readonly name: string }>;
type Group = ReportPart['groups'][number];

/** Parts in the order of the rows. */
export const partsOf = (rows: readonly PartRows[], language: ReportLanguage): Promise<ReportPart[]> =>
  Promise.all(rows.map((one) => partOf(one, language)));

async function partOf(rows: PartRows, language: ReportLanguage): Promise<ReportPart> {
  const { analysis } = rows;
  const names: Names = new Map(analysis.work_products.map((one) => [one.work_product_id, one]));
  const gaps = rows.gaps.flatMap((page) => JSON.parse(page) as ReportedGap[]);
  const own = await OF_TYPE[analysis.type](rows, { names, language });
  const findings = gaps
    .filter((gap) => own.isFound?.(gap) ?? true)
    .map((gap) => ({
      ...findingOf(gap, own.groupOf(gap), names),
      ...(own.isUnconfirmed?.(gap) ? { unconfirmed: true as const } : {}),
    }));
  const used = new Set([...own.results, ...findings].map(({ group }) => group));
  const summary = (analysis.summary ?? {}) as {
    readonly severities?: ReportPart['severities'];
    readonly changes?: ReportPart['changes'];
    readonly score?: { readonly up_to?: number | null };
  };
  return {
    id: analysis.id,
    type: analysis.type,
    subject: own.subject ?? (rows.standard ? rows.standard.name : analysis.standard_name),
    ...(rows.standard ? { standard: await identityOf(rows.standard) } : {}),
    engine: { name: engineVersion().name, version: analysis.engine_version },
    mode: analysis.mode,
    ...(analysis.finished_at === null ? {} : { finishedAt: new Date(analysis.finished_at).toISOString() }),
    method: methodOf(analysis),
    score: {
      value: analysis.score === null ? null : Number(analysis.score),
      upTo: summary.score?.up_to ?? null,
    },
    severities: severitiesOf(findings, gaps, summary.severities),
    ...(summary.changes ? { changes: summary.changes } : {}),
    groups: own.groups.filter(({ key }) => used.has(key)),
    results: own.results,
    findings: inGroupOrder(findings, own.groups),
    questions: own.questions ?? [],
    notAssessed: own.notAssessed ?? [],
    ...(own.trace ? { trace: own.trace } : {}),
  };
}

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

const OF_TYPE: Readonly<Record<ReportPart['type'], OfType>> = {
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

const NO_GROUP: Group = { key: '', title: '' };

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

function findingOf(gap: ReportedGap, group: string, names: Names): ReportFinding {
  const { search, ...finding } = gap.finding;
  const {
    severity_override: severity,
    severity_reason,
    resolution,
    assignee,
    due_date,
    accepted_until,
  } = gap;
  const owner = gap.waiver_owner ?? assignee;
  const note = [gap.note, resolution === 'false_positive' ? `False positive: ${gap.reason ?? ''}` : null]
    .filter((one) => one !== null)
    .join(' ');
  return {
    ...finding,
    ...(severity === null
      ? {}
      : {
          severity,
          originalSeverity: finding.severity,
          severityReasons: [
            ...finding.severityReasons,
            ...(severity_reason === null ? [] : [severity_reason]),
          ],
        }),
    group,
    clause: gap.clause,
    evidence: gap.evidence.map((one) => evidenceOf(one, names)),
    ...(search ? { search: search.statement } : {}),
    status: gap.status,
    change: gap.change,
    ...(assignee === null ? {} : { assignee }),
    ...(due_date === null ? {} : { dueDate: due_date }),
    ...(note === '' ? {} : { note }),
    ...(gap.status === 'accepted'
      ? {
          waiver: {
            ...(owner === null ? {} : { owner }),
            reason: gap.reason ?? '',
            ...(accepted_until === null ? {} : { until: accepted_until }),
          },
        }
      : {}),
  };
}

const evidenceOf = (one: ReportedEvidence, names: Names): ReportEvidence => ({
  documentId: one.work_product_id,
  document: names.get(one.work_product_id)?.name ?? one.work_product_id,
  version: String(one.version),
  location: one.location,
  quote: one.quote,
  role: one.role,
  ...(one.note === null ? {} : { note: one.note }),
});

async function criteriaOf({ catalogId, criteria }: StandardRows): Promise<readonly Criterion[]> {
  if (catalogId !== null) return (await loadStandard(catalogId)).criteria;
  return criteria === undefined ? [] : (JSON.parse(criteria) as Criterion[]);
}

async function identityOf({
  id,
  catalogId,
  name,
  version,
}: StandardRows): Promise<NonNullable<ReportPart['standard']>> {
  if (catalogId === null) return { id, designation: name, title: name, edition: version, source: 'uploaded' };
  const { designation, title, edition } = await loadStandard(catalogId);
  return { id, designation, title, edition, source: 'catalog' };
}

const labelOf = (criterionId: string): string => criterionId.slice(criterionId.indexOf(':') + 1);

/** As they are now; where a run counted more than it lists (very large traces), as it counted. */
function severitiesOf(
  findings: readonly ReportFinding[],
  gaps: readonly ReportedGap[],
  counted: ReportPart['severities'] | undefined,
): ReportPart['severities'] {
  const all = Object.values(counted ?? {}).reduce((sum, count) => sum + count, 0);
  return counted && all > gaps.length ? counted : countSeverities(findings);
}

function countSeverities(findings: readonly ReportFinding[]): ReportPart['severities'] {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

interface StoredMethod {
  readonly passages?: number;
  readonly embedding?: { readonly model: string } | { readonly lexicalOnly: string };
  readonly conditions?: Readonly<Record<string, boolean>>;
  readonly documents?: readonly ReportDocument[];
  readonly checklist?: { readonly id: string; readonly title: { readonly en: string; readonly de?: string } };
}

function methodOf({ summary, options }: PartRows['analysis']): ReportPart['method'] {
  const method = (summary?.method ?? {}) as StoredMethod;
  const asked = options as { readonly conditions?: Readonly<Record<string, boolean>> };
  return {
    ...(method.passages === undefined ? {} : { passages: method.passages }),
    ...(method.embedding === undefined ? {} : { embedding: method.embedding }),
    conditions: method.conditions ?? asked.conditions ?? {},
  };
}

/** The document versions of all analyses, each once, with what the analyses say about them. */
export function documentsOf(rows: readonly PartRows[]): ReportDocument[] {
  const documents = new Map<string, ReportDocument>();
  for (const { analysis, documents: checked } of rows) {
    const told = new Map<string, Partial<ReportDocument>>();
    for (const one of ((analysis.summary?.method ?? {}) as StoredMethod).documents ?? []) {
      const types = one.types as unknown as readonly { readonly type: string }[];
      told.set(one.id, { ...one, types: [...new Set(types.map(({ type }) => type))] });
    }
    for (const one of checked === undefined ? [] : (JSON.parse(checked) as DocumentCompleteness[])) {
      told.set(one.work_product_id, {
        types: [...new Set(one.templates.map(({ type }) => type))],
        status: one.status,
        notes: one.notes,
        ...(one.set_aside === null ? {} : { setAside: one.set_aside }),
      });
    }
    for (const { work_product_id: id, name, version, sha256 } of analysis.work_products) {
      const key = `${id} ${version}`;
      const known = documents.get(key);
      const { types = [], status, setAside, notes = [] } = told.get(id) ?? {};
      documents.set(key, {
        id,
        name,
        version: String(version),
        sha256,
        types: types.length > 0 ? types : (known?.types ?? []),
        ...((status ?? known?.status) === undefined ? {} : { status: (status ?? known?.status)! }),
        ...((setAside ?? known?.setAside) === undefined ? {} : { setAside: (setAside ?? known?.setAside)! }),
        notes: notes.length > 0 ? notes : (known?.notes ?? []),
      });
    }
  }
  return [...documents.values()];
}
