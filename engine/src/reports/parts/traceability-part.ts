import { GAP_TYPES } from '../../engines/traceability/rules.js';
import type { TraceabilityExamination } from '../../engines/traceability/run.js';
import {
  INTEGRITY_CLASSES,
  type MatrixRow,
  type MatrixStatus,
  type TraceabilityAnalysis,
  type TraceGap,
} from '../../engines/traceability/traceability.js';
import { fingerprint } from '../../findings/fingerprint.js';
import {
  type ReportFinding,
  type ReportMatrixRow,
  type ReportPart,
  type ReportTrace,
  TRACE_METRICS,
} from '../report.js';
import type { DocumentNames } from './report-evidence.js';

/** Rows of the matrix in a report: more can be had from the API, page by page. */
const LISTED_ROWS = 20_000;

/** A traceability analysis as a part of a report; its groups are the six types of gap. */
export function traceabilityPart(
  examination: Pick<TraceabilityExamination, 'analysis' | 'matrixLength' | 'matrixRows'>,
  options: {
    readonly id: string;
    readonly engine: ReportPart['engine'];
    readonly documents: DocumentNames;
    /** A quote from the place of an artifact, where there is one. */
    readonly quoteOf?: (gap: TraceGap) => string | undefined;
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const { analysis } = examination;
  const groups = GAP_TYPES.filter((type) => analysis.summary[type] > 0).map((key) => ({ key, title: '' }));
  const place = new Map(GAP_TYPES.map((key, index) => [key, index]));
  return {
    id: options.id,
    type: 'traceability',
    subject: '',
    engine: options.engine,
    mode: 'rules',
    method: { conditions: {} },
    score: { value: analysis.coverage.overall.percentage },
    severities: analysis.severityCounts,
    groups,
    results: [],
    findings: [...analysis.gaps]
      .sort((a, b) => place.get(a.gapType)! - place.get(b.gapType)!)
      .map((gap) => findingOf(gap, options)),
    questions: [],
    notAssessed: options.notAssessed ?? [],
    trace: traceOf(analysis, examination.matrixRows(), examination.matrixLength),
  };
}

/** The measures, the V and the matrix of a trace; `rows` is read to its end. */
export function traceOf(
  analysis: TraceabilityAnalysis,
  rows: Iterable<MatrixRow>,
  matrixTotal: number,
): ReportTrace {
  const levels = new Map<string, Record<MatrixStatus, number>>();
  const matrix: ReportMatrixRow[] = [];
  for (const row of rows) {
    let counts = levels.get(row.type);
    if (!counts) {
      counts = { complete: 0, partial: 0, missing: 0, orphan: 0 };
      levels.set(row.type, counts);
    }
    counts[row.status]++;
    if (matrix.length < LISTED_ROWS) matrix.push(matrixRow(row));
  }
  return {
    artifacts: analysis.totalArtifacts,
    links: analysis.totalLinks,
    coverage: TRACE_METRICS.map((metric) => ({ metric, share: analysis.coverage[metric] })),
    byIntegrity: INTEGRITY_CLASSES.map((level) => ({
      level,
      share: analysis.coverageByIntegrity[level].overall,
    })).filter(({ share }) => share.denominator > 0),
    levels: [...levels].map(([type, counts]) => ({ type, counts })),
    matrix,
    matrixTotal,
    unlisted: Object.values(analysis.unlisted).reduce((sum, count) => sum + count, 0),
  };
}

function matrixRow(row: MatrixRow): ReportMatrixRow {
  const linkOf = ({ artifactId, linkType }: MatrixRow['upstreamLinks'][number]) => ({ artifactId, linkType });
  return {
    id: row.requirementId,
    text: row.requirementText,
    type: row.type,
    ...(row.integrity === undefined ? {} : { integrity: row.integrity }),
    upstream: row.upstreamLinks.map(linkOf),
    downstream: row.downstreamLinks.map(linkOf),
    status: row.status,
  };
}

function findingOf(
  gap: TraceGap,
  { documents, quoteOf }: Pick<Parameters<typeof traceabilityPart>[1], 'documents' | 'quoteOf'>,
): ReportFinding {
  const quote = quoteOf?.(gap);
  const { documentId, location } = gap;
  return {
    fingerprint: fingerprint(
      gap.kind,
      gap.gapType,
      `${gap.artifactId}\n${gap.missing ?? gap.related.join('\n')}`,
    ),
    group: gap.gapType,
    kind: gap.kind,
    criterionId: gap.gapType,
    clause: '',
    title: `${gap.artifactId}${gap.integrity === undefined ? '' : ` (${gap.integrity})`}`,
    standardRef: '',
    severity: gap.severity,
    confidence: gap.integrityAssumed ? 'medium' : 'high',
    severityReasons: gap.note === undefined ? [] : [gap.note],
    ...(gap.integrity === undefined ? {} : { asil: gap.integrity }),
    expected: '',
    observed: gap.description,
    whyItMatters: '',
    recommendation: gap.suggestedAction,
    affectedItems: [gap.artifactId, ...gap.related],
    evidence:
      documentId === undefined || location === undefined
        ? []
        : [
            {
              documentId,
              document: documents.get(documentId)?.name ?? documentId,
              ...(documents.get(documentId)?.version === undefined
                ? {}
                : { version: documents.get(documentId)!.version! }),
              location,
              quote: quote ?? '',
              role: 'context',
            },
          ],
  };
}
