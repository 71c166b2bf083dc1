import {
  type Artifact,
  type ArtifactType,
  type EmbeddingModel,
  type LinkType,
  loadTraceabilityRules,
  memoryEmbeddingCache,
  openBuiltInModel,
  proposeLinks,
  type TraceabilityRules,
  withEmbeddingCache,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { readTrace, type TraceColumns } from './read-trace.js';

export interface SuggestionTaskInput {
  /** With texts. */
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** Only for this artifact. */
  readonly artifactId?: string;
  readonly embeddings: 'builtin' | 'off';
  readonly offset: number;
  readonly limit: number;
}

export interface SuggestedLink {
  readonly artifactId: string;
  readonly type: ArtifactType;
  readonly text: string;
  readonly score: number;
  /** The link that accepting it makes. */
  readonly link: { readonly sourceId: string; readonly targetId: string; readonly type: LinkType };
}

export interface LinkSuggestions {
  readonly items: readonly {
    readonly artifactId: string;
    readonly type: ArtifactType;
    readonly text: string;
    readonly candidates: readonly SuggestedLink[];
  }[];
  /** Artifacts without a link upwards. */
  readonly total: number;
}

const CANDIDATES = 5;

let model: EmbeddingModel | undefined;

/** With the vectors of what was asked before: the next page asks for the same texts. */
function embeddingModel(): EmbeddingModel {
  model ??= withEmbeddingCache(openBuiltInModel({ workers: 1 }), memoryEmbeddingCache());
  return model;
}

/**
 * Proposes what artifacts without a link upwards could be linked to, by words and meaning. All open artifacts of a type
 * are ranked together, whichever page is asked for.
 */
export const suggestLinksTask: EngineTask<SuggestionTaskInput, LinkSuggestions> = {
  name: 'suggestLinks',
  processorSeconds: 300,
  work: async ({ columns, options, artifactId, embeddings, offset, limit }, { signal }) => {
    const rules = await loadTraceabilityRules();
    const artifacts = new Map<string, Artifact>();
    const trace = readTrace(columns);
    for (const artifact of trace.artifacts) {
      if (!artifacts.has(artifact.id)) artifacts.set(artifact.id, artifact);
    }
    const { analysis } = await examine(trace, {
      ...options,
      listedPerType: Number.MAX_SAFE_INTEGER,
    });
    const orphans = new Set(
      analysis.gaps.filter(({ gapType }) => gapType === 'orphan_upstream').map((gap) => gap.artifactId),
    );
    const open = [...artifacts.values()].filter(({ id }) => orphans.has(id));
    const inOrder = open.filter(({ id }) => artifactId === undefined || id === artifactId);
    const page = inOrder.slice(offset, offset + limit);
    const found = new Map<string, readonly SuggestedLink[]>();
    for (const type of new Set(page.map((artifact) => artifact.type))) {
      const group = open.filter((artifact) => artifact.type === type);
      const parents = [...artifacts.values()].filter((one) => linkFrom(type, one.type, rules) !== undefined);
      if (parents.length === 0) continue;
      const ranked = await proposeLinks(group.map(textOf), parents.map(textOf), {
        ...(embeddings === 'builtin' ? { model: embeddingModel() } : {}),
        limit: CANDIDATES,
        signal,
      });
      group.forEach((orphan, at) => {
        const near = ranked[at]!.map(({ text, score }): SuggestedLink => {
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
    return {
      result: {
        items: page.map(({ id, type, text }) => ({
          artifactId: id,
          type,
          text,
          candidates: found.get(id) ?? [],
        })),
        total: inOrder.length,
      },
    };
  },
};

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
): SuggestedLink['link'] =>
  downwards
    ? { sourceId: parent.id, targetId: orphan.id, type }
    : { sourceId: orphan.id, targetId: parent.id, type };
