import { ARTIFACT_TYPES, LINK_TYPES, MATRIX_STATES, type MapEdges, type TraceMap } from '@normtrace/engine';
import type { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { joined, sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import type { ReadContext } from '../../platform/http/route.js';
import { revisionOf } from './kept-views.js';
import { columnOf, valuesOf } from './trace-columns.js';
import { type MapNow, neighboursOf } from './trace-map.js';
import { levelOf, missingOf, SEVERITY_AT, typeOf } from './trace-matrix-page.js';
import type { TraceMatrix } from './trace-views.schemas.js';

type Row = z.output<typeof TraceMatrix>['matrix'][number];

/** Most links of a row in each direction, in all and to artifacts of one type. */
export interface MostLinks {
  readonly links: number;
  readonly perType: number;
}

/**
 * Rows as the API shows them, each as JSON in the words of `TraceMatrix`: a page may name ten thousand artifacts. What they say comes from
 * columns of the database, all else from the map.
 */
export async function writeRows(
  context: Pick<ReadContext, 'read'>,
  { map, extraction }: Pick<MapNow, 'map' | 'extraction'>,
  {
    workspaceId,
    rows,
    most,
  }: { readonly workspaceId: string; readonly rows: readonly number[]; readonly most: MostLinks },
): Promise<{ readonly revision: number; readonly rows: readonly string[] }> {
  const found = rows.map((node) => ({
    node,
    up: edgesOf(map, map.up, node, most),
    down: edgesOf(map, map.down, node, most),
  }));
  const linked = new Set<number>();
  for (const { up, down } of found) {
    for (const edge of up) linked.add(map.up.targets[edge]!);
    for (const edge of down) linked.add(map.down.targets[edge]!);
  }
  const idOf = (node: number): string => map.ids[node]!;
  const kept = KEPT_ENDS.get(map);
  const missing = kept ? [...linked].filter((node) => !kept.has(node)) : [...linked];
  const said = await readSaid(context, workspaceId, {
    rows: rows.map(idOf),
    linked: missing.map(idOf),
  });
  const ends = new Map<number, string>();
  for (const node of linked) {
    const known = kept?.get(node);
    if (known !== undefined) ends.set(node, known);
  }
  for (const node of missing) {
    const artifactId = idOf(node);
    const { id, name } = said.linked.get(artifactId) ?? NOTHING_SAID;
    const about = inner({
      id,
      artifact_id: artifactId,
      artifact_name: name || artifactId,
      artifact_type: typeOf(map, node),
    });
    ends.set(node, `{${about},"link_type":"`);
  }
  // Of another revision than the map it is not answered (`withMap`) and not kept.
  if (said.revision === revisionOf(extraction)) keepEnds(map, ends, missing);
  const linksOf = ({ targets, types }: MapEdges, edges: readonly number[]): string =>
    edges.map((edge) => `${ends.get(targets[edge]!)}${LINK_TYPES[types[edge]!]}"}`).join();
  return {
    revision: said.revision,
    rows: found.map(({ node, up, down }) => {
      const { id, name, text, result } = said.rows.get(idOf(node)) ?? NOTHING_SAID;
      const rest = {
        more_upstream: neighboursOf(map.up, node).length - up.length,
        more_downstream: neighboursOf(map.down, node).length - down.length,
        linked: { up: countByType(map, map.up, node), down: countByType(map, map.down, node) },
        status: MATRIX_STATES[map.states[node]!]!,
        missing: missingOf(map, node),
        severity: SEVERITY_AT[map.worst[node]!]!,
        result: (result || null) as Row['result'],
      } satisfies Partial<Row>;
      const own = {
        id,
        requirement_id: idOf(node),
        requirement_name: name || null,
        requirement_text: text,
        type: typeOf(map, node),
        integrity: levelOf(map, node),
      } satisfies Partial<Row>;
      const links = `"upstream_links":[${linksOf(map.up, up)}],"downstream_links":[${linksOf(map.down, down)}]`;
      return `{${inner(own)},${links},${inner(rest)}}`;
    }),
  };
}

/**
 * What is alike in all links to an artifact, as JSON, of each map: many rows of many pages link to the same ones, and reading what they are
 * called is two thirds of a page. A map is of one revision of the trace, and so is what its artifacts say.
 */
const KEPT_ENDS = new WeakMap<TraceMap, Map<number, string>>();
/** Some ten megabytes beside a map. */
const MOST_ENDS = 50_000;

function keepEnds(map: TraceMap, ends: ReadonlyMap<number, string>, added: readonly number[]): void {
  let kept = KEPT_ENDS.get(map);
  if (!kept || kept.size + added.length > MOST_ENDS) {
    kept = new Map();
    KEPT_ENDS.set(map, kept);
  }
  for (const node of added) kept.set(node, ends.get(node)!);
}

/** The members of an object as JSON, without its braces. */
const inner = (members: object): string => JSON.stringify(members).slice(1, -1);

/** An artifact without a row is defined elsewhere. */
interface Said {
  readonly id: string | null;
  readonly name: string;
  readonly text: string;
  readonly result: string;
}
const NOTHING_SAID: Said = { id: null, name: '', text: '', result: '' };

/**
 * What artifacts say that are rows, and what those are called that they are linked to (`name`), by their ids as written. What documents say
 * counts first. As columns, of some seven thousand artifacts a page, and each by its key: right after an extraction the planner knows nothing of
 * the table yet.
 */
async function readSaid(
  { read }: Pick<ReadContext, 'read'>,
  workspaceId: string,
  asked: { readonly rows: readonly string[]; readonly linked: readonly string[] },
): Promise<{
  readonly revision: number;
  readonly rows: ReadonlyMap<string, Said>;
  readonly linked: ReadonlyMap<string, Said>;
}> {
  const of = (ids: readonly string[], columns: readonly Statement[]): Statement => sql`
    (select ${joined([sql`artifact_id`, sql`origin`, sql`id::text`, ...columns].map(columnOf))}
     from unnest(${ids}::text[]) as asked (written)
     cross join lateral (
       select * from artifacts where workspace_id = ${workspaceId} and artifact_id = asked.written offset 0
     ) found)`;
  const [row] = await read<
    Readonly<Record<(typeof COLUMNS)[number], string | null>> & { revision: number }
  >(sql`
    select coalesce((select revision from trace_extractions where workspace_id = w.id), 0)::integer as revision, r.*, l.*
    from workspaces w
    cross join ${of(asked.rows, [sql`name`, sql`text`, sql`facts ->> 'result'`])} r (r_at, r_origin, r_id, r_name, r_text, r_result)
    cross join ${of(asked.linked, [sql`coalesce(name, text)`])} l (l_at, l_origin, l_id, l_name)
    where w.id = ${workspaceId}`);
  if (!row) throw notFound('workspace');
  const [written, origins, ids, names, texts, results, ...linked] = COLUMNS.map((name) =>
    valuesOf(row[name]),
  );
  return {
    revision: row.revision,
    rows: saidIn([written!, origins!, ids!, names!, texts!, results!]),
    linked: saidIn(linked),
  };
}

const COLUMNS = [
  ...(['r_at', 'r_origin', 'r_id', 'r_name', 'r_text', 'r_result'] as const),
  ...(['l_at', 'l_origin', 'l_id', 'l_name'] as const),
] as const;

function saidIn(columns: readonly (readonly string[])[]): ReadonlyMap<string, Said> {
  const [written, origins, ids, names, texts, results] = columns;
  const said = new Map<string, Said>();
  written!.forEach((artifactId, at) => {
    if (said.has(artifactId) && origins![at] !== 'document') return;
    said.set(artifactId, {
      id: ids![at]!,
      name: names![at]!,
      text: texts?.[at] ?? '',
      result: results?.[at] ?? '',
    });
  });
  return said;
}

/** Positions of the edges of a node that are shown. */
function edgesOf(map: TraceMap, { offsets, targets }: MapEdges, node: number, most: MostLinks): number[] {
  const edges: number[] = [];
  const ofType = new Uint32Array(ARTIFACT_TYPES.length);
  for (let e = offsets[node]!; e < offsets[node + 1]! && edges.length < most.links; e++) {
    const type = map.types[targets[e]!]!;
    if (ofType[type]!++ < most.perType) edges.push(e);
  }
  return edges;
}

function countByType(map: TraceMap, edges: MapEdges, node: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const other of neighboursOf(edges, node)) {
    const type = typeOf(map, other);
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}
