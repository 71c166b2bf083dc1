import type { Artifact } from '../../artifacts/artifact.js';
import { type FoundGap, type FoundRemark, LISTED_REMARKS } from './findings.js';
import { neighbours } from './graph.js';
import type { Placeholder, RemarkKind } from './rules.js';
import type { TraceGraph } from './trace-graph.js';
import type { Remark, TraceabilityOptions, TraceGap } from './traceability.js';

/** Ids that a text names; more are counted. */
const NAMED = 5;
/** Ids that a gap lists. */
const LISTED = 100;

type Values = Partial<Record<Placeholder, string>>;

/** Puts gaps into words: `data/traceability.yaml` has the texts. */
export function gapDescriber(graph: TraceGraph, options: TraceabilityOptions): (found: FoundGap) => TraceGap {
  const { nodes } = graph;
  const { rules, scale, ids } = nodes;
  const print = printer(graph);
  return ({ kind, node, severity, severityIfReleased, details }) => {
    const rule = rules.kinds[kind];
    const { related = [], affected = [], missing, required, note } = details;
    const link = details.link !== undefined ? graph.links[details.link] : undefined;
    const placed = link?.location || link?.documentId ? link : nodes.artifacts[node];
    const values: Values = {
      ...print(node),
      related: named(related, ids),
      missing: missing ?? '',
      required: required !== undefined ? scale.codes[required]!.print : '',
      values: details.levels?.map((code) => scale.codes[code]!.print).join(' and ') ?? '',
      ratings: ratings(nodes.artifacts[node]),
      written: nodes.unclear.get(node) ?? '',
      affected: affected.length > 0 ? ` (${named(affected, ids)})` : '',
      stage: details.stage !== undefined ? rules.stages[details.stage]! : '',
      baseline: options.configuration ?? 'the current baseline',
      verified: named(neighbours(graph.relations.verified_by.backward, node), ids) || 'what it verifies',
    };
    const similar = rule.gap === 'orphan_upstream' ? options.candidates?.get(ids[node]!) : undefined;
    const candidates = similar?.length
      ? rules.candidates.replace('{candidates}', () => similar.slice(0, 3).join(', '))
      : '';
    const code = graph.integrity[node]!;
    return {
      gapType: rule.gap,
      kind: rule.name ?? kind,
      artifactId: ids[node]!,
      severity,
      ...(severityIfReleased ? { severityIfReleased } : {}),
      ...(code !== 0 ? { integrity: scale.codes[code]!.print } : { integrityAssumed: true }),
      related: listed(related, ids),
      relatedCount: related.length,
      ...(affected.length > 0 ? { affected: listed(affected, ids) } : {}),
      ...(missing !== undefined ? { missing } : {}),
      ...(note ? { note } : {}),
      description: fill(rule.description, values) + (note ? ` ${note}` : ''),
      suggestedAction: fill(rule.action, values) + candidates,
      ...(placed?.documentId !== undefined ? { documentId: placed.documentId } : {}),
      ...(placed?.location ? { location: placed.location } : {}),
    };
  };
}

/** Puts the remarks into words, by kind in the order of the data. */
export function describeRemarks(
  graph: TraceGraph,
  found: ReadonlyMap<RemarkKind, { count: number; listed: readonly FoundRemark[] }>,
): Remark[] {
  const { ids, rules } = graph.nodes;
  const print = printer(graph);
  return (Object.keys(rules.remarks) as RemarkKind[]).flatMap((kind): Remark[] => {
    const group = found.get(kind);
    if (!group) return [];
    const { grade, text } = rules.remarks[kind];
    return [
      {
        kind,
        grade,
        count: group.count,
        listed: group.listed.slice(0, LISTED_REMARKS).map(({ node, related, missing = '' }) => ({
          artifactId: node >= 0 ? ids[node]! : missing,
          related: listed(related, ids),
          text: fill(text, { ...print(node), related: named(related, ids), missing }),
        })),
      },
    ];
  });
}

function printer({ nodes, integrity }: TraceGraph): (node: number) => Values {
  return (node) => {
    const artifact = nodes.artifacts[node];
    if (!artifact) return { id: nodes.ids[node] ?? '' };
    const { label, parent, child, method } = nodes.rules.types[artifact.type];
    return {
      id: artifact.id,
      type: label,
      parent,
      child,
      method,
      integrity: nodes.scale.codes[integrity[node]!]!.print,
    };
  };
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: Placeholder) => values[name] ?? '');
}

function named(nodes: ArrayLike<number>, ids: readonly string[]): string {
  const more = nodes.length - NAMED;
  const first = Array.from({ length: Math.min(NAMED, nodes.length) }, (_, i) => ids[nodes[i]!]!).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}

function listed(nodes: ArrayLike<number>, ids: readonly string[]): string[] {
  return Array.from({ length: Math.min(LISTED, nodes.length) }, (_, i) => ids[nodes[i]!]!);
}

function ratings(artifact: Artifact | undefined): string {
  if (!artifact?.ratings) return '';
  const { severity, exposure, controllability } = artifact.ratings;
  return `S${severity}, E${exposure}, C${controllability}`;
}
