import { readFileSync } from 'node:fs';
import type { Corpus } from '../corpus/corpus.js';
import { saidBy } from '../documents/reading-notes.js';
import type { RetrievalMethod } from '../retrieval/rank-candidates.js';
import { worded } from '../sentences/worded.js';
import type { DocumentStatement, GapAnalysisInput, MethodStatement } from './gap-analysis/gap-analysis.js';

export const DISCLAIMER =
  'Indicative analysis – not a confirmation measure, audit, assessment or certification.';

const PACKAGE: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Name and version of the engine, from its package. */
export function engineVersion(): { readonly name: string; readonly version: string } {
  return { name: PACKAGE.name, version: PACKAGE.version };
}

/** Everything that made the result what it is; no times, so that the same input gives the same bytes. */
export function methodStatement(
  input: GapAnalysisInput,
  corpus: Corpus,
  retrieval: RetrievalMethod,
  passages: number,
): MethodStatement {
  const { standard } = input;
  return {
    engine: engineVersion(),
    mode: 'rules',
    standard: {
      id: standard.id,
      designation: standard.designation,
      edition: standard.edition,
      criteria: standard.criteria.length,
      ...(input.options?.clauses?.length ? { clauses: input.options.clauses } : {}),
    },
    scope: corpus.scope,
    conditions: Object.fromEntries(
      Object.entries(input.options?.conditions ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    embedding: embeddingStatement(retrieval),
    documents: documentStatements(corpus, input.documents),
    passages,
    disclaimer: DISCLAIMER,
  };
}

/** What each document was taken for, with the grounds. */
export function documentStatements(
  corpus: Corpus,
  documents: GapAnalysisInput['documents'],
): readonly DocumentStatement[] {
  return corpus.documents.map((document, at) => {
    const given = documents[at]!;
    return {
      id: document.id,
      name: document.name,
      version: document.version,
      sha256: given.sha256,
      language: given.document.language,
      status: document.status,
      types: document.parts.map((part) => ({
        type: part.typeId,
        part: part.whole ? 'document' : 'section',
        confidence: part.confidence,
        reasons: part.reasons,
      })),
      ...(document.setAside === undefined ? {} : { setAside: document.setAside }),
      ...worded({ notes: saidBy(given.document.notes) }),
    };
  });
}

function embeddingStatement(retrieval: RetrievalMethod): MethodStatement['embedding'] {
  if ('model' in retrieval.embedding) {
    return { model: retrieval.embedding.model, lexicalOnlyDocuments: retrieval.lexicalOnlyDocuments };
  }
  const reason =
    retrieval.embedding.off === 'language'
      ? 'the model does not know the language of the documents'
      : 'embeddings are switched off';
  return { lexicalOnly: reason };
}
