import {
  type AnalysisScope,
  analyseGaps,
  type ClosableEmbeddingModel,
  type CriterionVerdict,
  type DecidedOpinion,
  type EmbeddingModel,
  type GapAnalysis,
  type GapAnalysisStage,
  openBuiltInModel,
  type Standard,
  withEmbeddingCache,
} from '@normtrace/engine';
import type { TaskContext } from '../../platform/processes/serve-tasks.js';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import { type StageShares, tellProgress, tellRun } from '../engine/run-news.js';
import { modelOfTask, type TaskModel } from '../models/model-question.js';
import { keepVectors, keptVectors } from '../vectors/vector-questions.js';

export interface GapAnalysisTaskInput {
  readonly standard: Standard;
  readonly documents: readonly PackedDocument[];
  readonly conditions: Readonly<Record<string, boolean>>;
  /** The part of the standard to assess; empty for all of it. */
  readonly clauses: readonly string[];
  readonly scope: AnalysisScope;
  /** A remote model is asked by whoever started the task. */
  readonly embeddings: 'builtin' | 'off' | Pick<EmbeddingModel, 'id' | 'dimensions'>;
  /** The language model that may be asked; none: rules alone. */
  readonly model?: TaskModel | undefined;
  /** Differences that people have decided, as examples for the model. */
  readonly decided: readonly DecidedOpinion[];
  readonly writtenIn: 'en' | 'de' | undefined;
  /** Verdicts that an attempt before this one reached. */
  readonly known: readonly CriterionVerdict[];
}

/** To embed texts at a server, for which a task has no rights. */
export const remoteVectors: EngineQuestion<readonly string[], readonly Float32Array[]> = {
  kind: 'remote vectors',
};

const SHARES: StageShares<'documents' | GapAnalysisStage> = {
  documents: [0, 8],
  passages: [8, 15],
  words: [15, 20],
  retrieval: [20, 60],
  judgement: [60, 80],
  // Without a model these pass at once.
  opinions: [80, 95],
  findings: [95, 99],
};

let builtIn: ClosableEmbeddingModel | undefined;

/** Runs a gap analysis over parsed documents; the engine has compared every quote with its text. */
export const analyseGapsTask: EngineTask<GapAnalysisTaskInput, GapAnalysis> = {
  name: 'analyseGaps',
  work: async (input, context) => {
    const progress = tellProgress(context, SHARES);
    const documents = await unpackDocuments(input.documents, context, progress);
    const result = await analyseGaps({
      standard: input.standard,
      documents,
      scope: input.scope,
      options: { conditions: input.conditions, clauses: input.clauses },
      known: input.known,
      decided: input.decided,
      signal: context.signal,
      ...(input.embeddings === 'off'
        ? {}
        : { embedding: embeddingModel(input.embeddings, context, progress) }),
      ...(input.model ? { model: modelOfTask(writingModel(input.model, input), context) } : {}),
      ...tellRun(context, SHARES),
    });
    return { result };
  },
};

const writingModel = (model: TaskModel, { writtenIn }: Pick<GapAnalysisTaskInput, 'writtenIn'>): TaskModel =>
  writtenIn === undefined ? model : { ...model, writesIn: writtenIn };

/** A vector that is needed is not kept. */
class VectorMissing extends Error {
  override readonly name = 'VectorMissing';
}

/**
 * What a gap analysis would ask a language model, counted by whoever answers: with the vectors that earlier runs kept where all
 * are there, else by words alone. Computes no vectors and has nothing sent.
 */
export const estimateGapsTask: EngineTask<
  Omit<GapAnalysisTaskInput, 'known' | 'model'> & { readonly model: TaskModel },
  null
> = {
  name: 'estimateGaps',
  work: async (input, context) => {
    const { standard, conditions, clauses, scope, embeddings, decided } = input;
    const documents = await unpackDocuments(input.documents, context, () => undefined);
    const run = (embedding?: EmbeddingModel) =>
      analyseGaps({
        ...{ standard, documents, scope, decided, options: { conditions, clauses }, signal: context.signal },
        ...(embedding ? { embedding } : {}),
        model: modelOfTask(writingModel(input.model, input), context),
      });
    if (embeddings === 'off') {
      await run();
      return { result: null };
    }
    const { id, dimensions } = embeddings === 'builtin' ? openBuiltInModel() : embeddings;
    const embed = () => Promise.reject(new VectorMissing());
    const kept = withEmbeddingCache(
      { id, dimensions, embed },
      { get: (keys) => ask(context, keptVectors, keys), set: async () => undefined },
    );
    try {
      await run(kept);
    } catch (error) {
      if (!(error instanceof VectorMissing)) throw error;
      await run();
    }
    return { result: null };
  },
};

/** The model of a run, with the vectors of the workspace before it. */
function embeddingModel(
  kind: 'builtin' | Pick<EmbeddingModel, 'id' | 'dimensions'>,
  context: TaskContext,
  progress: (stage: 'retrieval', done: number, total: number) => void,
): EmbeddingModel {
  // Both processors of a small machine; on a large one other analyses run beside this one.
  if (kind === 'builtin') builtIn ??= openBuiltInModel({ workers: 2 });
  const model: EmbeddingModel =
    kind === 'builtin'
      ? builtIn!
      : { ...kind, embed: async (texts) => [...(await ask(context, remoteVectors, texts))] };
  const cached = withEmbeddingCache(model, {
    get: (keys) => ask(context, keptVectors, keys),
    set: (entries) => ask(context, keepVectors, entries),
  });
  return {
    id: cached.id,
    dimensions: cached.dimensions,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += 64) {
        progress('retrieval', from, texts.length);
        vectors.push(...(await cached.embed(texts.slice(from, from + 64), signal)));
      }
      return vectors;
    },
  };
}
