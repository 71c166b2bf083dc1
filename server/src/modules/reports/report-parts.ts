import {
  engineVersion,
  type FindingValues,
  inLanguage,
  modelFacts,
  type ReportDocument,
  type ReportFinding,
  type ReportLanguage,
  type ReportPart,
  type RunValues,
  statedBy,
} from '@normtrace/engine';
import type { DocumentCompleteness } from '../completeness/completeness.schemas.js';
import { OF_TYPE } from './parts-by-type.js';
import type { PartRows, ReportedGap } from './report-rows.js';
import { evidenceOf, type StoredMethod } from './reported-evidence.js';

// Runs in a process of the engine: rows as the values that the engine makes parts of a report from.

/** Parts in the order of the rows. */
export const partsOf = (rows: readonly PartRows[], language: ReportLanguage): Promise<ReportPart[]> =>
  Promise.all(rows.map((one) => OF_TYPE[one.analysis.type](one, runOf(one, language))));

function runOf({ analysis, gaps }: PartRows, language: ReportLanguage): RunValues {
  const summary = (analysis.summary ?? {}) as {
    readonly severities?: ReportPart['severities'];
    readonly changes?: NonNullable<ReportPart['changes']>;
    readonly not_due?: NonNullable<RunValues['notDue']>;
    readonly written?: NonNullable<RunValues['written']> & { readonly language: ReportLanguage };
    readonly score?: {
      readonly up_to?: number | null;
      readonly agreement?: NonNullable<ReportPart['score']['agreement']>;
    };
  };
  return {
    id: analysis.id,
    engine: { name: engineVersion().name, version: analysis.engine_version },
    mode: analysis.mode,
    ...(analysis.finished_at === null ? {} : { finishedAt: new Date(analysis.finished_at).toISOString() }),
    method: methodOf(analysis, language),
    score: {
      value: analysis.score === null ? null : Number(analysis.score),
      upTo: summary.score?.up_to ?? null,
      ...(summary.score?.agreement ? { agreement: summary.score.agreement } : {}),
    },
    ...(summary.changes ? { changes: summary.changes } : {}),
    ...(summary.severities ? { severities: summary.severities } : {}),
    documents: new Map(analysis.work_products.map((one) => [one.work_product_id, { name: one.name }])),
    findings: gaps.flatMap((page) => (JSON.parse(page) as ReportedGap[]).map(findingOf)),
    ...(summary.not_due ? { notDue: summary.not_due } : {}),
    ...(summary.written?.language === language
      ? { written: { model: summary.written.model, sentences: summary.written.sentences } }
      : {}),
    language,
  };
}

const findingOf = (gap: ReportedGap): FindingValues => ({
  finding: gap.finding,
  evidence: gap.evidence.map(evidenceOf),
  clause: gap.clause,
  ...(gap.work_product_id === null ? {} : { documentId: gap.work_product_id }),
  handled: (finding) => ({ ...finding, ...handlingOf(gap, finding) }),
});

/** What people made of a gap. */
function handlingOf(gap: ReportedGap, found: ReportFinding): Partial<ReportFinding> {
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
    ...(severity === null
      ? {}
      : {
          severity,
          originalSeverity: found.severity,
          severityReasons: [...found.severityReasons, ...(severity_reason === null ? [] : [severity_reason])],
        }),
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

/** The model as the run used it; where none could be asked, why rules judged alone. */
function modelOf({ mode, summary }: PartRows['analysis']): Pick<ReportPart['method'], 'model'> {
  if (mode !== 'ai') return {};
  const { model } = (summary?.method ?? {}) as StoredMethod;
  if (model) return modelFacts(model);
  const { by_rules_because: because = {} } = (summary?.model ?? {}) as {
    readonly by_rules_because?: Readonly<Record<string, number>>;
  };
  return {
    model: { id: '–', asked: 0, answered: 0, inputTokens: 0, outputTokens: 0, byRulesBecause: because },
  };
}

function methodOf(analysis: PartRows['analysis'], language: ReportLanguage): ReportPart['method'] {
  const { summary, options } = analysis;
  const method = (summary?.method ?? {}) as StoredMethod;
  const asked = options as { readonly conditions?: Readonly<Record<string, boolean>> };
  return {
    ...(method.passages === undefined ? {} : { passages: method.passages }),
    ...(method.embedding === undefined ? {} : { embedding: embeddingIn(method.embedding, language) }),
    conditions: method.conditions ?? asked.conditions ?? {},
    ...modelOf(analysis),
  };
}

function embeddingIn(
  embedding: NonNullable<StoredMethod['embedding']>,
  language: ReportLanguage,
): NonNullable<ReportPart['method']['embedding']> {
  const said = inLanguage(embedding, language);
  return 'model' in said ? { model: said.model } : { lexicalOnly: said.lexicalOnly };
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
        ...statedBy(one.metadata),
        notes: one.notes,
        ...(one.set_aside === null ? {} : { setAside: one.set_aside }),
      });
    }
    for (const { work_product_id: id, name, version, sha256 } of analysis.work_products) {
      const key = `${id} ${version}`;
      const known = documents.get(key);
      const { types = [], status, stated = known?.stated, setAside, notes = [] } = told.get(id) ?? {};
      documents.set(key, {
        id,
        name,
        version: String(version),
        sha256,
        types: types.length > 0 ? types : (known?.types ?? []),
        ...((status ?? known?.status) === undefined ? {} : { status: (status ?? known?.status)! }),
        ...(stated === undefined ? {} : { stated }),
        ...((setAside ?? known?.setAside) === undefined ? {} : { setAside: (setAside ?? known?.setAside)! }),
        notes: notes.length > 0 ? notes : (known?.notes ?? []),
      });
    }
  }
  return [...documents.values()];
}
