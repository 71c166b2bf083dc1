import type { Artifact } from '../../facts/artifacts/artifact.js';
import type { FoundGap } from './findings.js';
import { type Relation as Edges, neighbours } from './graph.js';
import { FLAG, ROLE } from './nodes.js';
import { type Obligations, OWES } from './obligations.js';
import type { SpecificationItems } from './specification-items.js';
import type { TraceGraph } from './trace-graph.js';
import type { MatrixLink, MatrixRow, MatrixStatus } from './traceability.js';
import type { Verification } from './verification.js';

export interface MatrixBasis {
  readonly obligations: Obligations;
  readonly verification: Verification;
  readonly gaps: readonly FoundGap[];
  readonly items: SpecificationItems | undefined;
}

/** Rows of the trace matrix: active goals and requirements of this item, made one by one. */
export function matrixRows(graph: TraceGraph, basis: MatrixBasis) {
  const { nodes } = graph;
  const rows: number[] = [];
  const free = FLAG.inactive | FLAG.informational | FLAG.external;
  for (let node = 0; node < nodes.defined; node++) {
    const role = nodes.role[node];
    if ((role === ROLE.goal || role === ROLE.requirement) && (nodes.flags[node]! & free) === 0)
      rows.push(node);
  }
  let withGap: Uint8Array | undefined;
  return {
    matrixLength: rows.length,
    *matrixRows({ offset = 0, limit = Number.POSITIVE_INFINITY } = {}): IterableIterator<MatrixRow> {
      withGap ??= markGaps(nodes.ids.length, basis.gaps);
      const end = Math.min(rows.length, offset + limit);
      for (let at = offset; at < end; at++) yield rowOf(graph, rows[at]!, { ...basis, withGap });
    },
    *matrixStatuses(): IterableIterator<Pick<MatrixRow, 'type' | 'status'>> {
      withGap ??= markGaps(nodes.ids.length, basis.gaps);
      const known = { ...basis, withGap };
      for (const node of rows)
        yield { type: nodes.artifacts[node]!.type, status: statusOf(graph, node, known) };
    },
  };
}

function rowOf(graph: TraceGraph, node: number, basis: MatrixBasis & { withGap: Uint8Array }): MatrixRow {
  const { nodes, relations, integrity } = graph;
  const artifact = nodes.artifacts[node]!;
  const code = integrity[node]!;
  return {
    requirementId: artifact.id,
    requirementText: artifact.text,
    type: artifact.type,
    ...(code !== 0 ? { integrity: nodes.scale.codes[code]!.print } : {}),
    ...inheritedFrom(graph, node),
    upstreamLinks: linksOf(graph, node, [[relations.refines, 'forward']]),
    downstreamLinks: linksOf(graph, node, [
      [relations.refines, 'backward'],
      [relations.realised_by, 'forward'],
      [relations.verified_by, 'forward'],
      [relations.evidenced_by, 'forward'],
    ]),
    status: statusOf(graph, node, basis),
  };
}

/** The first parent with the level that an artifact without one of its own has. */
function inheritedFrom(
  { nodes, relations, integrity }: TraceGraph,
  node: number,
): Pick<MatrixRow, 'integrityFrom'> {
  if (nodes.stated[node] !== 0 || integrity[node] === 0) return {};
  const parent = [...neighbours(relations.refines.forward, node)].find(
    (one) => integrity[one] === integrity[node],
  );
  return parent === undefined ? {} : { integrityFrom: nodes.ids[parent]! };
}

export function statusOf(
  { nodes, relations }: TraceGraph,
  node: number,
  { obligations, verification, withGap, items }: MatrixBasis & { withGap: Uint8Array },
): MatrixStatus {
  const owed = obligations.owed[node]!;
  const met = obligations.met[node]!;
  if (owed & ~met & OWES.upstream) return 'orphan';
  if (items?.is(node)) {
    const isNone = owed !== 0 && (met & ~OWES.upstream) === 0 && (owed & ~OWES.upstream) !== 0;
    if (isNone) return 'missing';
    return owed === met && !withGap[node] ? 'complete' : 'partial';
  }
  const tests = neighbours(relations.verified_by.forward, node);
  const isGoal = nodes.role[node] === ROLE.goal;
  const verified = verification.direct[node] === 1 || (isGoal && verification.below[node] === 1);
  if (!(met & OWES.downstream) && !verified) return 'missing';
  const passed = tests.length === 0 || tests.some((test) => verification.verdictOf(test) === 'positive');
  const whole = (owed & ~met) === 0 && verified && passed;
  return whole && !withGap[node] ? 'complete' : 'partial';
}

function linksOf(
  { nodes, links }: TraceGraph,
  node: number,
  along: readonly (readonly [Edges, 'forward' | 'backward'])[],
): MatrixLink[] {
  const found: MatrixLink[] = [];
  for (const [relation, direction] of along) {
    const { offsets, targets } = relation[direction];
    const position = (e: number) => (direction === 'forward' ? e : relation.backward.edges[e]!);
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      const artifact = nodes.artifacts[targets[e]!];
      found.push({
        artifactId: nodes.ids[targets[e]!]!,
        artifactName: artifact ? nameOf(artifact) : nodes.ids[targets[e]!]!,
        artifactType: artifact?.type ?? 'unknown',
        linkType: links[relation.links[position(e)]!]!.type,
      });
    }
  }
  return found;
}

function nameOf({ name, text, id }: Artifact): string {
  return name ?? (text === '' ? id : text);
}

function markGaps(count: number, gaps: readonly FoundGap[]): Uint8Array {
  const marks = new Uint8Array(count);
  for (const { node } of gaps) marks[node] = 1;
  return marks;
}
