import type { Artifact } from '../../facts/artifacts/artifact.js';
import { degree, neighbours } from './graph.js';
import { compareVersions, FLAG, ROLE } from './nodes.js';
import { propagateHighest } from './propagate.js';
import type { TraceGraph } from './trace-graph.js';

/** What the results of a test say together; the newest version wins, within it any failure (domain E.10). */
export type EvidenceVerdict = 'positive' | 'none' | 'inconclusive' | 'stale' | 'negative_result';

/** How artifacts are verified; arrays by node, 0 or 1. */
export interface Verification {
  /** By a test, or by positive evidence of a kind that verifies. */
  readonly direct: Uint8Array;
  /** All children verified, or a realising design element tested; direct verification not needed. */
  readonly indirect: Uint8Array;
  /** It or anything it is refined into is verified, or a design element that realises it is tested. */
  readonly below: Uint8Array;
  /** By test: what its results say. */
  verdictOf(test: number): EvidenceVerdict;
}

export function examineVerification(graph: TraceGraph, configuration: string | undefined): Verification {
  const { nodes, relations, refinement, components } = graph;
  const count = nodes.ids.length;
  const direct = new Uint8Array(count);
  const indirect = new Uint8Array(count);
  const below = new Uint8Array(count);
  const kinds = new Set(nodes.rules.verifying_evidence);
  const verifies = (evidence: number) => {
    const kind = nodes.artifacts[evidence]?.kind;
    return kind === undefined || kinds.has(kind.trim().toLowerCase());
  };
  const verdictOf = (node: number, counts?: (evidence: number) => boolean) =>
    evidenceVerdict(graph, { node, configuration, counts });

  for (let i = count - 1; i >= 0; i--) {
    const node = components.order[i]!;
    if (nodes.role[node]! > ROLE.design) continue;
    const tested = degree(relations.verified_by.forward, node) > 0;
    const proved =
      !tested && degree(relations.evidenced_by.forward, node) > 0 && verdictOf(node, verifies) === 'positive';
    direct[node] = Number(tested || proved);
    if (nodes.role[node] === ROLE.design) continue;
    const byDesign = neighbours(relations.realised_by.forward, node).some(
      (element) => degree(relations.verified_by.forward, element) > 0,
    );
    indirect[node] = Number(byDesign || everyChildVerified(node));
    below[node] = Number(direct[node] === 1 || (byDesign && nodes.role[node] !== ROLE.goal));
  }
  propagateHighest(below, [relations.refines.forward]);
  const verdicts: (EvidenceVerdict | undefined)[] = new Array(count);
  return {
    direct,
    indirect,
    below,
    verdictOf(test) {
      verdicts[test] ??= verdictOf(test);
      return verdicts[test];
    },
  };

  function everyChildVerified(node: number): boolean {
    const { offsets, targets } = refinement.backward;
    let children = 0;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      const child = targets[e]!;
      if (nodes.flags[child]! & FLAG.informational) continue;
      if (!direct[child] && !indirect[child]) return false;
      children++;
    }
    return children > 0;
  }
}

function evidenceVerdict(
  { nodes, relations }: TraceGraph,
  asked: {
    node: number;
    configuration: string | undefined;
    counts: ((evidence: number) => boolean) | undefined;
  },
): EvidenceVerdict {
  const { offsets, targets } = relations.evidenced_by.forward;
  // Best first: of this configuration and current, of this configuration and older, of another configuration.
  let best = 3;
  let newest: Artifact | undefined;
  let verdict: EvidenceVerdict = 'none';
  for (let e = offsets[asked.node]!; e < offsets[asked.node + 1]!; e++) {
    const evidence = targets[e]!;
    if (asked.counts && !asked.counts(evidence)) continue;
    const artifact = nodes.artifacts[evidence];
    const place = placeOf(artifact, asked.configuration);
    const newer = compareVersions(artifact?.version, newest?.version);
    if (place > best || (place === best && newer < 0)) continue;
    const replaces = place < best || newer > 0;
    best = place;
    newest = artifact;
    const said = saidBy(artifact, place);
    verdict = replaces || strength(said) > strength(verdict) ? said : verdict;
  }
  return verdict;
}

function placeOf(artifact: Artifact | undefined, configuration: string | undefined): number {
  const other =
    configuration !== undefined &&
    artifact?.configuration !== undefined &&
    artifact.configuration !== configuration;
  if (other) return 2;
  return artifact?.stale ? 1 : 0;
}

function saidBy(artifact: Artifact | undefined, place: number): EvidenceVerdict {
  if (place === 2) return 'stale';
  if (artifact?.result === 'fail') return 'negative_result';
  if (place === 1) return 'stale';
  if (!artifact) return 'inconclusive';
  const { result } = artifact;
  const positive = result === undefined || result === 'pass' || result === 'pass_with_remarks';
  return positive ? 'positive' : 'inconclusive';
}

/** Which of two results of the same version counts. */
function strength(verdict: EvidenceVerdict): number {
  return ['none', 'inconclusive', 'stale', 'positive', 'negative_result'].indexOf(verdict);
}
