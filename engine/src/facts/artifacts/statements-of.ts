import type { CorpusDocument } from '../../corpus/corpus.js';
import { readStatements } from './read-statements.js';
import type { DocumentStatements } from './statement.js';

const statementsByDocument = new WeakMap<CorpusDocument, DocumentStatements>();

/** A specification by its name that is a concept by what stands in it ("Pflichtenheft A, Sicherheitskonzept") holds the requirements of the concept. */
const CONCEPTS: ReadonlySet<string> = new Set(['functional_safety_concept', 'technical_safety_concept']);

/** Everything that a document of a corpus says about ids, read once. */
export function statementsOf(document: CorpusDocument): DocumentStatements {
  let statements = statementsByDocument.get(document);
  if (!statements) {
    const { id, read, parts } = document;
    const types = parts.filter(({ whole }) => whole).map(({ typeId }) => typeId);
    const documentType = types.find((type) => CONCEPTS.has(type)) ?? types[0];
    statements = readStatements({
      id,
      document: read.document,
      read,
      ...(documentType === undefined ? {} : { documentType }),
    });
    statementsByDocument.set(document, statements);
  }
  return statements;
}
