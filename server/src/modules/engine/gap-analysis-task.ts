import {
  type AnalysedDocument,
  type AnalysisScope,
  type ClosableEmbeddingModel,
  type CriterionVerdict,
  type EmbeddingModel,
  type Evidence,
  type GapAnalysis,
  type GapAnalysisStage,
  gapAnalysisEvents,
  openBuiltInModel,
  type Standard,
  withEmbeddingCache,
} from '@normtrace/engine';
import type { TaskContext, TaskResult } from '../../platform/threads/serve-tasks.js';
import { unpackDocument } from './parsed-document.js';

export interface GapAnalysisTaskInput {
  readonly standard: Standard;
  readonly documents: readonly (Omit<AnalysedDocument, 'document'> & {
    /** See `packDocument`. */
    readonly packed: Uint8Array;
  })[];
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly scope: AnalysisScope;
  readonly embeddings: 'builtin' | 'off';
  /** Verdicts that an attempt before this one reached. */
  readonly known: readonly CriterionVerdict[];
}

/** How far a run is. */
export interface RunProgress {
  readonly stage: string;
  /** 0 to 99; 100 is reached when the result is stored. */
  readonly percent: number;
  readonly done: number;
  readonly total: number;
}

/** What a run tells while it goes on. */
export type GapAnalysisNews =
  | { readonly kind: 'progress'; readonly progress: RunProgress }
  | { readonly kind: 'verdict'; readonly verdict: CriterionVerdict }
  | { readonly kind: 'finding'; readonly finding: GapAnalysis['findings'][number] };

/** What a run asks: vectors that were computed before, and to keep new ones. */
export type VectorQuestion =
  | { readonly kind: 'get'; readonly keys: readonly string[] }
  | { readonly kind: 'set'; readonly entries: readonly (readonly [key: string, vector: Float32Array])[] };

/** Share of the whole that each stage begins and ends with, in percent. */
const STAGES: Readonly<Record<'documents' | GapAnalysisStage, readonly [from: number, to: number]>> = {
  documents: [0, 8],
  passages: [8, 15],
  words: [15, 20],
  retrieval: [20, 60],
  judgement: [60, 95],
  findings: [95, 99],
};

let model: ClosableEmbeddingModel | undefined;

/** Runs a gap analysis over parsed documents. Every quote is compared with the text once more before it leaves. */
export async function analyseGapsTask(
  input: GapAnalysisTaskInput,
  context: TaskContext,
): Promise<TaskResult> {
  const news = (message: GapAnalysisNews): void => context.progress(message);
  const progress = (stage: keyof typeof STAGES, done: number, total: number): void => {
    const [from, to] = STAGES[stage];
    const percent = Math.floor(from + ((to - from) * done) / Math.max(1, total));
    news({ kind: 'progress', progress: { stage, percent, done, total } });
  };

  const documents: AnalysedDocument[] = [];
  for (const { packed, ...about } of input.documents) {
    progress('documents', documents.length, input.documents.length);
    documents.push({ ...about, document: await unpackDocument(packed) });
    context.signal.throwIfAborted();
  }
  const events = gapAnalysisEvents({
    standard: input.standard,
    documents,
    scope: input.scope,
    options: { conditions: input.conditions },
    known: input.known,
    signal: context.signal,
    ...(input.embeddings === 'builtin' ? { embedding: embeddingModel(context, progress) } : {}),
  });
  const known = new Set(input.known.map(({ criterionId }) => criterionId));
  let result: GapAnalysis | undefined;
  for await (const event of events) {
    if (event.type === 'progress') progress(event.stage, event.done, event.total);
    else if (event.type === 'verdict') {
      progress('judgement', event.done, event.total);
      const { verdict } = event;
      if (!known.has(verdict.criterionId)) news({ kind: 'verdict', verdict });
    } else if (event.type === 'finding') news({ kind: 'finding', finding: event.finding });
    else result = event.result;
  }
  if (!result) throw new Error('The analysis ended without a result.');
  const texts = new Map(documents.map(({ id, document }) => [id, document.text]));
  for (const { evidence } of [...result.verdicts, ...result.findings]) checkQuotes(evidence, texts);
  return { result };
}

/** Throws for a quote that is not exactly what stands in its range of the document. */
export function checkQuotes(
  evidence: readonly Pick<Evidence, 'documentId' | 'start' | 'end' | 'quote'>[],
  texts: ReadonlyMap<string, string>,
): void {
  for (const { documentId, start, end, quote } of evidence) {
    const text = texts.get(documentId);
    if (quote.length > 0 && text?.slice(start, end) === quote) continue;
    throw new Error(`A quote is not what stands at ${start} to ${end} of document ${documentId}.`);
  }
}

/** The built-in model, with the vectors of the workspace before it. */
function embeddingModel(
  context: TaskContext,
  progress: (stage: 'retrieval', done: number, total: number) => void,
): EmbeddingModel {
  model ??= openBuiltInModel({ workers: 1 });
  const cached = withEmbeddingCache(model, {
    get: async (keys) =>
      (await context.ask({ kind: 'get', keys } satisfies VectorQuestion)) as (Float32Array | undefined)[],
    set: async (entries) => {
      await context.ask({ kind: 'set', entries } satisfies VectorQuestion);
    },
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
