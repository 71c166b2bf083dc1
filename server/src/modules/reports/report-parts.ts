import {
  countSeverities,
  engineVersion,
  inGroupOrder,
  inLanguage,
  loadStandard,
  type ReportDocument,
  type ReportFinding,
  type ReportLanguage,
  type ReportPart,
} from '@normtrace/engine';
import type { DocumentCompleteness } from '../completeness/completeness.schemas.js';
import { OF_TYPE } from './parts-by-type.js';
import type { PartRows, ReportedGap, StandardRows } from './report-rows.js';
import { evidenceOf, type Names, type StoredMethod } from './reported-evidence.js';

// Runs in a process of the engine: stored results as the engine's model of a report.

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
      ...findingOf(gap, own.groupOf(gap), { names, language }),
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

function findingOf(
  gap: ReportedGap,
  group: string,
  { names, language }: { readonly names: Names; readonly language: ReportLanguage },
): ReportFinding {
  const { search, said: _, ...finding } = inLanguage(gap.finding, language);
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

/** As they are now; where a run counted more than it lists (very large traces), as it counted. */
function severitiesOf(
  findings: readonly ReportFinding[],
  gaps: readonly ReportedGap[],
  counted: ReportPart['severities'] | undefined,
): ReportPart['severities'] {
  const all = Object.values(counted ?? {}).reduce((sum, count) => sum + count, 0);
  return counted && all > gaps.length ? counted : countSeverities(findings);
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

/** The document versions of all analyses, each once, with what the analyses say about them in a language. */
export function documentsOf(rows: readonly PartRows[], language: ReportLanguage): ReportDocument[] {
  const documents = new Map<string, ReportDocument>();
  for (const { analysis, documents: checked } of rows) {
    const told = new Map<string, Partial<ReportDocument>>();
    const stated = ((analysis.summary?.method ?? {}) as StoredMethod).documents ?? [];
    for (const one of inLanguage(stated, language)) {
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
