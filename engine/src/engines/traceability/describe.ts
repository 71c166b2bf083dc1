import type { Artifact } from '../../facts/artifacts/artifact.js';
import { type Sentence, type SentenceKey, say, type Value } from '../../sentences/sentence.js';
import { placeholdersOf } from '../../sentences/texts.js';
import { worded } from '../../sentences/worded.js';
import type { FoundGap, FoundRemark } from './findings.js';
import { neighbours } from './graph.js';
import { notGiven } from './not-given.js';
import type { RemarkKind } from './rules.js';
import type { TraceGraph } from './trace-graph.js';
import type { Remark, TraceabilityOptions, TraceGap } from './traceability.js';

/** Ids that a text names; more are counted. */
const NAMED = 5;
/** Ids that a gap lists. */
const LISTED = 100;

type ValueOf = (name: string) => Value;

/** Puts gaps into words: `data/texts/trace.*.yaml` has the texts, and `gapValues` what they may name. */
export function gapDescriber(graph: TraceGraph, options: TraceabilityOptions): (found: FoundGap) => TraceGap {
  const { nodes } = graph;
  const { rules, scale, ids } = nodes;
  const becauseOf = notGiven(graph);
  return (found) => {
    const { kind, node, severity, severityIfReleased, details } = found;
    const rule = rules.kinds[kind];
    const { related = [], affected = [], missing, note } = details;
    const link = details.link !== undefined ? graph.links[details.link] : undefined;
    const placed = link?.location || link?.documentId ? link : nodes.artifacts[node];
    const value = gapValues(graph, options, found);
    const description = sentenceOf(`trace.description.${kind}`, value);
    const action = sentenceOf(`trace.action.${kind}`, value);
    const similar = rule.gap === 'orphan_upstream' ? options.candidates?.get(ids[node]!) : undefined;
    const code = graph.integrity[node]!;
    const because = becauseOf(found);
    return {
      gapType: rule.gap,
      kind: rule.name ?? kind,
      artifactId: ids[node]!,
      artifactType: nodes.artifacts[node]?.type ?? 'unknown',
      severity,
      ...(severityIfReleased ? { severityIfReleased } : {}),
      ...(code !== 0 ? { integrity: scale.codes[code]!.print } : { integrityAssumed: true }),
      ...(because ? { because } : {}),
      related: listed(related, ids),
      relatedCount: related.length,
      ...(affected.length > 0 ? { affected: listed(affected, ids) } : {}),
      ...(missing !== undefined ? { missing } : {}),
      ...worded({
        ...(note ? { note } : {}),
        description: note ? say('trace.with-note', { text: description, note }) : description,
        suggestedAction: similar?.length
          ? say('trace.with-candidates', { text: action, candidates: similar.slice(0, 3) })
          : action,
      }),
      ...(details.link !== undefined ? { link: details.link } : {}),
      ...(placed?.documentId !== undefined ? { documentId: placed.documentId } : {}),
      ...(placed?.location ? { location: placed.location } : {}),
    };
  };
}

function gapValues(graph: TraceGraph, options: TraceabilityOptions, { node, details }: FoundGap): ValueOf {
  const { scale, ids, artifacts, unclear } = graph.nodes;
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
        return say('trace.levels', { levels: details.levels?.map((code) => scale.codes[code]!.print) });
      case 'ratings':
        return ratings(artifacts[node]);
      case 'written':
        return unclear.get(node) ?? '';
      case 'affected':
        return say('trace.affected', { named: affected.length > 0 ? named(affected, ids) : undefined });
      case 'above':
        return say('trace.above', { named: affected.length > 0 ? named(affected, ids) : undefined });
      case 'stage':
        return details.stage !== undefined ? say(`trace.stages.s${details.stage as 0 | 1 | 2 | 3 | 4}`) : '';
      case 'baseline':
        return options.configuration ?? say('trace.current-baseline');
      case 'verified': {
        const verified = neighbours(graph.relations.verified_by.backward, node);
        return verified.length > 0 ? named(verified, ids) : say('trace.what-it-verifies');
      }
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
    const { grade } = rules.remarks[kind];
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
            ...worded({ text: sentenceOf(`trace.remark.${kind}`, value) }),
          };
        }),
      },
    ];
  });
}

function artifactValues({ nodes, integrity }: TraceGraph, node: number): ValueOf {
  const artifact = nodes.artifacts[node];
  if (!artifact) return (name) => (name === 'id' ? (nodes.ids[node] ?? '') : '');
  return (name) => {
    if (name === 'id') return artifact.id;
    // A hazardous event states one level, and its ratings may demand another.
    if (name === 'integrity')
      return nodes.scale.codes[nodes.rated.get(node)?.stated || integrity[node]!]!.print;
    switch (name) {
      case 'type':
        return say(`trace.types.${artifact.type}.label`);
      case 'parent':
      case 'child':
      case 'method':
        return say(`trace.types.${artifact.type}.${name}`);
      default:
        return '';
    }
  };
}

/** A text with what it names. */
function sentenceOf(key: SentenceKey, value: ValueOf): Sentence {
  return { key, values: Object.fromEntries(placeholdersOf(key).map((name) => [name, value(name)])) };
}

function named(nodes: ArrayLike<number>, ids: readonly string[]): Sentence {
  const first = Array.from({ length: Math.min(NAMED, nodes.length) }, (_, i) => ids[nodes[i]!]!);
  return say('trace.named', { ids: first, more: Math.max(0, nodes.length - NAMED) });
}

function listed(nodes: ArrayLike<number>, ids: readonly string[]): string[] {
  return Array.from({ length: Math.min(LISTED, nodes.length) }, (_, i) => ids[nodes[i]!]!);
}

function ratings(artifact: Artifact | undefined): string {
  if (!artifact?.ratings) return '';
  const { severity, exposure, controllability } = artifact.ratings;
  return `S${severity}, E${exposure}, C${controllability}`;
}
