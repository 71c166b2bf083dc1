import {
  ARTIFACT_TYPES,
  LINK_TYPES,
  LISTED,
  MATRIX_STATES,
  TRACE_DUTIES,
  type TraceMap,
} from '@normtrace/engine';
import type { z } from 'zod';
import { notFound } from '../../platform/http/api-error.js';
import { type ReadContext, type Route, readRoute } from '../../platform/http/route.js';
import * as artifacts from './artifacts.repository.js';
import { ArtifactParams } from './artifacts.schemas.js';
import {
  artifactId,
  gridExample,
  neighbourhoodExample,
  obligationsExample,
  workspaceId,
} from './examples.js';
import { revisionOf } from './kept-views.js';
import * as links from './links.repository.js';
import { toTraceLink } from './links.service.js';
import { type MapNow, neighboursOf, readShown, withMap } from './trace-map.js';
import {
  GridQuery,
  NeighbourhoodQuery,
  TraceGrid,
  TraceNeighbourhood,
  TraceObligations,
} from './trace-map.schemas.js';
import { levelOf, missingOf, SEVERITY_AT, typeOf } from './trace-matrix-page.js';
import { TraceQuery } from './trace-views.schemas.js';
import { optionsOfQuery, toExtraction, USUAL_OPTIONS } from './trace-views.service.js';

const tag = 'Traceability';

const getObligations = readRoute({
  operation: 'getTraceObligations',
  method: 'GET',
  path: '/traceability/obligations',
  tag,
  summary: 'Count what artifacts owe and have',
  description:
    'For each type of artifact: how many owe something above them, below them, a verification, a result, and how many have it, by ' +
    'integrity level. The artifacts that lack something are listed by `GET /traceability/matrix` with `type` and `missing`.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: TraceQuery,
  answer: TraceObligations,
  examples: { query: { workspace_id: workspaceId }, answer: obligationsExample },
  handle: (context) => {
    const { query } = context;
    return withMap(
      context,
      { workspaceId: query.workspace_id, options: optionsOfQuery(query) },
      async (now) => ({
        revision: revisionOf(now.extraction),
        answer: {
          types: obligationsOf(now.map),
          end_to_end: { ...now.map.endToEnd },
          gaps: now.map.totalGaps,
          extraction: toExtraction(now.extraction),
        },
      }),
    );
  },
});

function obligationsOf(map: TraceMap): z.output<typeof TraceObligations>['types'] {
  const nodesOf = ARTIFACT_TYPES.map((): number[] => []);
  for (let node = 0; node < map.defined; node++) {
    if (map.listed[node] !== LISTED.no) nodesOf[map.types[node]!]!.push(node);
  }
  return ARTIFACT_TYPES.flatMap((type, at) => {
    const nodes = nodesOf[at]!;
    if (nodes.length === 0) return [];
    const worst = (severity: number): number => nodes.filter((node) => map.worst[node] === severity).length;
    const duties = TRACE_DUTIES.flatMap((duty, bit) => {
      const owing = nodes.filter((node) => map.owed[node]! & (1 << bit));
      if (owing.length === 0) return [];
      const byIntegrity: Record<string, { owed: number; met: number }> = {};
      let met = 0;
      for (const node of owing) {
        const isMet = Number((map.met[node]! & (1 << bit)) !== 0);
        met += isMet;
        const name = levelOf(map, node) ?? 'none';
        const level = byIntegrity[name] ?? { owed: 0, met: 0 };
        byIntegrity[name] = { owed: level.owed + 1, met: level.met + isMet };
      }
      const percentage = Math.floor((2000 * met + owing.length) / (2 * owing.length)) / 10;
      return [{ duty, owed: owing.length, met, percentage, by_integrity: byIntegrity }];
    });
    const gaps = { critical: worst(4), high: worst(3), medium: worst(2), low: worst(1) };
    return [{ type, count: nodes.length, duties, gaps }];
  });
}

const getGrid = readRoute({
  operation: 'getTraceGrid',
  method: 'GET',
  path: '/traceability/grid',
  tag,
  summary: 'Read a window of the grid of two types',
  description:
    'Rows of one type, columns of another, and which of them are linked directly, in either direction. `next` finds the next filled cell ' +
    'of a sparse grid.',
  permission: 'analyses.read',
  within: ({ query }) => query.workspace_id,
  resource: 'workspace',
  query: GridQuery,
  answer: TraceGrid,
  examples: {
    query: { workspace_id: workspaceId, rows: 'safety_goal', columns: 'functional_safety_requirement' },
    answer: gridExample,
  },
  handle: (context) => {
    const { query } = context;
    const place = { workspaceId: query.workspace_id, options: optionsOfQuery(query) };
    return withMap(context, place, (now) => gridOf(context, now, query));
  },
});

async function gridOf(
  context: Pick<ReadContext, 'read'>,
  { map, extraction }: MapNow,
  query: z.output<typeof GridQuery>,
): Promise<{ readonly revision: number; readonly answer: z.output<typeof TraceGrid> }> {
  const all = { rows: activeOf(map, query.rows), columns: activeOf(map, query.columns) };
  const cellsOf = new Map<number, (readonly [other: number, type: number])[]>();
  const linked = new Map<number, number>();
  const isColumn = new Set(all.columns);
  for (const row of all.rows) {
    // The first link between two: of one artifact there may be a hundred thousand.
    const cells = new Map<number, number>();
    for (const { offsets, targets, types } of [map.down, map.up]) {
      for (let e = offsets[row]!; e < offsets[row + 1]!; e++) {
        const other = targets[e]!;
        if (isColumn.has(other) && !cells.has(other)) cells.set(other, types[e]!);
      }
    }
    for (const other of cells.keys()) linked.set(other, (linked.get(other) ?? 0) + 1);
    cellsOf.set(row, [...cells]);
  }
  const countOf = {
    row: (row: number) => cellsOf.get(row)!.length,
    column: (one: number) => linked.get(one) ?? 0,
  };
  const kept = (nodes: readonly number[], count: (node: number) => number): readonly number[] =>
    query.only === undefined ? nodes : nodes.filter((node) => count(node) > 0 === (query.only === 'linked'));
  const rows = kept(all.rows, countOf.row);
  const columns = kept(all.columns, countOf.column);
  const columnAt = new Map(columns.map((node, at) => [node, at]));
  const filled = (row: number): readonly (readonly [column: number, type: number])[] =>
    cellsOf
      .get(rows[row]!)!
      .flatMap(([other, type]) => (columnAt.has(other) ? [[columnAt.get(other)!, type] as const] : []))
      .sort(([a], [b]) => a - b);

  const shownRows = rows.slice(query.row_offset, query.row_offset + query.row_limit);
  const lastColumn = query.column_offset + query.column_limit;
  const shownColumns = columns.slice(query.column_offset, lastColumn);
  const idOf = (node: number): string => map.ids[node]!;
  const { revision, shown } = await readShown(
    context,
    query.workspace_id,
    [...shownRows, ...shownColumns].map(idOf),
  );
  const states = await linkStates(context, query.workspace_id, {
    from: shownRows.map(idOf),
    to: shownColumns.map(idOf),
  });
  const cells = shownRows.flatMap((row, at) =>
    filled(query.row_offset + at)
      .filter(([column]) => column >= query.column_offset && column < lastColumn)
      .map(([column, type]) => {
        const state = states.get(pairOf(idOf(row), idOf(columns[column]!)));
        return {
          row: query.row_offset + at,
          column,
          link_type: LINK_TYPES[type]!,
          suspect: state?.suspect ?? false,
          assumed: state?.assumed ?? false,
        };
      }),
  );
  const axis = (nodes: readonly number[], total: number, count: (node: number) => number) => ({
    total,
    items: nodes.map((node) => {
      const artifact = shown.get(idOf(node));
      return {
        id: artifact?.id ?? null,
        artifact_id: idOf(node),
        name: artifact?.name ?? (artifact?.text || idOf(node)),
        links: count(node),
      };
    }),
  });
  return {
    revision,
    answer: {
      rows: axis(shownRows, rows.length, countOf.row),
      columns: axis(shownColumns, columns.length, countOf.column),
      cells,
      next: nextFilled(),
      extraction: toExtraction(extraction),
    },
  };

  function nextFilled(): { row: number; column: number } | null {
    const { after_row: afterRow, after_column: afterColumn } = query;
    if (afterRow === undefined) return null;
    for (let row = afterRow; row < rows.length; row++) {
      const found = filled(row).find(([column]) => row > afterRow || column > (afterColumn ?? -1));
      if (found) return { row, column: found[0] };
    }
    return null;
  }
}

function activeOf(map: TraceMap, type: (typeof ARTIFACT_TYPES)[number]): readonly number[] {
  const wanted = ARTIFACT_TYPES.indexOf(type);
  const nodes: number[] = [];
  for (let node = 0; node < map.defined; node++) {
    if (map.types[node] === wanted && map.listed[node] !== LISTED.no) nodes.push(node);
  }
  return nodes;
}

const pairOf = (a: string, b: string): string => [a, b].sort().join('\u001e');

/** What people say of the links between two sets of artifacts, by pair. */
async function linkStates(
  { read }: Pick<ReadContext, 'read'>,
  workspace: string,
  ends: { readonly from: readonly string[]; readonly to: readonly string[] },
): Promise<ReadonlyMap<string, { readonly suspect: boolean; readonly assumed: boolean }>> {
  const states = new Map<string, { suspect: boolean; assumed: boolean }>();
  for (const row of await read<links.LinkRow>(links.selectBetween(workspace, ends))) {
    const { suspect, assumed } = toTraceLink(row);
    const pair = pairOf(row.source_id, row.target_id);
    const known = states.get(pair);
    states.set(pair, {
      suspect: suspect !== null || (known?.suspect ?? false),
      assumed: assumed !== null && (known?.assumed ?? true),
    });
  }
  return states;
}

const getNeighbourhood = readRoute({
  operation: 'getTraceNeighbourhood',
  method: 'GET',
  path: '/traceability/artifacts/:id/neighbourhood',
  tag,
  summary: 'Read what is linked around an artifact',
  description:
    'Artifacts some steps above and below one, the nearest first, with the links between them: what a picture of it is drawn from.',
  permission: 'analyses.read',
  within: ({ params }) => artifacts.workspaceOfArtifact(params.id),
  resource: 'artifact',
  params: ArtifactParams,
  query: NeighbourhoodQuery,
  answer: TraceNeighbourhood,
  examples: { params: { id: artifactId }, answer: neighbourhoodExample },
  handle: async (context) => {
    const { params, query, read } = context;
    const [artifact] = await read<artifacts.ArtifactRow>(artifacts.selectArtifact(params.id));
    if (!artifact) throw notFound('artifact');
    const { workspace_id: workspace, artifact_id: centre } = artifact;
    const options = USUAL_OPTIONS;
    const grown = query.grown
      ? (await read<{ artifact_id: string }>(artifacts.selectWrittenIds(workspace, query.grown))).map(
          (one) => one.artifact_id,
        )
      : [];
    return withMap(context, { workspaceId: workspace, options }, async ({ map, nodes, extraction }) => {
      const start = nodes.get(centre);
      const { depths, truncated } =
        start === undefined
          ? NONE
          : around(map, start, { ...query, grown: grown.flatMap((id) => nodes.get(id) ?? []) });
      const ids = [...depths.keys()].map((node) => map.ids[node]!);
      const { revision, shown } = await readShown(context, workspace, ids);
      const rows = await read<links.LinkRow>(links.selectAround(workspace, { centre, ids }));
      const answer = {
        nodes: [...depths].map(([node, depth]) => {
          const id = map.ids[node]!;
          const one = shown.get(id);
          const hidden = (edges: TraceMap['up']): number =>
            neighboursOf(edges, node).filter((other) => !depths.has(other)).length;
          return {
            id: one?.id ?? null,
            artifact_id: id,
            depth,
            type: typeOf(map, node),
            name: (one?.name ?? (one?.text || id)).slice(0, MOST_LETTERS),
            integrity: levelOf(map, node),
            result: (one?.result ?? null) as z.output<typeof TraceNeighbourhood>['nodes'][number]['result'],
            status: MATRIX_STATES[map.states[node]!]!,
            missing: missingOf(map, node),
            severity: SEVERITY_AT[map.worst[node]!]!,
            work_product_id: one?.work_product_id ?? null,
            version: one?.version ?? null,
            range: one && one.start !== null && one.end !== null ? { start: one.start, end: one.end } : null,
            more_up: hidden(map.up),
            more_down: hidden(map.down),
          };
        }),
        links: rows.map((row) => {
          const { id, source_id, target_id, link_type, origin, suspect, assumed, dangling, confirmed_by } =
            toTraceLink(row);
          return {
            ...{ id, source_id, target_id, link_type, origin, dangling },
            suspect: suspect !== null,
            assumed: assumed !== null,
            confirmed: confirmed_by !== null,
          };
        }),
        truncated,
        extraction: toExtraction(extraction),
      };
      return { revision, answer };
    });
  },
});

/** Letters of a name that a picture has room for, in every case. */
const MOST_LETTERS = 300;
const NONE = { depths: new Map<number, number>(), truncated: false };

/**
 * Nodes by their steps from one: up only further up, down only further down, the nearest first; after them what is linked with the
 * `grown` ones.
 */
function around(
  { up, down }: TraceMap,
  start: number,
  query: Omit<z.output<typeof NeighbourhoodQuery>, 'grown'> & { readonly grown: readonly number[] },
): { readonly depths: ReadonlyMap<number, number>; readonly truncated: boolean } {
  const depths = new Map([[start, 0]]);
  let ends = { up: [start], down: [start] };
  const step = (edges: TraceMap['up'], from: readonly number[], depth: number): number[] | undefined => {
    const found: number[] = [];
    for (const node of from) {
      for (const other of neighboursOf(edges, node)) {
        if (depths.has(other)) continue;
        if (depths.size >= query.limit) return undefined;
        depths.set(other, depth);
        found.push(other);
      }
    }
    return found;
  };
  for (let distance = 1; distance <= Math.max(query.up, query.down); distance++) {
    const above = distance <= query.up ? step(up, ends.up, -distance) : [];
    const below = distance <= query.down ? step(down, ends.down, distance) : [];
    if (!above || !below) return { depths, truncated: true };
    ends = { up: above, down: below };
  }
  // Those that another one brought in grow after it, in whichever order they are named.
  const growing = new Set(query.grown);
  for (let grew = true; grew; ) {
    grew = false;
    for (const node of growing) {
      const depth = depths.get(node);
      if (depth === undefined) continue;
      growing.delete(node);
      grew = true;
      if (!step(up, [node], depth - 1) || !step(down, [node], depth + 1)) return { depths, truncated: true };
    }
  }
  return { depths, truncated: false };
}

export const traceMapRoutes: readonly Route[] = [getObligations, getGrid, getNeighbourhood];
