import { ARTIFACT_TYPES } from '../../facts/artifacts/artifact.js';
import { type Sentence, say } from '../../sentences/sentence.js';

import { addGap, addRemark, type Findings } from './findings.js';
import { degree, neighbours } from './graph.js';
import type { LinkDefect } from './link-defect.js';
import { FLAG, ROLE } from './nodes.js';
import { type GapKind, OBLIGATIONS, type Obligation } from './rules.js';
import type { SpecificationItems } from './specification-items.js';
import { inLoop, levelOf, owes, type TraceGraph } from './trace-graph.js';
import type { TraceabilityOptions } from './traceability.js';
import type { EvidenceVerdict, Verification } from './verification.js';

/** What artifacts owe and what of it they have, as bits. */
export const OWES = { upstream: 1, downstream: 2, verification: 4, evidence: 8 } as const;

/** Arrays by node. */
export interface Obligations {
  readonly owed: Uint8Array;
  readonly met: Uint8Array;
}

const NO_UPSTREAM: readonly GapKind[] = [
  'no_parent',
  'no_parent',
  'no_parent',
  'no_requirement',
  'test_without_requirement',
  'evidence_without_source',
];
const EVIDENCE_GAP: Readonly<Record<Exclude<EvidenceVerdict, 'positive'>, GapKind>> = {
  none: 'no_evidence',
  inconclusive: 'inconclusive',
  stale: 'stale',
  negative_result: 'negative_result',
};

/** Holds every artifact to what its type owes (domain E.4) and suppresses consequences of one cause. Linear. */
export function examineObligations(
  graph: TraceGraph,
  verification: Verification,
  context: {
    readonly findings: Findings;
    readonly defects: readonly LinkDefect[];
    readonly options: TraceabilityOptions;
    readonly items: SpecificationItems | undefined;
  },
): Obligations {
  const { nodes, relations, refinement } = graph;
  const { findings, options, items } = context;
  const owed = new Uint8Array(nodes.ids.length);
  const met = new Uint8Array(nodes.ids.length);
  const obligationsOf = new Map(
    ARTIFACT_TYPES.map((type) => {
      const list = nodes.rules.types[type].obligations;
      const owed = Object.fromEntries(OBLIGATIONS.map((name) => [name, list.includes(name)]));
      return [type, owed as Record<Obligation, boolean>];
    }),
  );
  const missingParent = new Set(context.defects.filter(({ upward }) => upward).map(({ node }) => node));
  const hazardsKnown = nodes.role.some((role, node) => role === ROLE.hazard && owes(graph, node));
  const verifyingItems = new Set(nodes.rules.verifying_items);
  const indirectMode = options.indirectVerification ?? 'downgrade';

  for (let node = 0; node < nodes.defined; node++) {
    if (!owes(graph, node)) continue;
    if (items?.is(node)) {
      settleItem(items, node);
      continue;
    }
    const role = nodes.role[node]!;
    const obligations = obligationsOf.get(nodes.artifacts[node]!.type)!;
    const level = levelOf(graph, node);
    if (obligations.upstream) settle(node, OWES.upstream, hasUpstream(node, role));
    const noUpstream =
      (owed[node]! & ~met[node]! & OWES.upstream) !== 0 ||
      (obligations.hazard && hazardsKnown && degree(refinement.forward, node) === 0);
    if (noUpstream && !inLoop(graph, node) && !missingParent.has(node)) {
      addGap(findings, NO_UPSTREAM[role]!, { node, level });
    }

    let orphanDownstream = false;
    if (obligations.downstream) {
      const refined = degree(refinement.backward, node) > 0;
      const allocated = role !== ROLE.goal && degree(relations.realised_by.forward, node) > 0;
      settle(node, OWES.downstream, refined || allocated);
      orphanDownstream = !refined && !allocated && !inLoop(graph, node);
      if (orphanDownstream) {
        addGap(findings, role === ROLE.goal ? 'no_fsr' : 'not_refined_nor_allocated', { node, level });
      }
    }
    if (obligations.verification) {
      settle(node, OWES.verification, verification.direct[node] === 1);
      if (!verification.direct[node]) examineUnverified(node, level, orphanDownstream);
      else if (level >= 3 && nodes.lowestRank[node] === 3) examineDynamicTest(node);
    } else if (obligations.validation) {
      const refined = degree(relations.refines.backward, node) > 0;
      if (refined && !verification.below[node])
        addGap(findings, 'no_validation', { node, level, ...planned(node) });
    } else if (role === ROLE.design && options.requireDesignTest && !verification.direct[node]) {
      addGap(findings, 'none', { node, level, ...planned(node) });
    }
    if (role === ROLE.test) examineTest(node, level, obligations.evidence);
  }
  return { owed, met };

  function settle(node: number, obligation: number, isMet: boolean): void {
    owed[node]! |= obligation;
    if (isMet) met[node]! |= obligation;
  }

  /** A specification item owes what it says itself: what covers it by type, and that what it covers is there. */
  function settleItem(items: SpecificationItems, node: number): void {
    const needs = nodes.artifacts[node]!.needs!;
    const missing = items.uncovered(node);
    const isTest = (type: string) => verifyingItems.has(type);
    const covers = items.covers(node);
    if (covers !== 'nothing') settle(node, OWES.upstream, covers === 'something');
    if (!needs.every(isTest)) settle(node, OWES.downstream, missing.every(isTest));
    if (needs.some(isTest)) settle(node, OWES.verification, !missing.some(isTest));
  }

  function hasUpstream(node: number, role: number): boolean {
    if (role <= ROLE.requirement) return degree(refinement.forward, node) > 0;
    if (role === ROLE.design) return degree(relations.realised_by.backward, node) > 0;
    if (role === ROLE.test) return degree(relations.verified_by.backward, node) > 0;
    return degree(relations.evidenced_by.backward, node) > 0;
  }

  function examineUnverified(node: number, level: number, orphanDownstream: boolean): void {
    if (verification.indirect[node] && indirectMode !== 'ignore') {
      if (indirectMode === 'downgrade') addGap(findings, 'indirect_only', { node, level, ...planned(node) });
      return;
    }
    // What is neither refined nor allocated cannot be verified: below ASIL C only the cause is reported.
    if (orphanDownstream && level < 3) return;
    addGap(findings, 'none', { node, level, ...planned(node) });
  }

  function planned(node: number): { note?: Sentence } {
    const method = nodes.artifacts[node]!.verificationMethod?.trim();
    return method ? { note: say('trace.method-planned', { method: inShort(method) }) } : {};
  }

  function examineDynamicTest(node: number): void {
    if (degree(relations.verified_by.forward, node) === 0) addRemark(findings, 'no_dynamic_test', { node });
  }

  function examineTest(node: number, level: number, owesEvidence: boolean): void {
    const verified = degree(relations.verified_by.backward, node);
    if (verified > nodes.rules.broad_test) addRemark(findings, 'broad_test', { node });
    if (verified === 0 || !owesEvidence) return;
    const verdict = verification.verdictOf(node);
    settle(node, OWES.evidence, verdict === 'positive');
    if (verdict === 'positive') return;
    const related = neighbours(relations.evidenced_by.forward, node);
    const other = options.configuration !== undefined && verdict === 'stale' && related.every(ofOther);
    addGap(findings, EVIDENCE_GAP[verdict], {
      node,
      level,
      related,
      ...(other ? { note: say('trace.other-configuration') } : {}),
    });
  }

  function ofOther(evidence: number): boolean {
    const configuration = nodes.artifacts[evidence]?.configuration;
    return configuration !== undefined && configuration !== options.configuration;
  }
}

/** Longest method that a note quotes whole; a criterion may be a paragraph. */
const METHOD = 60;

function inShort(method: string): string {
  return method.length <= METHOD ? method : `${method.slice(0, METHOD).replace(/\s+\S*$/, '')} …`;
}

/** Remarks about single artifacts that no obligation covers. */
export function remarkOnArtifacts(graph: TraceGraph, findings: Findings): void {
  const { nodes, relations, refinement } = graph;
  const isFunctional = (node: number) =>
    nodes.role[node] === ROLE.requirement && nodes.highestRank[node] === 1;
  const isRefined = (node: number) => degree(refinement.backward, node) > 0;
  const refinedAbove = nodes.role.some(
    (_, node) => isFunctional(node) && owes(graph, node) && isRefined(node),
  );
  for (let node = 0; node < nodes.ids.length; node++) {
    const role = nodes.role[node]!;
    if (role === ROLE.stub || (nodes.flags[node]! & FLAG.external) !== 0) remarkOnOutside(node, role);
    if (role === ROLE.unknown && (nodes.flags[node]! & FLAG.inactive) === 0) {
      addRemark(findings, 'untyped_artifact', { node });
    }
    if (!owes(graph, node)) continue;
    if (role === ROLE.evidence && nodes.artifacts[node]!.result === 'pass_with_remarks') {
      addRemark(findings, 'passed_with_remarks', { node });
    }
    if ((role === ROLE.goal || role === ROLE.requirement) && graph.integrity[node] === 0) {
      addRemark(findings, 'asil_assumed', { node });
    }
    // Allocation is enough; where the others of a concept have technical requirements, one without was forgotten.
    if (refinedAbove && isFunctional(node) && !isRefined(node)) {
      if (degree(relations.realised_by.forward, node) > 0)
        addRemark(findings, 'allocated_not_refined', { node });
    }
    const demands = nodes.scale.ownLevel[nodes.stated[node]!]! > 0;
    if (role === ROLE.hazard && demands && degree(relations.refines.backward, node) === 0) {
      addRemark(findings, 'hazard_without_goal', { node });
    }
  }

  function remarkOnOutside(node: number, role: number): void {
    const hosted = neighbours(relations.realised_by.backward, node);
    if (hosted[0] !== undefined)
      addRemark(findings, 'external_element', { node: hosted[0], related: [node] });
    if (role !== ROLE.stub) return;
    for (const { forward, backward } of Object.values(relations)) {
      const other = neighbours(forward, node)[0] ?? neighbours(backward, node)[0];
      if (other === undefined) continue;
      addRemark(findings, 'external_reference', { node: other, related: [node] });
      return;
    }
  }
}

/** Ids of what owes verification and has none, of its own or below; in the order of the artifacts. */
export function requirementsWithoutTest(
  { nodes }: TraceGraph,
  { owed }: Obligations,
  { below }: Verification,
): string[] {
  const found: string[] = [];
  for (let node = 0; node < nodes.defined; node++) {
    if (owed[node]! & OWES.verification && !below[node]) found.push(nodes.ids[node]!);
  }
  return found;
}
