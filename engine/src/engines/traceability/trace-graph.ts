import type { TraceLink } from '../../facts/artifacts/trace-link.js';
import { type Components, componentsOf } from './cycles.js';
import type { Relations } from './edges.js';
import { type Relation as Edges, withoutEdges } from './graph.js';
import { FLAG, type Nodes, ROLE } from './nodes.js';
import { propagateHighest } from './propagate.js';

/** Everything that obligations and rules look at. */
export interface TraceGraph {
  readonly nodes: Nodes;
  readonly links: readonly TraceLink[];
  readonly relations: Relations;
  /** Refinement without the edges inside loops, which count for nothing. */
  readonly refinement: Edges;
  /** Loops of the refinement; in its order parents come before children. */
  readonly components: Components;
  /** Integrity code of each node: stated, else the highest of what is above it. */
  readonly integrity: Uint8Array;
}

export function traceGraph(nodes: Nodes, relations: Relations, links: readonly TraceLink[]): TraceGraph {
  const components = componentsOf(nodes.ids.length, [relations.refines.forward]);
  const hasLoops = components.sizes.length < nodes.ids.length;
  return {
    nodes,
    links,
    relations,
    refinement: hasLoops
      ? withoutEdges(relations.refines, (from, to) => components.of[from] === components.of[to])
      : relations.refines,
    components,
    integrity: inheritIntegrity(nodes, relations),
  };
}

/** Level that severities are looked up by, 0 (QM) to 4 (D). */
export function levelOf({ nodes, integrity }: TraceGraph, node: number): number {
  return nodes.scale.severityLevel[integrity[node]!]!;
}

/** Whether an artifact owes anything at all: it is of this item, of a known type, active and no mere information. */
export function owes({ nodes }: TraceGraph, node: number): boolean {
  const free = FLAG.inactive | FLAG.informational | FLAG.external;
  return nodes.role[node]! < ROLE.unknown && (nodes.flags[node]! & free) === 0;
}

export function inLoop({ components }: TraceGraph, node: number): boolean {
  return components.sizes[components.of[node]!]! > 1;
}

function inheritIntegrity({ scale, stated, ids }: Nodes, relations: Relations): Uint8Array {
  const places = new Uint8Array(ids.length);
  for (let node = 0; node < places.length; node++) places[node] = scale.order[stated[node]!]!;
  const down = [
    relations.refines.backward,
    relations.realised_by.forward,
    relations.verified_by.forward,
    relations.evidenced_by.forward,
  ];
  propagateHighest(places, down, (node) => stated[node] === 0);
  return places.map((place) => scale.atPlace[place]!);
}
