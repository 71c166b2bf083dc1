import type { Severity } from '../../findings/finding.js';
import { selectionOf } from '../layout/frame.js';
import { printPlace } from '../layout/print-place.js';
import type { Report, ReportDocument, ReportEvidence, ReportFinding, ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';
import { printable } from './escape.js';

const LEVEL: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};
/** 0 to 100, for tools that sort within a level. */
const RANK: Readonly<Record<Severity, number>> = { critical: 95, high: 75, medium: 45, low: 15 };

/**
 * SARIF 2.1.0: one run for each part, one rule for each criterion. Documents are artifacts with their hash, places are
 * physical locations where the format has lines and logical locations everywhere; fingerprints are those of findings,
 * so that a server knows a finding again; accepted findings are suppressed with their reason. What a report of some findings leaves
 * out is a notification of the tool, and its counts a property.
 */
export function* toSarif(report: Report, words: ReportWords): Generator<string> {
  yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[';
  for (const [index, part] of report.parts.entries()) {
    if (index > 0) yield ',';
    yield* run(report, part, words);
  }
  yield ']}\n';
}

function* run(report: Report, part: ReportPart, words: ReportWords): Generator<string> {
  const rules = new Map<string, number>();
  const described: unknown[] = [];
  for (const finding of part.findings) {
    const id = ruleId(finding);
    if (rules.has(id)) continue;
    rules.set(id, described.length);
    described.push({
      id,
      shortDescription: { text: finding.standardRef || id },
      ...(finding.expected === '' ? {} : { fullDescription: { text: finding.expected } }),
      ...(finding.whyItMatters === '' ? {} : { help: { text: finding.whyItMatters } }),
      defaultConfiguration: { level: LEVEL[finding.originalSeverity ?? finding.severity] },
    });
  }
  const documents = new Map(report.documents.map(({ id }, at) => [id, at]));
  const { engine, subject } = part;
  const { selection } = report;
  const head = {
    tool: {
      driver: {
        name: 'Normtrace',
        version: engine.version,
        ...(/^\d+\.\d+\.\d+/.test(engine.version) ? { semanticVersion: engine.version } : {}),
        language: report.language,
        rules: described,
      },
    },
    automationDetails: { id: ['normtrace', part.type, subject].filter((one) => one !== '').join('/') },
    artifacts: report.documents.map(artifact),
    columnKind: 'utf16CodeUnits',
    ...(selection && {
      invocations: [
        {
          executionSuccessful: true,
          toolExecutionNotifications: [
            {
              level: 'note',
              message: { text: `${words.text('selection')}: ${selectionOf(selection, words)}` },
            },
          ],
        },
      ],
    }),
    properties: {
      notice: report.notice,
      contentHash: report.contentHash,
      analysis: part.id,
      ...(selection && { selection }),
    },
  };
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for (const [index, finding] of part.findings.entries()) {
    const result = resultOf(finding, { ruleIndex: rules.get(ruleId(finding))!, documents });
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(result)}`;
  }
  yield ']}';
}

const ruleId = ({ criterionId, kind }: ReportFinding): string =>
  criterionId === kind || criterionId === '' ? kind : `${criterionId}/${kind}`;

function artifact({ name, sha256, notes }: ReportDocument) {
  return {
    location: { uri: toUri(name) },
    hashes: { 'sha-256': sha256 },
    ...(notes.length === 0 ? {} : { description: { text: notes.join(' ') } }),
  };
}

function resultOf(
  finding: ReportFinding,
  { ruleIndex, documents }: { readonly ruleIndex: number; readonly documents: ReadonlyMap<string, number> },
) {
  const { change, waiver, severity, evidence } = finding;
  const text = [finding.title, finding.observed, finding.recommendation]
    .filter((one) => one !== '')
    .join('\n');
  return {
    ruleId: ruleId(finding),
    ruleIndex,
    ...(finding.unconfirmed ? { kind: 'review', level: 'none' } : { level: LEVEL[severity] }),
    rank: RANK[severity],
    message: { text },
    locations: evidence.slice(0, 1).map((one) => locationOf(one, documents)),
    ...(evidence.length > 1
      ? {
          relatedLocations: evidence.slice(1).map((one, id) => ({
            id: id + 1,
            ...locationOf(one, documents),
            message: { text: one.note ?? one.role },
          })),
        }
      : {}),
    ...(finding.affected === undefined ? {} : { occurrenceCount: Math.max(1, finding.affected.length) }),
    partialFingerprints: { 'normtrace/v1': finding.fingerprint },
    ...(change === undefined ? {} : { baselineState: change }),
    ...(waiver === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: waiver.reason }] }),
    properties: {
      severity,
      confidence: finding.confidence,
      ...(finding.asil === undefined ? {} : { integrity: finding.asil }),
      ...(finding.status === undefined ? {} : { status: finding.status }),
      affectedItems: finding.affectedItems,
    },
  };
}

function locationOf(evidence: ReportEvidence, documents: ReadonlyMap<string, number>) {
  const { location, quote, document, documentId } = evidence;
  const index = documents.get(documentId);
  const place = printPlace(location, 'en');
  const snippet = quote === '' ? {} : { snippet: { text: quote } };
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(document), ...(index === undefined ? {} : { index }) },
      // A region needs a line; pages, sheets and sections are logical locations.
      region: { startLine: location.line ?? 1, ...snippet },
    },
    ...(place === ''
      ? {}
      : {
          logicalLocations: [
            {
              fullyQualifiedName: `${document}: ${place}`,
              ...(location.requirementId === undefined ? {} : { name: location.requirementId }),
              kind: location.sheet !== undefined ? 'cell' : location.page !== undefined ? 'page' : 'section',
            },
          ],
        }),
  };
}

/** A relative reference: names of files may hold anything. */
function toUri(name: string): string {
  return printable(name).split(/[/\\]/).map(encodeURIComponent).join('/').replace(/^\/+/, '');
}
