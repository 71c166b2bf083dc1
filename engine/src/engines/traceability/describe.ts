import type { Artifact } from '../../facts/artifacts/artifact.js';
import type { FoundGap, FoundRemark } from './findings.js';
import { neighbours } from './graph.js';
import { GAP_KINDS, type Placeholder, type RemarkKind } from './rules.js';
import type { TraceGraph } from './trace-graph.js';
import type { Remark, TraceabilityOptions, TraceGap } from './traceability.js';

/** Ids that a text names; more are counted. */
const NAMED = 5;
/** Ids that a gap lists. */
const LISTED = 100;

type ValueOf = (name: Placeholder) => string;
type Text = (value: ValueOf) => string;

/** Puts gaps into words: `data/traceability.yaml` has the texts. */
export function gapDescriber(graph: TraceGraph, options: TraceabilityOptions): (found: FoundGap) => TraceGap {
  const { nodes } = graph;
  const { rules, scale, ids } = nodes;
  const texts = new Map(
    GAP_KINDS.map((kind) => {
      const { description, action } = rules.kinds[kind];
      return [kind, { description: compile(description), action: compile(action) }];
    }),
  );
  return (found) => {
    const { kind, node, severity, severityIfReleased, details } = found;
    const rule = rules.kinds[kind];
    const { related = [], affected = [], missing, note } = details;
    const link = details.link !== undefined ? graph.links[details.link] : undefined;
    const placed = link?.location || link?.documentId ? link : nodes.artifacts[node];
    const value = gapValues(graph, options, found);
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
      description: texts.get(kind)!.description(value) + (note ? ` ${note}` : ''),
      suggestedAction: texts.get(kind)!.action(value) + candidates,
      ...(details.link !== undefined ? { link: details.link } : {}),
      ...(placed?.documentId !== undefined ? { documentId: placed.documentId } : {}),
      ...(placed?.location ? { location: placed.location } : {}),
    };
  };
}

function gapValues(graph: TraceGraph, options: TraceabilityOptions, { node, details }: FoundGap): ValueOf {
  const { rules, scale, ids, artifacts, unclear } = graph.nodes;
  const { related = [], affected = [] } = details;
  const ofArtifact = artifactValues(graph, node);
  return (name) => {
    switch (name) {
      case 'related':
        return named(related, ids);
      case 'missing':
        return details.missing ?? '';
      case 'required':
        return details.required !== undefined ? scale.codes[details.required]!.print : '';
      case 'values':
        return details.levels?.map((code) => scale.codes[code]!.print).join(' and ') ?? '';
      case 'ratings':
        return ratings(artifacts[node]);
      case 'written':
        return unclear.get(node) ?? '';
      case 'affected':
        return affected.length > 0 ? ` (${named(affected, ids)})` : '';
      case 'stage':
        return details.stage !== undefined ? rules.stages[details.stage]! : '';
      case 'baseline':
        return options.configuration ?? 'the current baseline';
      case 'verified':
        return named(neighbours(graph.relations.verified_by.backward, node), ids) || 'what it verifies';
      default:
        return ofArtifact(name);
    }
  };
}

/** Puts the remarks into words, by kind in the order of the data. */
export function describeRemarks(
  graph: TraceGraph,
  found: ReadonlyMap<RemarkKind, { count: number; listed: readonly FoundRemark[] }>,
): Remark[] {
  const { ids, rules } = graph.nodes;
  return (Object.keys(rules.remarks) as RemarkKind[]).flatMap((kind): Remark[] => {
    const group = found.get(kind);
    if (!group) return [];
    const { grade, text } = rules.remarks[kind];
    const inWords = compile(text);
    return [
      {
        kind,
        grade,
        count: group.count,
        listed: group.listed.map(({ node, related, missing = '' }) => {
          const ofArtifact = artifactValues(graph, node);
          const value: ValueOf = (name) =>
            name === 'related' ? named(related, ids) : name === 'missing' ? missing : ofArtifact(name);
          return {
            artifactId: node >= 0 ? ids[node]! : missing,
            related: listed(related, ids),
            text: inWords(value),
          };
        }),
      },
    ];
  });
}

function artifactValues({ nodes, integrity }: TraceGraph, node: number): ValueOf {
  const artifact = nodes.artifacts[node];
  if (!artifact) return (name) => (name === 'id' ? (nodes.ids[node] ?? '') : '');
  const { label, parent, child, method } = nodes.rules.types[artifact.type];
  return (name) => {
    if (name === 'id') return artifact.id;
    // A hazardous event states one level, and its ratings may demand another.
    if (name === 'integrity')
      return nodes.scale.codes[nodes.rated.get(node)?.stated || integrity[node]!]!.print;
    if (name === 'type') return label;
    if (name === 'parent') return parent;
    if (name === 'child') return child;
    return name === 'method' ? method : '';
  };
}

/** A text of the data, taken apart once: every other part is a placeholder. */
function compile(text: string): Text {
  const parts = text.split(/\{(\w+)\}/);
  return (value) => {
    let filled = parts[0]!;
    for (let i = 1; i < parts.length; i += 2) filled += value(parts[i] as Placeholder) + parts[i + 1]!;
    return filled;
  };
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
