import type { ArtifactType, MapEdges, TraceMap } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import { containing } from '../../platform/http/pagination.js';
import type { ReadContext } from '../../platform/http/route.js';
import { examineStoredTrace, PATIENCE_MILLISECONDS } from './examine-trace.js';
import type { TraceOptions } from './examine-trace-task.js';
import { revisionOf, type TraceView } from './kept-views.js';
import { madeView } from './made-views.js';
import { unpackView } from './make-views-task.js';
import { packRows } from './packed-rows.js';
import type { StoredExtraction } from './trace.repository.js';
import { valuesOf } from './trace-columns.js';
import { type PackedMap, traceMapTask, type WholeTrace } from './trace-map-task.js';
import { areUsual } from './trace-views.service.js';
import { viewNow } from './view-now.js';

interface MapView extends TraceView {
  readonly map: TraceMap & WholeTrace;
  /** Nodes by their id as written. */
  readonly nodes: ReadonlyMap<string, number>;
}

export interface MapNow {
  readonly map: TraceMap & WholeTrace;
  readonly nodes: ReadonlyMap<string, number>;
  readonly extraction: StoredExtraction | null;
}

type Reading = Pick<ReadContext, 'read' | 'request' | 'dependencies'>;

/** The examined trace of a workspace as numbers, from what is kept or made. Throws 404 when the workspace is not visible. */
async function mapNow(context: Reading, workspaceId: string, options: TraceOptions): Promise<MapNow> {
  const { view, extraction } = await viewNow<MapView>(context, {
    workspaceId,
    what: ['map', options],
    make: async () => {
      const { extraction, result } =
        (areUsual(options) && (await storedMap(context, workspaceId))) ||
        (await examineStoredTrace(context.read, context.request.server.engine, {
          task: traceMapTask,
          input: { workspaceId, options },
          signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
        }));
      const map = { ...result, ids: valuesOf(result.ids === '' ? null : result.ids) };
      const nodes = new Map(map.ids.map((id, node) => [id, node]));
      return { extraction, map, nodes, rows: packRows([]), bytes: bytesOf(map, result.ids.length) };
    },
  });
  return { map: view.map, nodes: view.nodes, extraction };
}

async function storedMap(context: Reading, workspaceId: string) {
  const stored = await madeView(context, workspaceId, 'map');
  return stored && { extraction: stored.extraction, result: await unpackView<PackedMap>(stored.made) };
}

/** About; ids are there twice. */
const bytesOf = ({ ids, down, up }: TraceMap, letters: number): number =>
  2 * letters + 60 * ids.length + edgeBytes(down) + edgeBytes(up);
const edgeBytes = ({ targets, types }: MapEdges): number => targets.byteLength + types.byteLength;

/** How often it begins again when the trace is swapped between the map and what is read of its artifacts. */
const ATTEMPTS = 5;

/**
 * What `answer` makes of the map and of rows that it reads: all of one state of the trace.
 * @param answer Its reading tells the revision that the rows are of.
 */
export async function withMap<Answer>(
  context: Reading,
  { workspaceId, options }: { readonly workspaceId: string; readonly options: TraceOptions },
  answer: (now: MapNow) => Promise<{ readonly revision: number; readonly answer: Answer }>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const now = await mapNow(context, workspaceId, options);
    const found = await answer(now);
    if (found.revision === revisionOf(now.extraction)) return found.answer;
  }
  throw new ApiError('SERVICE_UNAVAILABLE', 'The trace changes all the time. Try again in a moment.');
}

/** What lists show of an artifact. */
export interface ShownArtifact {
  readonly id: string;
  readonly artifact_id: string;
  readonly type: ArtifactType;
  readonly name: string | null;
  readonly text: string;
  readonly result: string | null;
  readonly work_product_id: string | null;
  readonly version: number | null;
  readonly start: number | null;
  readonly end: number | null;
}

/** Artifacts by their ids as written, with the revision of the trace that they are of. What documents say counts first. */
export async function readShown(
  { read }: Pick<ReadContext, 'read'>,
  workspaceId: string,
  ids: Iterable<string>,
): Promise<{ readonly revision: number; readonly shown: ReadonlyMap<string, ShownArtifact> }> {
  const [row] = await read<{ revision: number; artifacts: readonly ShownArtifact[] }>(sql`
    select coalesce((select revision from trace_extractions where workspace_id = w.id), 0)::integer as revision,
           coalesce((
             select json_agg(a) from unnest(${[...new Set(ids)]}::text[]) as asked (id)
             cross join lateral (
               select a.id, a.artifact_id, a.type, a.name, a.text, a.facts ->> 'result' as result, a.work_product_id, a.version,
                      a.start_offset as start, a.end_offset as "end"
               from versioned_artifacts a where a.workspace_id = w.id and a.artifact_id = asked.id order by a.origin limit 1
             ) a), '[]') as artifacts
    from workspaces w where w.id = ${workspaceId}`);
  if (!row) throw notFound('workspace');
  return { revision: row.revision, shown: new Map(row.artifacts.map((one) => [one.artifact_id, one])) };
}

/** Ids as written of the artifacts that hold these words, or stand in this document. Undefined: all. */
export async function idsMatching(
  { read }: Pick<ReadContext, 'read'>,
  workspaceId: string,
  {
    search,
    work_product_id,
  }: { readonly search?: string | undefined; readonly work_product_id?: string | undefined },
): Promise<ReadonlySet<string> | undefined> {
  if (search === undefined && work_product_id === undefined) return undefined;
  const all = sql`true`;
  const inWords = (words: string): Statement =>
    sql`(artifact_id ilike ${words} or name ilike ${words} or text ilike ${words})`;
  const [row] = await read<{ ids: readonly string[] }>(sql`
    select coalesce(json_agg(artifact_id), '[]') as ids from artifacts
    where workspace_id = ${workspaceId} and ${search === undefined ? all : inWords(containing(search))}
      and ${work_product_id === undefined ? all : sql`work_product_id = ${work_product_id}`}`);
  return new Set(row?.ids);
}

/** Neighbours of a node, in the order of the map. */
export const neighboursOf = ({ offsets, targets }: MapEdges, node: number): Int32Array =>
  targets.subarray(offsets[node]!, offsets[node + 1]!);
