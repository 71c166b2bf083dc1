import { ARTIFACT_TYPES } from '../../facts/artifacts/artifact.js';
import { LINK_TYPES } from '../../facts/artifacts/trace-link.js';
import type { FoundGap } from './findings.js';
import type { Relation as Edges } from './graph.js';
import { type MatrixBasis, statusOf } from './matrix.js';
import { FLAG, ROLE } from './nodes.js';
import { OWES } from './obligations.js';
import type { TraceGraph } from './trace-graph.js';
import type { MatrixStatus } from './traceability.js';

/** What an artifact can lack. The position is the bit in `owed` and `met`. */
export const TRACE_DUTIES = ['upstream', 'downstream', 'verification', 'evidence'] as const;
export type TraceDuty = (typeof TRACE_DUTIES)[number];

/** Positions are the values of `states`. */
export const MATRIX_STATES = [
  'complete',
  'partial',
  'missing',
  'orphan',
] as const satisfies readonly MatrixStatus[];

/** What stands in the matrix: nothing that is inactive, informational or of somebody else. */
export const LISTED = { no: 0, active: 1, inMatrix: 2 } as const;

/** Edges of all relations together: the neighbours of node `i` are `targets[offsets[i]] … targets[offsets[i + 1] - 1]`. */
export interface MapEdges {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
  /** Positions in `LINK_TYPES` of the first link that states each edge. */
  readonly types: Uint8Array;
}

/**
 * An examined trace as numbers, for pictures and lists of it: arrays by node, in the order of the artifacts; ids that stand for
 * something outside follow after them.
 */
export interface TraceMap {
  readonly ids: readonly string[];
  /** Nodes that are artifacts: 0 … defined - 1. */
  readonly defined: number;
  /** Positions in `ARTIFACT_TYPES`. */
  readonly types: Uint8Array;
  /** Values of `LISTED`. */
  readonly listed: Uint8Array;
  /** Positions in `levels`. */
  readonly integrity: Uint8Array;
  /** Integrity levels as they are printed; the empty one first. */
  readonly levels: readonly string[];
  /** The place of each of `levels` when they are ordered from none to the highest. */
  readonly levelPlaces: readonly number[];
  /** Bits of `TRACE_DUTIES`. */
  readonly owed: Uint8Array;
  readonly met: Uint8Array;
  /** Positions in `MATRIX_STATES`; what owes nothing is complete. */
  readonly states: Uint8Array;
  /** The worst gap on it: 0 none, 1 low … 4 critical. */
  readonly worst: Uint8Array;
  /** Towards evidence and towards the origin. */
  readonly down: MapEdges;
  readonly up: MapEdges;
}

const WORST = { low: 1, medium: 2, high: 3, critical: 4 } as const;
type Direction = 'forward' | 'backward';

/** Linear in artifacts and links. */
export function traceMap(graph: TraceGraph, basis: MatrixBasis): TraceMap {
  const { nodes, relations, integrity } = graph;
  const size = nodes.ids.length;
  const unknown = ARTIFACT_TYPES.indexOf('unknown');
  const types = new Uint8Array(size).fill(unknown);
  const listed = new Uint8Array(size);
  const states = new Uint8Array(size);
  const worst = worstOf(size, basis.gaps);
  const free = FLAG.inactive | FLAG.informational | FLAG.external;
  const withGap = worst.map((severity) => Number(severity > 0));
  for (let node = 0; node < nodes.defined; node++) {
    types[node] = ARTIFACT_TYPES.indexOf(nodes.artifacts[node]!.type);
    const role = nodes.role[node];
    const inMatrix = role === ROLE.goal || role === ROLE.requirement;
    const isActive = (nodes.flags[node]! & free) === 0;
    if (isActive) listed[node] = inMatrix ? LISTED.inMatrix : LISTED.active;
    const state = isActive && inMatrix ? statusOf(graph, node, { ...basis, withGap }) : plainState(node);
    states[node] = MATRIX_STATES.indexOf(state);
  }
  return {
    ids: nodes.ids,
    defined: nodes.defined,
    types,
    listed,
    integrity,
    levels: nodes.scale.codes.map((code, at) => (at === 0 ? '' : code.print)),
    levelPlaces: [...nodes.scale.order],
    owed: basis.obligations.owed,
    met: basis.obligations.met,
    states,
    worst,
    down: joined(graph, [
      [relations.refines, 'backward'],
      [relations.realised_by, 'forward'],
      [relations.verified_by, 'forward'],
      [relations.evidenced_by, 'forward'],
    ]),
    up: joined(graph, [
      [relations.refines, 'forward'],
      [relations.realised_by, 'backward'],
      [relations.verified_by, 'backward'],
      [relations.evidenced_by, 'backward'],
    ]),
  };

  /** Of what is no goal or requirement. */
  function plainState(node: number): MatrixStatus {
    const lacks = basis.obligations.owed[node]! & ~basis.obligations.met[node]!;
    if (lacks & OWES.upstream) return 'orphan';
    return lacks !== 0 || worst[node]! > 0 ? 'partial' : 'complete';
  }
}

function worstOf(size: number, gaps: readonly FoundGap[]): Uint8Array {
  const worst = new Uint8Array(size);
  for (const { node, severity } of gaps) worst[node] = Math.max(worst[node]!, WORST[severity]);
  return worst;
}

function joined({ nodes, links }: TraceGraph, along: readonly (readonly [Edges, Direction])[]): MapEdges {
  const size = nodes.ids.length;
  const offsets = new Int32Array(size + 1);
  const count = along.reduce((sum, [edges, direction]) => sum + edges[direction].targets.length, 0);
  const targets = new Int32Array(count);
  const types = new Uint8Array(count);
  const typeOf = new Map<string, number>(LINK_TYPES.map((type, at) => [type, at]));
  let next = 0;
  for (let node = 0; node < size; node++) {
    offsets[node] = next;
    for (const [edges, direction] of along) {
      const rows = edges[direction];
      for (let e = rows.offsets[node]!; e < rows.offsets[node + 1]!; e++) {
        const position = direction === 'forward' ? e : edges.backward.edges[e]!;
        targets[next] = rows.targets[e]!;
        types[next++] = typeOf.get(links[edges.links[position]!]!.type)!;
      }
    }
  }
  offsets[size] = next;
  return { offsets, targets, types };
}
