import { printPlace } from '../layout/print-place.js';
import type { Report, ReportEvidence, ReportFinding, ReportPart, ReportResult } from '../report.js';

/** Columns of tables for programs and spreadsheets; the names stay as they are in every language. */
export const FINDING_COLUMNS = [
  ...([
    'analysis',
    'subject',
    'area',
    'clause',
    'criterion_id',
    'kind',
    'severity',
    'original_severity',
  ] as const),
  ...([
    'confidence',
    'integrity',
    'status',
    'change',
    'title',
    'standard_ref',
    'expected',
    'observed',
  ] as const),
  ...([
    'why_it_matters',
    'recommendation',
    'effort',
    'affected_items',
    'places',
    'quotes',
    'searched',
  ] as const),
  ...([
    'assignee',
    'due_date',
    'waiver_owner',
    'waiver_reason',
    'waiver_until',
    'note',
    'fingerprint',
  ] as const),
] as const;
export const RESULT_COLUMNS = [
  ...(['analysis', 'subject', 'area', 'criterion_id', 'label', 'title', 'result', 'tool_result'] as const),
  ...([
    'confidence',
    'needs_person',
    'met',
    'of',
    'reason',
    'places',
    'quotes',
    'set_by',
    'set_because',
  ] as const),
] as const;
/** Of results where a language model was asked; reports without one have not these columns. */
export const OPINION_COLUMNS = [
  'by_rules',
  'by_model',
  'outcome',
  'to_confirm',
  'rules_alone_because',
  'decided',
  'decided_by',
  'decided_because',
] as const;
export const hasOpinions = ({ parts }: Report): boolean =>
  parts.some(
    ({ results, advice }) => advice !== undefined || results.some(({ opinions }) => opinions !== undefined),
  );
export const MATRIX_COLUMNS = [
  ...(['id', 'type', 'integrity', 'text', 'upstream', 'downstream', 'status'] as const),
] as const;
export const DOCUMENT_COLUMNS = [
  ...(['document', 'version', 'sha256', 'types', 'status', 'set_aside', 'remarks'] as const),
] as const;

type Row<Columns extends readonly string[]> = Readonly<Record<Columns[number], string | number | boolean>>;

export function* findingRows({ parts }: Report): Generator<Row<typeof FINDING_COLUMNS>> {
  for (const part of parts) for (const finding of part.findings) yield findingRow(part, finding);
}

function findingRow(part: ReportPart, finding: ReportFinding): Row<typeof FINDING_COLUMNS> {
  const { waiver } = finding;
  return {
    analysis: part.type,
    subject: part.subject,
    area: areaOf(part, finding.group),
    clause: finding.clause,
    criterion_id: finding.criterionId,
    kind: finding.kind,
    severity: finding.severity,
    original_severity: finding.originalSeverity ?? finding.severity,
    confidence: finding.confidence,
    integrity: finding.asil ?? '',
    status: finding.status ?? '',
    change: finding.change ?? '',
    title: finding.title,
    standard_ref: finding.standardRef,
    expected: finding.expected,
    observed: finding.observed,
    why_it_matters: finding.whyItMatters,
    recommendation: finding.recommendation,
    effort: finding.effortHint ?? '',
    affected_items: finding.affectedItems.join('; '),
    places: placesOf(finding.evidence),
    quotes: quotesOf(finding.evidence),
    searched: searchedBy(finding),
    assignee: finding.assignee ?? '',
    due_date: finding.dueDate ?? '',
    waiver_owner: waiver?.owner ?? '',
    waiver_reason: waiver?.reason ?? '',
    waiver_until: waiver?.until ?? '',
    note: finding.note ?? '',
    fingerprint: finding.fingerprint,
  };
}

export function* resultRows({
  parts,
}: Report): Generator<Row<typeof RESULT_COLUMNS> & Partial<Row<typeof OPINION_COLUMNS>>> {
  for (const part of parts) for (const result of part.results) yield resultRow(part, result);
}

function resultRow(
  part: ReportPart,
  result: ReportResult,
): Row<typeof RESULT_COLUMNS> & Partial<Row<typeof OPINION_COLUMNS>> {
  const { override, instances, opinions } = result;
  return {
    analysis: part.type,
    subject: part.subject,
    area: areaOf(part, result.group),
    criterion_id: result.id,
    label: result.label,
    title: result.title,
    result: override?.state ?? result.state,
    tool_result: result.state,
    confidence: result.confidence ?? '',
    needs_person: result.needsPerson && override === undefined,
    met: instances?.met ?? '',
    of: instances?.of ?? '',
    reason: result.reason,
    places: placesOf(result.evidence),
    quotes: quotesOf(result.evidence),
    set_by: override?.by ?? '',
    set_because: override?.reason ?? '',
    ...(opinions
      ? {
          by_rules: opinions.byRules,
          by_model: opinions.byModel ?? '',
          outcome: opinions.outcome,
          to_confirm: opinions.confirm ?? false,
          rules_alone_because: opinions.because ?? '',
          decided: opinions.decision?.decision ?? '',
          decided_by: opinions.decision?.by ?? '',
          decided_because: opinions.decision?.reason ?? '',
        }
      : {}),
  };
}

/** Advice of a language model, in the columns that results have: what it is about, what was asked, what it said. */
export function* adviceRows({ parts }: Report): Generator<Readonly<Record<string, string>>> {
  for (const { type, subject: part, advice = [] } of parts) {
    for (const { subject, about, says, because, quotes, decision } of advice) {
      yield {
        analysis: type,
        subject: part,
        criterion_id: subject,
        label: about,
        by_model: says,
        reason: because,
        quotes: quotes.join('\n'),
        decided: decision?.decision ?? '',
        decided_by: decision?.by ?? '',
        decided_because: decision?.reason ?? '',
      };
    }
  }
}

export function* matrixRows({ parts }: Report): Generator<Row<typeof MATRIX_COLUMNS>> {
  for (const { trace } of parts) {
    for (const row of trace?.matrix ?? []) {
      yield {
        id: row.id,
        type: row.type,
        integrity: row.integrity ?? '',
        text: row.text,
        upstream: row.upstream.map(({ artifactId, linkType }) => `${artifactId} (${linkType})`).join('; '),
        downstream: row.downstream
          .map(({ artifactId, linkType }) => `${artifactId} (${linkType})`)
          .join('; '),
        status: row.status,
      };
    }
  }
}

export function* documentRows({ documents }: Report): Generator<Row<typeof DOCUMENT_COLUMNS>> {
  for (const document of documents) {
    yield {
      document: document.name,
      version: document.version,
      sha256: document.sha256,
      types: document.types.join('; '),
      status: document.status ?? '',
      set_aside: document.setAside ?? '',
      remarks: document.notes.join('; '),
    };
  }
}

/** What was searched for all of it, and for each thing that was not found. */
function searchedBy({ search, affected = [] }: ReportFinding): string {
  const each = affected.flatMap(({ searched }) => searched ?? []);
  return [...new Set([...(search === undefined ? [] : [search]), ...each])].join('\n');
}

/** One place a line, in the order of the quotes. */
function placesOf(evidence: readonly ReportEvidence[]): string {
  return evidence
    .map(({ document, version, location, role }) => {
      const place = printPlace(location, 'en');
      return `${role}: ${version ? `${document} (${version})` : document}${place === '' ? '' : `, ${place}`}`;
    })
    .join('\n');
}

function quotesOf(evidence: readonly ReportEvidence[]): string {
  return evidence.map(({ quote }) => quote).join('\n');
}

function areaOf(part: ReportPart, key: string): string {
  return part.groups.find((group) => group.key === key)?.title || key;
}
