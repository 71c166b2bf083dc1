import {
  type ArtifactType,
  examineTraceability,
  type LinkType,
  loadTraceabilityRules,
  type MatrixRow,
  type TraceabilityAnalysis,
  type TraceabilityExamination,
  type TraceabilityOptions,
  type TraceGap,
  type TraceLink,
} from '@normtrace/engine';
import type { TaskContext, TaskResult } from '../../platform/processes/serve-tasks.js';
import { type MatrixFormat, writeMatrix } from './matrix-files.js';
import { type ReadTrace, readTrace, type TraceColumns } from './read-trace.js';

export type TraceOptions = Omit<TraceabilityOptions, 'candidates'>;

export interface TraceAnalysisTaskInput {
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** Which of the gaps in their order, those without test after the others; without it as many as are listed. */
  readonly part?: { readonly offset: number; readonly limit: number };
}

/** What stands somewhere: an artifact (with `level`, its integrity level) or a link. */
export type Placed =
  | { readonly artifactId: string; readonly level: boolean }
  | { readonly sourceId: string; readonly linkType: LinkType; readonly targetId: string };

export interface ExaminedTrace {
  readonly analysis: TraceabilityAnalysis;
  /** By listed gap: what shows it. */
  readonly shownBy: readonly Placed[];
  /** Requirements that no test reaches: the first of them, and how many there are. */
  readonly withoutTest: readonly string[];
  readonly withoutTestCount: number;
}

/** Ids listed of requirements without test where no part is asked for. */
const LISTED_WITHOUT_TEST = 10_000;

/** Examines the trace of a workspace. */
export async function examineTraceTask(
  { columns, options, part }: TraceAnalysisTaskInput,
  _context: TaskContext,
): Promise<TaskResult<ExaminedTrace>> {
  const trace = readTrace(columns);
  // The most severe of all are among the most severe of their types.
  const listing = part ? { listedPerType: part.offset + part.limit } : {};
  const { analysis, withoutTest } = await examine(trace, { ...options, ...listing });
  const all = withoutTest();
  const gaps = part ? analysis.gaps.slice(part.offset, part.offset + part.limit) : analysis.gaps;
  const untested = part
    ? { from: Math.max(0, part.offset - analysis.totalGaps), most: part.limit - gaps.length }
    : { from: 0, most: LISTED_WITHOUT_TEST };
  return {
    result: {
      analysis: { ...analysis, gaps },
      shownBy: gaps.map((gap) => shownBy(gap, trace.links)),
      withoutTest: all.slice(untested.from, untested.from + untested.most),
      withoutTestCount: all.length,
    },
  };
}

/** Kinds of gaps about integrity levels. */
const ABOUT_LEVELS = /^AI-/;

function shownBy({ kind, artifactId, link }: TraceGap, links: readonly TraceLink[]): Placed {
  if (link === undefined) return { artifactId, level: ABOUT_LEVELS.test(kind) };
  const { sourceId, type, targetId } = links[link]!;
  return { sourceId, linkType: type, targetId };
}

export interface MatrixTaskInput extends TraceAnalysisTaskInput {
  readonly format: MatrixFormat;
  /** Rows of these types only. */
  readonly types?: readonly ArtifactType[];
  readonly offset: number;
  readonly limit?: number;
}

export interface MatrixOutput {
  /** The rows: a JSON array, or a file. */
  readonly bytes: Uint8Array;
  /** Rows in all. */
  readonly total: number;
  readonly totalGaps: number;
  readonly coverage: number | null;
}

/** Writes the trace matrix, or a page of it, so that no row has to travel as an object. */
export async function traceMatrixTask(
  { columns, options, format, types, offset, limit }: MatrixTaskInput,
  _context: TaskContext,
): Promise<TaskResult<MatrixOutput>> {
  const examination = await examine(readTrace(columns), options);
  const { rows, total } = pageOf(examination, { types, offset, limit });
  const bytes = await writeMatrix(rows, format);
  const { totalGaps, coverage } = examination.analysis;
  return {
    result: { bytes, total, totalGaps, coverage: coverage.overall.percentage },
  };
}

function pageOf(
  { matrixRows, matrixLength }: TraceabilityExamination,
  page: {
    readonly types: readonly ArtifactType[] | undefined;
    readonly offset: number;
    readonly limit: number | undefined;
  },
): { readonly rows: Iterable<MatrixRow>; readonly total: number } {
  const { types, offset, limit } = page;
  if (!types) {
    return {
      rows: matrixRows({ offset, ...(limit === undefined ? {} : { limit }) }),
      total: matrixLength,
    };
  }
  const wanted = new Set(types);
  const all = [...matrixRows()].filter(({ type }) => wanted.has(type));
  return { rows: all.slice(offset, limit === undefined ? undefined : offset + limit), total: all.length };
}

export async function examine(trace: ReadTrace, options: TraceOptions): Promise<TraceabilityExamination> {
  return examineTraceability({ ...trace, rules: await loadTraceabilityRules(), options });
}
