import type { Corpus } from '../../corpus/corpus.js';
import type { ModelStatement } from '../../models/asking.js';
import type { RetrievalMethod } from '../../retrieval/rank-candidates.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Standard } from '../../standards/criterion.js';
import { documentStatements, methodOf } from '../run-method.js';
import type { GapAnalysisInput, MethodStatement } from './gap-analysis.js';

/** How a gap analysis came about. `standard` is the part that was assessed. */
export function methodStatement(
  input: GapAnalysisInput,
  standard: Standard,
  found: {
    readonly corpus: Corpus;
    readonly retrieval: RetrievalMethod;
    readonly passages: number;
    readonly model?: ModelStatement;
  },
): MethodStatement {
  const { id, designation, edition, criteria } = standard;
  const clauses = input.options?.clauses;
  return methodOf(
    input,
    {
      standard: {
        id,
        designation,
        edition,
        criteria: criteria.length,
        ...(clauses?.length ? { clauses } : {}),
      },
    },
    {
      embedding: embeddingStatement(found.retrieval),
      documents: documentStatements(found.corpus, input.documents),
      passages: found.passages,
      ...(found.model ? { model: found.model } : {}),
    },
  );
}

function embeddingStatement(retrieval: RetrievalMethod): MethodStatement['embedding'] {
  if ('model' in retrieval.embedding) {
    return { model: retrieval.embedding.model, lexicalOnlyDocuments: retrieval.lexicalOnlyDocuments };
  }
  return worded({
    lexicalOnly: say(
      retrieval.embedding.off === 'language' ? 'general.embeddings-language' : 'general.embeddings-off',
    ),
  });
}
