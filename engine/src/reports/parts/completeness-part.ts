import type { CompletenessAnalysis, DocumentCompleteness } from '../../engines/completeness/completeness.js';
import type { ReportDocument, ReportPart, ReportResult } from '../report.js';
import { usedGroups } from './gap-analysis-part.js';
import { inGroupOrder, reportEvidence, reportFinding } from './report-evidence.js';

/** A completeness analysis as a part of a report; its groups are the documents. */
export function completenessPart(
  analysis: CompletenessAnalysis,
  options: { readonly id: string; readonly notAssessed?: ReportPart['notAssessed'] },
): ReportPart {
  const { documents, findings, questions, method, score, counts } = analysis;
  const names = new Map(documents.map((one) => [one.id, one]));
  const groupOfFinding = new Map(
    documents.flatMap(({ id, findings: own }) => own.map((fingerprint) => [fingerprint, id] as const)),
  );
  const groups = [...documents.map(({ id, name }) => ({ key: id, title: name })), { key: '', title: '' }];
  const results = documents.flatMap(resultsOf);
  const reported = findings.map((one) =>
    reportFinding(one, { group: groupOfFinding.get(one.fingerprint) ?? '', clause: '' }, names),
  );
  return {
    id: options.id,
    type: 'completeness',
    subject: '',
    engine: method.engine,
    mode: method.mode,
    method: { conditions: method.conditions },
    score: { value: score.value },
    severities: counts.severities,
    groups: usedGroups(groups, [...results, ...reported]),
    results,
    findings: inGroupOrder(reported, groups),
    questions: questions.map(({ question, reason, sections }) => ({
      subject: question,
      text: `${reason} ${sections
        .map(({ documentId, section }) => `${names.get(documentId)?.name ?? documentId}: ${section}`)
        .join('; ')}`.trim(),
    })),
    notAssessed: [
      ...documents
        .filter(({ templates }) => templates.length === 0)
        .map(({ name, setAside }) => ({ subject: name, reason: setAside ?? NO_TEMPLATE })),
      ...(options.notAssessed ?? []),
    ],
  };

  function resultsOf(document: DocumentCompleteness): ReportResult[] {
    return document.templates.flatMap((template) =>
      template.sections
        .filter(({ applies }) => applies !== 'no')
        .map(
          (section): ReportResult => ({
            id: `${document.id}/${template.type}.${section.key}`,
            group: document.id,
            label: template.name,
            title: section.title,
            state: section.applies === 'unknown' ? 'needs_review' : section.state,
            reason: section.reason,
            evidence: section.evidence.map((one) => reportEvidence(one, names)),
            needsPerson: section.needsPerson || section.applies === 'unknown',
          }),
        ),
    );
  }
}

const NO_TEMPLATE = 'No template fits this document.';

/** The documents of a completeness analysis as a report lists them. */
export function completenessDocuments({ documents }: CompletenessAnalysis): ReportDocument[] {
  return documents.map(({ id, name, version, sha256, templates, status, setAside, notes }) => ({
    id,
    name,
    version,
    sha256,
    types: [...new Set(templates.map(({ type }) => type))],
    status,
    ...(setAside === undefined ? {} : { setAside }),
    notes,
  }));
}
