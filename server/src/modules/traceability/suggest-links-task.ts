import {
  type Artifact,
  type EmbeddingModel,
  loadTraceabilityRules,
  openBuiltInModel,
  type ProposedTraceLink,
  proposeTraceLinks,
  withEmbeddingCache,
} from '@normtrace/engine';
import type { TaskContext } from '../../platform/processes/serve-tasks.js';
import { ask } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import { keepVectors, keptVectors } from '../vectors/vector-questions.js';
import { examine, type TraceOptions } from './examine-trace-task.js';
import { type PackedRows, packRows } from './packed-rows.js';
import { type ReadTrace, readTrace, type TraceColumns } from './read-trace.js';

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

export interface LinkSuggestions {
  /** In the spelling of the API. */
  readonly rows: PackedRows;
  /** Artifacts without a link upwards. */
  readonly total: number;
}

let builtIn: EmbeddingModel | undefined;

/** With the vectors of the workspace: the next page asks for the same texts, and so do others later. */
function embeddingModel(context: TaskContext): EmbeddingModel {
  builtIn ??= openBuiltInModel({ workers: 2 });
  return withEmbeddingCache(builtIn, {
    get: (keys) => ask(context, keptVectors, keys),
    set: (entries) => ask(context, keepVectors, entries),
  });
}

/**
 * Proposes what artifacts without a link upwards could be linked to, by words and meaning. All open artifacts of a type
 * are ranked together, whichever page is asked for.
 */
export const suggestLinksTask: EngineTask<SuggestionTaskInput, LinkSuggestions> = {
  name: 'suggestLinks',
  processorSeconds: 300,
  work: async ({ columns, options, artifactId, embeddings, offset, limit }, context) => {
    const rules = await loadTraceabilityRules();
    const { open, artifacts } = await openArtifacts(readTrace(columns), options);
    const inOrder = open.filter(({ id }) => artifactId === undefined || id === artifactId);
    const page = inOrder.slice(offset, offset + limit);
    const found = await proposeTraceLinks(
      { open, artifacts: [...artifacts.values()] },
      {
        rules,
        types: new Set(page.map((artifact) => artifact.type)),
        ...(embeddings === 'builtin' ? { model: embeddingModel(context) } : {}),
        signal: context.signal,
      },
    );
    return {
      result: {
        rows: packRows(
          page.map(({ id, type, text }) => ({
            artifact_id: id,
            type,
            text,
            candidates: (found.get(id) ?? []).map(toCandidate),
          })),
        ),
        total: inOrder.length,
      },
    };
  },
};

const toCandidate = ({ artifactId, type, text, score, link }: ProposedTraceLink) => ({
  artifact_id: artifactId,
  type,
  text,
  score,
  link: { source_id: link.sourceId, target_id: link.targetId, link_type: link.type },
});

/** Artifacts by id, and those of them without a link upwards. */
export async function openArtifacts(
  trace: ReadTrace,
  options: TraceOptions,
): Promise<{ readonly open: readonly Artifact[]; readonly artifacts: ReadonlyMap<string, Artifact> }> {
  const artifacts = new Map<string, Artifact>();
  for (const artifact of trace.artifacts) {
    if (!artifacts.has(artifact.id)) artifacts.set(artifact.id, artifact);
  }
  const { analysis } = await examine(trace, { ...options, listedPerType: Number.MAX_SAFE_INTEGER });
  const orphans = new Set(
    analysis.gaps.filter(({ gapType }) => gapType === 'orphan_upstream').map((gap) => gap.artifactId),
  );
  return { open: [...artifacts.values()].filter(({ id }) => orphans.has(id)), artifacts };
}
