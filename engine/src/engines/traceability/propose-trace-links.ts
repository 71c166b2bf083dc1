import type { Artifact, ArtifactType } from '../../facts/artifacts/artifact.js';
import type { LinkType } from '../../facts/artifacts/trace-link.js';
import type { EmbeddingModel } from '../../retrieval/candidate.js';
import { proposeLinks } from '../../retrieval/propose-links.js';
import type { TraceabilityRules } from './rules.js';

/** What an artifact without a link upwards could belong to. */
export interface ProposedTraceLink {
  readonly artifactId: string;
  readonly type: ArtifactType;
  readonly text: string;
  /** Comparable among the proposals for one artifact only. */
  readonly score: number;
  /** The link that accepting it makes. */
  readonly link: { readonly sourceId: string; readonly targetId: string; readonly type: LinkType };
}

const CANDIDATES = 5;

/**
 * Proposes what artifacts could be linked to, by their words and, with a model, their meaning: at most five each, nearest first.
 * All open artifacts of a type are ranked together, so give all; `types` are those whose proposals are wanted.
 */
export async function proposeTraceLinks(
  { open, artifacts }: { readonly open: readonly Artifact[]; readonly artifacts: readonly Artifact[] },
  {
    rules,
    types,
    ...rest
  }: {
    readonly rules: TraceabilityRules;
    readonly types: ReadonlySet<ArtifactType>;
    readonly model?: EmbeddingModel;
    readonly signal?: AbortSignal;
  },
): Promise<ReadonlyMap<string, readonly ProposedTraceLink[]>> {
  const found = new Map<string, readonly ProposedTraceLink[]>();
  for (const type of types) {
    const group = open.filter((artifact) => artifact.type === type);
    const parents = artifacts.filter((one) => linkFrom(type, one.type, rules) !== undefined);
    if (parents.length === 0) continue;
    const ranked = await proposeLinks(group.map(textOf), parents.map(textOf), {
      ...rest,
      limit: CANDIDATES,
    });
    group.forEach((orphan, at) => {
      const near = ranked[at]!.map(({ text, score }): ProposedTraceLink => {
        const parent = parents[text]!;
        return {
          artifactId: parent.id,
          type: parent.type,
          text: parent.text,
          score: Math.round(score * 1000) / 1000,
          link: linkBetween(orphan, parent, linkFrom(type, parent.type, rules)!),
        };
      });
      found.set(orphan.id, near);
    });
  }
  return found;
}

const textOf = ({ text, name, id }: Artifact): string => [name, text].filter(Boolean).join(' ') || id;

/** The type of a link from an artifact up to another, and whether the other is its source; undefined where none fits. */
function linkFrom(
  type: ArtifactType,
  parent: ArtifactType,
  { types }: TraceabilityRules,
): { readonly type: LinkType; readonly downwards: boolean } | undefined {
  const own = types[type];
  const other = types[parent];
  const isDemand = other.role === 'goal' || other.role === 'requirement';
  switch (own.role) {
    case 'goal':
    case 'requirement': {
      const isAbove = other.rank[1] >= own.rank[0] - 1 && other.rank[0] < own.rank[1];
      const fits = (isDemand || (own.role === 'goal' && other.role === 'hazard')) && isAbove;
      return fits && other.integrity === own.integrity
        ? { type: 'derives_from', downwards: false }
        : undefined;
    }
    case 'design':
      return other.role === 'requirement' ? { type: 'allocated_to', downwards: true } : undefined;
    case 'test':
      return isDemand || other.role === 'design' ? { type: 'verified_by', downwards: true } : undefined;
    case 'evidence':
      return other.role === 'test' ? { type: 'evidenced_by', downwards: true } : undefined;
    default:
      return undefined;
  }
}

const linkBetween = (
  orphan: Artifact,
  parent: Artifact,
  { type, downwards }: { readonly type: LinkType; readonly downwards: boolean },
): ProposedTraceLink['link'] =>
  downwards
    ? { sourceId: parent.id, targetId: orphan.id, type }
    : { sourceId: orphan.id, targetId: parent.id, type };
