import {
  ARTIFACT_TYPES,
  type ArtifactType,
  LISTED,
  MATRIX_STATES,
  type MapEdges,
  TRACE_DUTIES,
  type TraceMap,
} from '@normtrace/engine';
import type { z } from 'zod';
import type { ReadContext } from '../../platform/http/route.js';
import { idsMatching, type MapNow, neighboursOf } from './trace-map.js';
import type { MATRIX_SORTS, MatrixQuery } from './trace-views.schemas.js';

type Asked = z.output<typeof MatrixQuery>;

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
