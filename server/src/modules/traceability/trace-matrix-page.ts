import {
  ARTIFACT_TYPES,
  type ArtifactType,
  LINK_TYPES,
  LISTED,
  MATRIX_STATES,
  type MapEdges,
  TRACE_DUTIES,
  type TraceMap,
} from '@normtrace/engine';
import type { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { joined, sql } from '../../platform/database/sql.js';
import { notFound } from '../../platform/http/api-error.js';
import type { ReadContext } from '../../platform/http/route.js';
import { columnOf, valuesOf } from './trace-columns.js';
import { idsMatching, type MapNow, neighboursOf } from './trace-map.js';
import type { MATRIX_SORTS, MatrixQuery, TraceMatrix } from './trace-views.schemas.js';

type Asked = z.output<typeof MatrixQuery>;
type Row = z.output<typeof TraceMatrix>['matrix'][number];

/** The severity that a map tells by its number. */
export const SEVERITY_AT = [null, 'low', 'medium', 'high', 'critical'] as const;
/** Stands for no integrity level in filters and facets. */
const NO_LEVEL = 'none';

export const typeOf = ({ types }: TraceMap, node: number): ArtifactType => ARTIFACT_TYPES[types[node]!]!;
export const levelOf = ({ levels, integrity }: TraceMap, node: number): string | null =>
  levels[integrity[node]!] || null;
/** What a node owes and has not. */
export const missingOf = ({ owed, met }: TraceMap, node: number) =>
  TRACE_DUTIES.filter((_, bit) => owed[node]! & ~met[node]! & (1 << bit));

const FACETS = ['status', 'type', 'integrity', 'missing'] as const;
type Facet = (typeof FACETS)[number];

interface MatrixRows {
  readonly rows: readonly number[];
  readonly facets: Readonly<Record<Facet, Record<string, number>>>;
}

/** What was found last of each map, by the question: who leafs through a matrix asks the same for each page. */
const LAST_FOUND = new WeakMap<TraceMap, Map<string, MatrixRows>>();
const MOST_FOUND = 4;

/** Rows under the filters in the order that is asked for, and how many each value of a filter has under the others. */
export async function matrixRowsOf(
  context: Pick<ReadContext, 'read'>,
  now: Pick<MapNow, 'map' | 'nodes'>,
  asked: { readonly query: Asked; readonly types: readonly ArtifactType[] | undefined },
): Promise<MatrixRows> {
  const { query, types } = asked;
  const key = JSON.stringify([types, FILTERS.map((name) => query[name])]);
  const known = LAST_FOUND.get(now.map) ?? new Map<string, MatrixRows>();
  LAST_FOUND.set(now.map, known);
  const rows = known.get(key) ?? (await findRows(context, now, asked));
  known.delete(key);
  known.set(key, rows);
  if (known.size > MOST_FOUND) known.delete(known.keys().next().value!);
  return rows;
}

/** What leaves rows out. */
export const FILTERS = [
  ...(['status', 'type', 'integrity', 'missing', 'work_product_id', 'search', 'below', 'above'] as const),
  // Or gives them another order.
  'sort',
] as const;

async function findRows(
  context: Pick<ReadContext, 'read'>,
  { map, nodes }: Pick<MapNow, 'map' | 'nodes'>,
  { query, types }: { readonly query: Asked; readonly types: readonly ArtifactType[] | undefined },
): Promise<MatrixRows> {
  const ids = await idsMatching(context, query.workspace_id, query);
  const scope = types && new Set(types);
  const valuesOf: Readonly<Record<Facet, (node: number) => readonly string[]>> = {
    status: (node) => [MATRIX_STATES[map.states[node]!]!],
    type: (node) => [typeOf(map, node)],
    integrity: (node) => [levelOf(map, node) ?? NO_LEVEL],
    missing: (node) => missingOf(map, node),
  };
  const wanted = Object.fromEntries(
    FACETS.map((name) => [name, query[name] && new Set<string>(query[name])]),
  ) as Record<Facet, ReadonlySet<string> | undefined>;
  const facets = { status: {}, type: {}, integrity: {}, missing: {} } as Record<
    Facet,
    Record<string, number>
  >;
  const rows: number[] = [];
  for (const node of within()) {
    if (scope && !scope.has(typeOf(map, node))) continue;
    if (ids && !ids.has(map.ids[node]!)) continue;
    const failed = FACETS.filter((name) => {
      const values = wanted[name];
      return values && !valuesOf[name](node).some((value) => values.has(value));
    });
    if (failed.length === 0) rows.push(node);
    if (failed.length > 1) continue;
    for (const name of failed.length === 1 ? failed : FACETS) {
      const counts = facets[name];
      for (const value of valuesOf[name](node)) counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  return { rows: query.sort ? sorted(map, rows, query.sort) : rows, facets };

  /** Goals and requirements; all that is active where types are named; neighbours where they are asked for. */
  function* within(): IterableIterator<number> {
    const { below, above, type } = query;
    if (below !== undefined || above !== undefined) {
      const of = (id: string | undefined, edges: MapEdges): ReadonlySet<number> | undefined => {
        if (id === undefined) return undefined;
        const node = nodes.get(id);
        return new Set(node === undefined ? [] : neighboursOf(edges, node));
      };
      const [down, up] = [of(below, map.down), of(above, map.up)];
      const both = [...(down ?? up ?? [])].filter((node) => !down || !up || up.has(node));
      const isDefined = (node: number): boolean => node < map.defined;
      yield* both.filter(isDefined).sort((a, b) => map.types[a]! - map.types[b]! || a - b);
      return;
    }
    const least = type ? LISTED.active : LISTED.inMatrix;
    for (let node = 0; node < map.defined; node++) if (map.listed[node]! >= least) yield node;
  }
}

type Field = (typeof MATRIX_SORTS)[number];

/** What nodes are ordered by. */
const KEYS: Readonly<Record<Field, (map: TraceMap) => (node: number) => number | string>> = {
  id: (map) => {
    const words = orderedIds(map);
    return (node) => words[node]!;
  },
  type:
    ({ types }) =>
    (node) =>
      types[node]!,
  integrity:
    ({ integrity, levelPlaces }) =>
    (node) =>
      levelPlaces[integrity[node]!]!,
  status:
    ({ states }) =>
    (node) =>
      states[node]!,
  severity:
    ({ worst }) =>
    (node) =>
      worst[node]!,
  links:
    ({ up, down }) =>
    (node) =>
      neighboursOf(up, node).length + neighboursOf(down, node).length,
};

function sorted(map: TraceMap, rows: readonly number[], sort: Field | `-${Field}`): readonly number[] {
  const sign = sort.startsWith('-') ? -1 : 1;
  const keyOf = KEYS[sort.replace(/^-/, '') as Field](map);
  return rows
    .map((node) => ({ node, key: keyOf(node) }))
    .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
    .map(({ node }) => node);
}

const ORDERED_IDS = new WeakMap<TraceMap, readonly string[]>();

/** Ids in which numbers are as long as each other, so that they are ordered as people count. Made once for each map. */
function orderedIds(map: TraceMap): readonly string[] {
  const known = ORDERED_IDS.get(map);
  if (known) return known;
  const words = map.ids.map((id) => id.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0')));
  ORDERED_IDS.set(map, words);
  return words;
}

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
  { map }: Pick<MapNow, 'map'>,
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
  const said = await readSaid(context, workspaceId, {
    rows: rows.map(idOf),
    linked: [...linked].map(idOf),
  });
  // What is alike in all links to an artifact is written once.
  const ends = new Map<number, string>();
  for (const node of linked) {
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
