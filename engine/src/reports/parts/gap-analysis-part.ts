import type { GapAnalysis } from '../../engines/gap-analysis/gap-analysis.js';
import type { DocumentStatement } from '../../engines/run-method.js';
import type { Standard } from '../../standards/criterion.js';
import type { ReportDocument, ReportPart, ReportResult } from '../report.js';
import { criterionGroups } from './criterion-groups.js';
import { inGroupOrder, reportEvidence, reportFinding } from './report-evidence.js';

/** A gap analysis as a part of a report. `notAssessed`: files that could not be read. */
export function gapAnalysisPart(
  analysis: GapAnalysis,
  options: {
    readonly id: string;
    readonly standard: Standard;
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const { method, verdicts, findings, score, counts } = analysis;
  const { id, designation, title, edition, source, criteria } = options.standard;
  const documents = new Map(method.documents.map((one) => [one.id, one]));
  const byId = new Map(criteria.map((one) => [one.id, one]));
  const { groups, groupOf } = criterionGroups(criteria);
  const results = verdicts.map(
    (one): ReportResult => ({
      id: one.criterionId,
      group: groupOf(one.criterionId),
      label: labelOf(one.criterionId),
      title: byId.get(one.criterionId)?.title ?? one.criterionId,
      state: one.verdict,
      confidence: one.confidence,
      reason: one.reason,
      evidence: one.evidence.map((each) => reportEvidence(each, documents)),
      needsPerson: one.verdict === 'needs_review',
    }),
  );
  const reported = findings.map((one) =>
    reportFinding(
      one,
      { group: groupOf(one.criterionId), clause: byId.get(one.criterionId)?.clause ?? '' },
      documents,
    ),
  );
  return {
    id: options.id,
    type: 'gap_analysis',
    subject: designation,
    standard: { id, designation, title, edition, source },
    engine: method.engine,
    mode: method.mode,
    method: {
      passages: method.passages,
      embedding:
        'model' in method.embedding
          ? { model: method.embedding.model }
          : { lexicalOnly: method.embedding.lexicalOnly },
      conditions: method.conditions,
    },
    score: { value: score.value, upTo: score.upTo },
    severities: counts.severities,
    groups: usedGroups(groups, [...results, ...reported]),
    results: inGroupOrder(results, groups),
    findings: inGroupOrder(reported, groups),
    questions: [],
    notAssessed: options.notAssessed ?? [],
  };
}

/** The documents of a gap analysis as a report lists them. */
export const gapAnalysisDocuments = ({ method }: GapAnalysis): ReportDocument[] =>
  statedDocuments(method.documents);

/** Documents as a method statement has them. */
export function statedDocuments(documents: readonly DocumentStatement[]): ReportDocument[] {
  return documents.map(({ id, name, version, sha256, types, status, setAside, notes }) => ({
    id,
    name,
    version,
    sha256,
    types: [...new Set(types.map(({ type }) => type))],
    status,
    ...(setAside === undefined ? {} : { setAside }),
    notes,
  }));
}

/** The id as people cite it: without the standard before the colon. */
export const labelOf = (criterionId: string): string => criterionId.slice(criterionId.indexOf(':') + 1);

/** Groups that something belongs to, in their order. */
export function usedGroups<Group extends { readonly key: string }>(
  groups: readonly Group[],
  items: readonly { readonly group: string }[],
): Group[] {
  const used = new Set(items.map(({ group }) => group));
  return groups.filter(({ key }) => used.has(key));
}
