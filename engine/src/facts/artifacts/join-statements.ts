import type { Location } from '../../documents/location.js';
import type { DocumentStatements, LinkSentence, SettledStatement, StatementSource } from './statement.js';

/** What all documents say, in their order; documents are known by their position. */
export interface Statements {
  readonly documents: readonly StatementSource[];
  readonly statements: readonly SettledStatement[];
  readonly sentences: readonly (LinkSentence & { readonly document: number })[];
  readonly demands: readonly { readonly document: number; readonly location: Location }[];
}

/** Copies what was read of each document, to be settled beside the others: readings stay as they are. Linear. */
export function joinStatements(read: readonly DocumentStatements[]): Statements {
  const statements: SettledStatement[] = [];
  for (const [document, { statements: own }] of read.entries()) {
    const first = statements.length;
    for (const statement of own) {
      const { context } = statement;
      const settled: SettledStatement = {
        ...statement,
        document,
        context: undefined,
        scoped: false,
        position: -1,
      };
      if (context) {
        const { of, ...rest } = context;
        settled.context = of === undefined ? rest : { ...rest, of: statements[first + of]! };
      }
      statements.push(settled);
    }
  }
  return {
    documents: read.map(({ source }) => source),
    statements,
    sentences: read.flatMap(({ sentences }, document) => sentences.map((one) => ({ ...one, document }))),
    demands: read.flatMap(({ demands }, document) => demands.map((location) => ({ document, location }))),
  };
}
