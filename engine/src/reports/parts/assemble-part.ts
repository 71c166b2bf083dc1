import type { AffectedItem } from '../../findings/finding.js';
import { countSeverities } from '../../findings/severities.js';
import { inLanguage } from '../../sentences/worded.js';
import type {
  ReportAffected,
  ReportEvidence,
  ReportFinding,
  ReportGroup,
  ReportPart,
  ReportResult,
  ReportTrace,
} from '../report.js';
import type { EvidenceValues, FindingValues, RunValues } from './part-values.js';

/** What differs from type to type. */
export interface OwnValues {
  readonly subject: string;
  readonly standard?: NonNullable<ReportPart['standard']>;
  readonly groups: readonly ReportGroup[];
  groupOf(found: FindingValues): string;
  /** Absent: every finding is one. */
  readonly isFound?: (found: FindingValues) => boolean;
  readonly isUnconfirmed?: (found: FindingValues) => boolean;
  readonly isWaiting?: (found: FindingValues) => boolean;
  readonly results: readonly ReportResult[];
  readonly score?: ReportPart['score'];
  readonly questions?: ReportPart['questions'];
  readonly notAssessed?: ReportPart['notAssessed'];
  readonly trace?: ReportTrace;
}

const linesOf = (notDue: NonNullable<RunValues['notDue']>, language: RunValues['language']) =>
  inLanguage(notDue, language).map(({ because, reason, items }) => ({ because, reason, items }));

/** A part of a report; the same values always give the same part. */
export function assemblePart(type: ReportPart['type'], run: RunValues, own: OwnValues): ReportPart {
  const findings = run.findings
    .filter((one) => own.isFound?.(one) ?? true)
    .map((one) => ({
      ...reportFinding(one, own.groupOf(one), run),
      ...(own.isUnconfirmed?.(one) ? { unconfirmed: true as const } : {}),
      ...(own.isWaiting?.(one) ? { waits: true as const } : {}),
    }));
  const used = new Set([...own.results, ...findings].map(({ group }) => group));
  return {
    id: run.id,
    type,
    subject: own.subject,
    ...(own.standard ? { standard: own.standard } : {}),
    engine: run.engine,
    mode: run.mode,
    ...(run.finishedAt === undefined ? {} : { finishedAt: run.finishedAt }),
    method: run.method,
    score: own.score ?? run.score,
    severities: severitiesOf(findings, run),
    ...(run.changes ? { changes: run.changes } : {}),
    groups: own.groups.filter(({ key }) => used.has(key)),
    results: inGroupOrder(own.results, own.groups),
    findings: inGroupOrder(findings, own.groups),
    questions: own.questions ?? [],
    notAssessed: [...(own.notAssessed ?? []), ...(run.notAssessed ?? [])],
    ...(run.notDue && run.notDue.length > 0 ? { notDue: linesOf(run.notDue, run.language) } : {}),
    ...(own.trace ? { trace: own.trace } : {}),
    ...(run.advice && run.advice.length > 0 ? { advice: run.advice } : {}),
    ...(run.written ? { written: run.written } : {}),
  };
}

/** Evidence with the name of its document, in the language of the report. */
export function reportEvidence(
  values: EvidenceValues,
  { documents, language }: Pick<RunValues, 'documents' | 'language'>,
): ReportEvidence {
  const { documentId, location, quote, role, note, version: own } = inLanguage(values, language);
  const document = documents.get(documentId);
  const version = own ?? document?.version;
  return {
    documentId,
    document: document?.name ?? documentId,
    ...(version === undefined ? {} : { version }),
    location,
    quote,
    role,
    ...(note === undefined ? {} : { note }),
  };
}

function reportFinding(found: FindingValues, group: string, run: RunValues): ReportFinding {
  const { search, affected, defects: _, said: _words, ...rest } = inLanguage(found.finding, run.language);
  const finding = {
    ...rest,
    ...(affected ? { affected: affected.map(reportAffected) } : {}),
    group,
    clause: found.clause,
    evidence: found.evidence.map((one) => reportEvidence(one, run)),
    ...(search === undefined ? {} : { search: search.statement }),
  };
  return found.handled?.(finding) ?? finding;
}

function reportAffected({ search, said: _, ...item }: AffectedItem): ReportAffected {
  return { ...item, ...(search ? { searched: search.statement } : {}) };
}

/** As they are now; where a run counted more than it lists, as it counted. */
function severitiesOf(
  findings: readonly ReportFinding[],
  { findings: listed, severities: counted }: RunValues,
): ReportPart['severities'] {
  const all = Object.values(counted ?? {}).reduce((sum, count) => sum + count, 0);
  return counted && all > listed.length ? counted : countSeverities(findings);
}

/** In the order of the groups; within one as they come. */
function inGroupOrder<Grouped extends { readonly group: string }>(
  items: readonly Grouped[],
  groups: readonly { readonly key: string }[],
): Grouped[] {
  const place = new Map(groups.map(({ key }, index) => [key, index]));
  return [...items].sort((a, b) => (place.get(a.group) ?? 0) - (place.get(b.group) ?? 0));
}
