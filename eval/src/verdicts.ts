import { createHash } from 'node:crypto';
import {
  type AnalysedDocument,
  analyseGaps,
  type Confidence,
  type CoverageModel,
  type CriterionVerdict,
  type EmbeddingModel,
  type ModelUse,
  readDocument,
  readStandardFile,
  type Standard,
  type Verdict,
} from '@normtrace/engine';
import { modelFittedOn } from './coverage.js';
import type { CoverageCorpus, CoverageSet } from './gold.js';
import type { Method } from './methods.js';

/** A clause of an uploaded standard as the product and as a person judged it. */
export interface JudgedVerdict {
  readonly corpus: string;
  readonly set: string;
  readonly verdict: Verdict;
  readonly confidence: Confidence;
  /** What a person said. */
  readonly covered: boolean;
}

/**
 * Verdicts of the gap analysis as the service runs it: clauses uploaded as a table, passages as a text document. The
 * coverage model is fitted on the other corpora; with one corpus alone it is the shipped one.
 * @param method The engine's own, with embeddings where there is a model.
 * @param use A language model beside the rules.
 */
export async function judgeVerdicts(
  corpora: readonly CoverageCorpus[],
  method: Method,
  model: EmbeddingModel | undefined,
  use?: ModelUse,
): Promise<readonly JudgedVerdict[]> {
  const judged: JudgedVerdict[] = [];
  for (const corpus of corpora) {
    const others = corpora.filter((other) => other !== corpus);
    const fitted = others.length > 0 ? await modelFittedOn(others, method) : undefined;
    for (const set of corpus.sets) {
      const verdicts = await verdictsOn(set, { model, coverageModel: fitted, use });
      set.truth.forEach(({ covered }, at) => {
        const { verdict, confidence } = verdicts[at]!;
        judged.push({ corpus: corpus.name, set: set.name, verdict, confidence, covered });
      });
    }
  }
  return judged;
}

async function verdictsOn(
  set: CoverageSet,
  {
    model,
    coverageModel,
    use,
  }: {
    readonly model: EmbeddingModel | undefined;
    readonly coverageModel: CoverageModel | undefined;
    readonly use: ModelUse | undefined;
  },
): Promise<readonly CriterionVerdict[]> {
  const { verdicts } = await analyseGaps({
    standard: await uploaded(set),
    documents: [await asDocument(set)],
    ...(model ? { embedding: model } : {}),
    ...(coverageModel ? { coverageModel } : {}),
    ...(use ? { model: use } : {}),
  });
  return verdicts;
}

const inBytes = (text: string) => new TextEncoder().encode(text);

function uploaded({ name, criteria }: CoverageSet): Promise<Standard> {
  const rows = criteria.map((text, at) => `C${at + 1},"${text.replaceAll('"', '""')}"`);
  return readStandardFile(inBytes(['ID,Text', ...rows].join('\n')), `${name}.csv`, {
    id: name,
    readDocument: (bytes, fileName) => readDocument(bytes, { fileName }),
  });
}

async function asDocument({ name, passages }: CoverageSet): Promise<AnalysedDocument> {
  const bytes = inBytes(passages.join('\n\n'));
  const fileName = `${name}.txt`;
  return {
    id: name,
    name: fileName,
    version: '1',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    document: await readDocument(bytes, { fileName }),
  };
}
