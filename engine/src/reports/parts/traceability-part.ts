import { dueGaps } from '../../engines/traceability/due-gaps.js';
import { GAP_TYPES } from '../../engines/traceability/rules.js';
import type { TraceabilityExamination } from '../../engines/traceability/run.js';
import type { LinkOpinions } from '../../engines/traceability/second-links.js';
import { traceFindings } from '../../engines/traceability/trace-findings.js';
import {
  INTEGRITY_CLASSES,
  type MatrixRow,
  type MatrixStatus,
  type TraceGap,
} from '../../engines/traceability/traceability.js';
import type { Outside } from '../../facts/project-scope.js';
import type { Evidence } from '../../findings/finding.js';
import { countSeverities } from '../../findings/severities.js';
import { render } from '../../sentences/render.js';
import { say } from '../../sentences/sentence.js';
import {
  type ReportLanguage,
  type ReportMatrixRow,
  type ReportPart,
  type ReportTrace,
  TRACE_METRICS,
} from '../report.js';
import { adviceOnLinks } from './advice.js';
import { assemblePart } from './assemble-part.js';
import { modelFacts } from './gap-analysis-part.js';
import { type DocumentNames, type RunValues, valuesOf } from './part-values.js';

/** Rows of the matrix in a report: more can be had from the API, page by page. */
const LISTED_ROWS = 20_000;

/** The groups of a trace: the six types of gap. Their titles are words of the report. */
const TRACE_GROUPS = GAP_TYPES.map((key) => ({ key, title: '' }));

/** The findings of a trace and its matrix as a part of a report; its groups are the six types of gap. */
export function tracePart(
  run: RunValues,
  /** Absent: the trace is not any more what the run saw. */
  examination: Pick<TraceabilityExamination, 'analysis' | 'matrixLength' | 'matrixRows'> | undefined,
  /** Links that nothing states and nobody confirmed. */
  assumed = 0,
): ReportPart {
  const changed = {
    subject: render(say('trace.matrix'), run.language),
    reason: render(say('trace.changed-since'), run.language),
  };
  return assemblePart('traceability', run, {
    subject: '',
    groups: TRACE_GROUPS,
    groupOf: ({ finding }) => finding.criterionId,
    // What a trace cannot see, documents may show.
    isUnconfirmed: ({ finding }) => finding.confidence === 'low',
    results: [],
    ...(examination
      ? { trace: { ...traceOf(examination), ...(assumed > 0 ? { assumed } : {}) } }
      : { notAssessed: [changed] }),
  });
}

/** A traceability analysis as a part of a report. */
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
    /** What is not due in the phase of the project, or not done in it. */
    readonly outside?: readonly Outside[];
    /** Where a language model was asked about proposed links. */
    readonly second?: LinkOpinions;
    /** Links that nothing states. */
    readonly assumed?: number;
  },
): ReportPart {
  const { analysis } = examination;
  const { id, engine, documents, evidenceOf, language = 'en', notAssessed, outside = [], second } = options;
  const { due, notDue } = dueGaps(analysis.gaps, outside);
  const findings = traceFindings(due, (position) => evidenceOf(due[position]!));
  const run: RunValues = {
    id,
    engine,
    mode: second ? 'ai' : 'rules',
    method: { conditions: {}, ...modelFacts(second?.statement) },
    score: { value: analysis.coverage.overall.percentage },
    severities: countSeverities(findings),
    documents,
    findings: findings.map((one) => valuesOf(one)),
    ...(notAssessed ? { notAssessed } : {}),
    notDue,
    ...(second ? { advice: adviceOnLinks(second) } : {}),
    language,
  };
  return tracePart(run, examination, options.assumed);
}

/** The measures, the V and the matrix of a trace. */
function traceOf({
  analysis,
  matrixRows,
  matrixLength,
}: Pick<TraceabilityExamination, 'analysis' | 'matrixLength' | 'matrixRows'>): ReportTrace {
  const levels = new Map<string, Record<MatrixStatus, number>>();
  const matrix: ReportMatrixRow[] = [];
  for (const row of matrixRows()) {
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
    matrixTotal: matrixLength,
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
    ...(row.integrityFrom === undefined ? {} : { integrityFrom: row.integrityFrom }),
    upstream: row.upstreamLinks.map(linkOf),
    downstream: row.downstreamLinks.map(linkOf),
    status: row.status,
  };
}
