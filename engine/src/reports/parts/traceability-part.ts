import { GAP_TYPES } from '../../engines/traceability/rules.js';
import type { TraceabilityExamination } from '../../engines/traceability/run.js';
import { traceFindings } from '../../engines/traceability/trace-findings.js';
import {
  INTEGRITY_CLASSES,
  type MatrixRow,
  type MatrixStatus,
  type TraceabilityAnalysis,
  type TraceGap,
} from '../../engines/traceability/traceability.js';
import type { Evidence } from '../../findings/finding.js';
import { inLanguage } from '../../sentences/worded.js';
import {
  type ReportLanguage,
  type ReportMatrixRow,
  type ReportPart,
  type ReportTrace,
  TRACE_METRICS,
} from '../report.js';
import { type DocumentNames, inGroupOrder, reportFinding } from './report-evidence.js';

/** Rows of the matrix in a report: more can be had from the API, page by page. */
const LISTED_ROWS = 20_000;

/** The groups of a trace: the six types of gap. Their titles are words of the report. */
export const TRACE_GROUPS = GAP_TYPES.map((key) => ({ key, title: '' }));

/** A traceability analysis as a part of a report; its groups are the six types of gap. */
export function traceabilityPart(
  examination: Pick<TraceabilityExamination, 'analysis' | 'matrixLength' | 'matrixRows'>,
  options: {
    readonly id: string;
    readonly engine: ReportPart['engine'];
    readonly documents: DocumentNames;
    readonly language?: ReportLanguage;
    /** What stands at the place of a gap. */
    readonly evidenceOf: (gap: TraceGap) => readonly Evidence[];
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const { analysis } = examination;
  const { documents, evidenceOf, language = 'en' } = options;
  const found = traceFindings(analysis.gaps, (position) => evidenceOf(analysis.gaps[position]!));
  const findings = inLanguage(found, language);
  return {
    id: options.id,
    type: 'traceability',
    subject: '',
    engine: options.engine,
    mode: 'rules',
    method: { conditions: {} },
    score: { value: analysis.coverage.overall.percentage },
    severities: analysis.severityCounts,
    groups: TRACE_GROUPS.filter(({ key }) => analysis.summary[key] > 0),
    results: [],
    findings: inGroupOrder(
      findings.map((one) => reportFinding(one, { group: one.criterionId, clause: '' }, documents)),
      TRACE_GROUPS,
    ),
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
