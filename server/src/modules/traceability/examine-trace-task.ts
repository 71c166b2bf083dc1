import {
  type ArtifactType,
  examineTraceability,
  loadTraceabilityRules,
  type MatrixRow,
  type TraceabilityExamination,
  type TraceabilityOptions,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { type MatrixFile, type MatrixFormat, writeMatrix } from './matrix-files.js';
import type { PackedRows } from './packed-rows.js';
import { type ReadTrace, readTrace, type TraceColumns } from './read-trace.js';

export type TraceOptions = Omit<TraceabilityOptions, 'candidates'>;

export interface MatrixTaskInput {
  /** With texts. */
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  readonly format: MatrixFormat;
  /** Rows of these types only. */
  readonly types?: readonly ArtifactType[];
  /** Rows of these ids only. */
  readonly only?: readonly string[];
  /** Whether the rows come in the order of these ids, instead of the reading order. */
  readonly isOrdered?: boolean;
  /** Most links of a row in each direction; all unless told. */
  readonly links?: number;
}

export interface MatrixOutput {
  readonly matrix: PackedRows | MatrixFile;
  readonly totalGaps: number;
  readonly coverage: number | null;
}

/** Writes the trace matrix, so that no row has to travel as an object. */
export const traceMatrixTask: EngineTask<MatrixTaskInput, MatrixOutput> = {
  name: 'traceMatrix',
  processorSeconds: 120,
  work: async ({ columns, options, format, links, ...wanted }) => {
    const examination = await examine(readTrace(columns), options);
    const matrix = await writeMatrix(rowsOf(examination, wanted), format, links);
    const { totalGaps, coverage } = examination.analysis;
    return { result: { matrix, totalGaps, coverage: coverage.overall.percentage } };
  },
};

function rowsOf(
  { matrixRows }: TraceabilityExamination,
  { types, only, isOrdered = false }: Pick<MatrixTaskInput, 'types' | 'only' | 'isOrdered'>,
): Iterable<MatrixRow> {
  const ofTypes = types && new Set(types);
  const places = only && new Map(only.map((id, place) => [id, place]));
  const rows = wanted();
  return places && isOrdered
    ? [...rows].sort((a, b) => places.get(a.requirementId)! - places.get(b.requirementId)!)
    : rows;

  function* wanted(): IterableIterator<MatrixRow> {
    for (const row of matrixRows()) {
      if ((!ofTypes || ofTypes.has(row.type)) && (!places || places.has(row.requirementId))) yield row;
    }
  }
}

export async function examine(trace: ReadTrace, options: TraceOptions): Promise<TraceabilityExamination> {
  return examineTraceability({ ...trace, rules: await loadTraceabilityRules(), options });
}
