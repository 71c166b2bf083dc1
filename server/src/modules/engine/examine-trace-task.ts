import {
  type Artifact,
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
import type { TaskContext, TaskResult } from '../../platform/threads/serve-tasks.js';
import type { ArtifactFacts, StoredStatement } from './extract-trace-task.js';
import { type MatrixFormat, writeMatrix } from './matrix-files.js';
import { valuesOf } from './trace-columns.js';

/**
 * The trace of a workspace as it comes from the database: each column one text, null where there are no rows. Links
 * that a person rejected are not in it.
 */
export interface TraceColumns {
  readonly artifact_ids: string | null;
  readonly types: string | null;
  readonly asils: string | null;
  readonly statuses: string | null;
  /** JSON of `ExtraFacts`, or nothing. */
  readonly facts: string | null;
  /** Only for the matrix. */
  readonly texts?: string | null;
  readonly names?: string | null;
  readonly source_ids: string | null;
  readonly target_ids: string | null;
  readonly link_types: string | null;
  readonly stated_at: string | null;
}

/** What few artifacts have; `statements` where the documents state the id several times. */
interface ExtraFacts extends ArtifactFacts {
  readonly text?: string;
  readonly document_type?: string;
  readonly told_type?: ArtifactType;
  readonly statements?: readonly StoredStatement[];
}

export type TraceOptions = Omit<TraceabilityOptions, 'candidates'>;

export interface TraceAnalysisTaskInput {
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
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

/** Ids listed of requirements without test. */
const LISTED_WITHOUT_TEST = 10_000;

/** Examines the trace of a workspace. */
export async function examineTraceTask(
  { columns, options }: TraceAnalysisTaskInput,
  _context: TaskContext,
): Promise<TaskResult<ExaminedTrace>> {
  const links = linksOf(columns);
  const { analysis, withoutTest } = await examine(columns, links, options);
  const all = withoutTest();
  return {
    result: {
      analysis,
      shownBy: analysis.gaps.map((gap) => shownBy(gap, links)),
      withoutTest: all.slice(0, LISTED_WITHOUT_TEST),
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
  const examination = await examine(columns, linksOf(columns), options);
  const { rows, total } = pageOf(examination, { types, offset, limit });
  const bytes = await writeMatrix(rows, format);
  const { totalGaps, coverage } = examination.analysis;
  return {
    result: { bytes, total, totalGaps, coverage: coverage.overall.percentage },
    transfer: [bytes.buffer as ArrayBuffer],
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

export async function examine(
  columns: TraceColumns,
  links: readonly TraceLink[],
  options: TraceOptions,
): Promise<TraceabilityExamination> {
  return examineTraceability({
    artifacts: artifactsOf(columns),
    links,
    rules: await loadTraceabilityRules(),
    options,
  });
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

export function artifactsOf(columns: TraceColumns): Artifact[] {
  const ids = valuesOf(columns.artifact_ids);
  const types = valuesOf(columns.types) as ArtifactType[];
  const asils = valuesOf(columns.asils);
  const statuses = valuesOf(columns.statuses);
  const facts = valuesOf(columns.facts);
  const texts = valuesOf(columns.texts ?? null);
  const names = valuesOf(columns.names ?? null);
  const read = factsReader();
  const artifacts: Artifact[] = [];
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!;
    const type = types[at]!;
    const extra = facts[at] === '' ? undefined : read(facts[at]!);
    if (extra?.statements) {
      for (const statement of extra.statements) artifacts.push(statedArtifact(id, type, extra, statement));
      continue;
    }
    const artifact: Writable<Artifact> = { id, type, text: texts[at] ?? extra?.text ?? '' };
    if (names[at]) artifact.name = names[at];
    if (asils[at] !== '') artifact.asil = asils[at]!;
    if (statuses[at] !== '') artifact.status = statuses[at]!;
    if (extra) {
      const { text: _text, document_type, told_type: _told, statements: _statements, ...own } = extra;
      if (document_type !== undefined) artifact.documentType = document_type;
      Object.assign(artifact, own);
    }
    artifacts.push(artifact);
  }
  return artifacts;
}

/** A person's word about the type holds for every statement that says what the used one says. */
function statedArtifact(
  id: string,
  type: ArtifactType,
  { told_type }: ExtraFacts,
  { facts, work_product_id, version: _version, location, documentType, ...stated }: StoredStatement,
): Artifact {
  return {
    id,
    ...stated,
    ...(told_type === undefined ? {} : { type }),
    ...(documentType === undefined ? {} : { documentType }),
    ...facts,
    documentId: work_product_id,
    location,
  };
}

/** Most facts are those of many artifacts: each text is read once. */
function factsReader(): (text: string) => ExtraFacts {
  const known = new Map<string, ExtraFacts>();
  return (text) => {
    let facts = known.get(text);
    if (!facts) {
      facts = JSON.parse(text) as ExtraFacts;
      if (known.size < 10_000) known.set(text, facts);
    }
    return facts;
  };
}

export function linksOf(columns: TraceColumns): TraceLink[] {
  const sources = valuesOf(columns.source_ids);
  const targets = valuesOf(columns.target_ids);
  const types = valuesOf(columns.link_types) as LinkType[];
  const places = valuesOf(columns.stated_at) as ('source' | 'target' | 'both')[];
  return sources.map((sourceId, at) => ({
    sourceId,
    targetId: targets[at]!,
    type: types[at]!,
    statedAt: places[at]!,
  }));
}
