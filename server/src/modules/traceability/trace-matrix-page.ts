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
import type { ReadContext } from '../../platform/http/route.js';
import { idsMatching, type MapNow, neighboursOf, readShown } from './trace-map.js';
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

/** Rows under the filters in the order that is asked for, and how many each value of a filter has under the others. */
export async function matrixRowsOf(
  context: Pick<ReadContext, 'read'>,
  { map, nodes }: Pick<MapNow, 'map' | 'nodes'>,
  { query, types }: { readonly query: Asked; readonly types: readonly ArtifactType[] | undefined },
): Promise<{
  readonly rows: readonly number[];
  readonly facets: Readonly<Record<Facet, Record<string, number>>>;
}> {
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

/** Rows as the API shows them. */
export async function showRows(
  context: Pick<ReadContext, 'read'>,
  { map }: Pick<MapNow, 'map'>,
  {
    workspaceId,
    rows,
    most,
  }: { readonly workspaceId: string; readonly rows: readonly number[]; readonly most: MostLinks },
): Promise<{ readonly revision: number; readonly rows: readonly Row[] }> {
  const found = rows.map((node) => ({
    node,
    up: edgesOf(map, map.up, node, most),
    down: edgesOf(map, map.down, node, most),
  }));
  const nodes = found.flatMap(({ node, up, down }) => [
    node,
    ...up.map((e) => map.up.targets[e]!),
    ...down.map((e) => map.down.targets[e]!),
  ]);
  const { revision, shown } = await readShown(
    context,
    workspaceId,
    nodes.map((node) => map.ids[node]!),
  );
  const linksOf = ({ targets, types }: MapEdges, edges: readonly number[]): Row['upstream_links'] =>
    edges.map((e) => {
      const id = map.ids[targets[e]!]!;
      const artifact = shown.get(id);
      return {
        id: artifact?.id ?? null,
        artifact_id: id,
        artifact_name: artifact?.name ?? (artifact?.text || id),
        artifact_type: typeOf(map, targets[e]!),
        link_type: LINK_TYPES[types[e]!]!,
      };
    });
  return {
    revision,
    rows: found.map(({ node, up, down }) => {
      const id = map.ids[node]!;
      const artifact = shown.get(id);
      return {
        id: artifact?.id ?? null,
        requirement_id: id,
        requirement_name: artifact?.name ?? null,
        requirement_text: artifact?.text ?? '',
        type: typeOf(map, node),
        integrity: levelOf(map, node),
        upstream_links: linksOf(map.up, up),
        downstream_links: linksOf(map.down, down),
        more_upstream: neighboursOf(map.up, node).length - up.length,
        more_downstream: neighboursOf(map.down, node).length - down.length,
        linked: { up: countByType(map, map.up, node), down: countByType(map, map.down, node) },
        status: MATRIX_STATES[map.states[node]!]!,
        missing: missingOf(map, node),
        severity: SEVERITY_AT[map.worst[node]!]!,
        result: (artifact?.result ?? null) as Row['result'],
      };
    }),
  };
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
