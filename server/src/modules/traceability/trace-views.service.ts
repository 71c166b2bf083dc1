import { type Coverage, type CoverageMetrics, type TraceabilityAnalysis, wordsOnly } from '@normtrace/engine';
import type { z } from 'zod';
import type { Language } from '../../platform/http/language.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { toLocation } from '../gaps/gaps.service.js';
import type { TraceOptions as EngineOptions } from './examine-trace-task.js';
import type { ExtractionRow } from './extraction.repository.js';
import type { StoredExtraction } from './trace.repository.js';
import type {
  CoverageMetrics as CoverageSchema,
  Extraction,
  ExtractionDetail,
  TraceAnalysis,
  TraceCompleteness,
  TraceGaps,
  TraceOptions,
  TraceQuery,
} from './trace-views.schemas.js';

/** Stands beside every list of proposals. */
export const SUGGESTION_NOTE =
  'Proposals by the words and the meaning of two texts: many are wrong. They count for nothing until a person accepts one.';

/** Options as the engine takes them. */
export const toEngineOptions = (options: TraceOptions): EngineOptions => ({
  indirectVerification: options.indirect_verification,
  requireDesignTest: options.require_design_test,
  externalPrefixes: options.external_prefixes,
  ...(options.configuration === undefined ? {} : { configuration: options.configuration }),
});

/** Options of who names none, such as the screens: what is made of a trace before anybody asks is made with these. */
export const USUAL_OPTIONS: EngineOptions = toEngineOptions({
  indirect_verification: 'downgrade',
  require_design_test: false,
  external_prefixes: [],
});

export const areUsual = (options: EngineOptions): boolean =>
  JSON.stringify(options) === JSON.stringify(USUAL_OPTIONS);

/** Options of a query. */
export const optionsOfQuery = (query: z.output<typeof TraceQuery>): EngineOptions =>
  toEngineOptions({
    indirect_verification: query.indirect_verification ?? 'downgrade',
    require_design_test: query.require_design_test === true,
    configuration: query.configuration,
    external_prefixes: (query.external_prefixes ?? '')
      .split(',')
      .map((prefix) => prefix.trim())
      .filter((prefix) => prefix !== ''),
  });

/** Null: nothing was ever extracted or added. */
export function toExtraction(stored: StoredExtraction | null): Extraction {
  if (!stored) {
    return { status: 'none', under_way: false, extracted_at: null, documents: [], error: null };
  }
  return {
    status: stored.status,
    under_way: stored.status === 'queued' || stored.status === 'running',
    extracted_at: timestampOrNull(stored.extracted_at),
    documents: stored.documents.map(({ work_product_id, version }) => ({ work_product_id, version })),
    error: stored.error,
  };
}

export function toExtractionDetail(
  workspaceId: string,
  row: ExtractionRow,
  language: Language,
): z.output<typeof ExtractionDetail> {
  const stored = row.status
    ? {
        ...row,
        revision: Number(row.revision),
        extracted_at: timestampOrNull(row.extracted_at),
      }
    : null;
  return {
    ...toExtraction(stored),
    workspace_id: workspaceId,
    artifacts: row.artifacts ?? 0,
    links: row.links ?? 0,
    engine_version: row.engine_version || null,
    note_counts: { ...row.note_counts },
    notes: wordsOnly(row.notes ?? [], language).map((note) => ({
      ...note,
      location: toLocation(note.location),
    })),
  };
}

/** A figure that is always a number: 0 of nothing. */
export const shareOf = ({ percentage }: Pick<Coverage, 'percentage'>): number => percentage ?? 0;

const toCoverage = ({ numerator, denominator, percentage }: Coverage) => ({
  numerator,
  denominator,
  percentage,
});

export const toMetrics = (coverage: CoverageMetrics): z.output<typeof CoverageSchema> => ({
  upstream: toCoverage(coverage.upstream),
  downstream: toCoverage(coverage.downstream),
  verification: toCoverage(coverage.verification),
  verification_incl_indirect: toCoverage(coverage.verificationInclIndirect),
  evidence: toCoverage(coverage.evidence),
  overall: toCoverage(coverage.overall),
  end_to_end: toCoverage(coverage.endToEnd),
});

/** Which page of the gaps it is. */
interface Paged {
  readonly page: number;
  readonly next_cursor: string | null;
}

export function toTraceAnalysis(
  analysis: TraceabilityAnalysis,
  asked: {
    readonly workspaceId: string;
    readonly now: Date;
    readonly listed: number;
    readonly extraction: StoredExtraction | null;
  } & Paged,
): TraceAnalysis {
  return {
    workspace_id: asked.workspaceId,
    analyzed_at: timestamp(asked.now),
    gaps: [],
    summary: { ...analysis.summary },
    severity_counts: { ...analysis.severityCounts },
    total_gaps: analysis.totalGaps,
    total_artifacts: analysis.totalArtifacts,
    total_links: analysis.totalLinks,
    completeness_percentage: shareOf(analysis.coverage.overall),
    assessed: analysis.coverage.overall.percentage !== null,
    coverage: toMetrics(analysis.coverage),
    listed_gaps: asked.listed,
    page: asked.page,
    next_cursor: asked.next_cursor,
    remarks: toRemarks(analysis.remarks),
    extraction: toExtraction(asked.extraction),
  };
}

const toRemarks = (remarks: TraceabilityAnalysis['remarks']): TraceAnalysis['remarks'] =>
  remarks.map(({ kind, grade, count, listed }) => ({
    kind,
    grade,
    count,
    listed: listed.map(({ artifactId, related, text }) => ({
      artifact_id: artifactId,
      related: [...related],
      text,
    })),
  }));

export const toTraceGaps = ({ total, listed, page, next_cursor, extraction }: GapsAsked): TraceGaps => ({
  gaps: [],
  total_gaps: total,
  listed_gaps: listed,
  page,
  next_cursor,
  extraction: toExtraction(extraction),
});

interface GapsAsked extends Paged {
  /** Gaps in all. */
  readonly total: number;
  readonly listed: number;
  readonly extraction: StoredExtraction | null;
}

export function toCompleteness(
  { coverage, coverageByIntegrity, totalArtifacts, totalLinks }: TraceabilityAnalysis,
  asked: { readonly workspaceId: string } & GapsAsked,
): TraceCompleteness {
  return {
    workspace_id: asked.workspaceId,
    total_artifacts: totalArtifacts,
    total_links: totalLinks,
    upstream_completeness: shareOf(coverage.upstream),
    downstream_completeness: shareOf(coverage.downstream),
    verification_completeness: shareOf(coverage.verification),
    evidence_completeness: shareOf(coverage.evidence),
    overall_completeness: shareOf(coverage.overall),
    assessed: coverage.overall.percentage !== null,
    ...toTraceGaps(asked),
    coverage: toMetrics(coverage),
    coverage_by_integrity: Object.fromEntries(
      Object.entries(coverageByIntegrity).map(([level, metrics]) => [level, toMetrics(metrics)]),
    ),
  };
}
