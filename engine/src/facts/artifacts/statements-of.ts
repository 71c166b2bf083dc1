import type { CorpusDocument } from '../../corpus/corpus.js';
import { readStatements } from './read-statements.js';
import type { DocumentStatements } from './statement.js';

const statementsByDocument = new WeakMap<CorpusDocument, DocumentStatements>();

/** Everything that a document of a corpus says about ids, read once. */
export function statementsOf(document: CorpusDocument): DocumentStatements {
  let statements = statementsByDocument.get(document);
  if (!statements) {
    const { id, read, parts } = document;
    const documentType = parts.find((part) => part.whole)?.typeId;
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
