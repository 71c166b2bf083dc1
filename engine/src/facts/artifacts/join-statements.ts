import type { Location } from '../../documents/location.js';
import type {
  DocumentStatements,
  LinkSentence,
  SettledStatement,
  Statement,
  StatementSource,
} from './statement.js';

/** What all documents say, in their order; documents are known by their position. */
export interface Statements {
  readonly documents: readonly StatementSource[];
  readonly statements: readonly SettledStatement[];
  readonly sentences: readonly (LinkSentence & { readonly document: number })[];
  readonly demands: readonly { readonly document: number; readonly location: Location }[];
}

/**
 * Copies what was read of each document, to be settled beside the others: readings stay as they are, and each is asked for once, when
 * it is its turn. Linear.
 */
export function joinStatements(read: Iterable<DocumentStatements>): Statements {
  const documents: StatementSource[] = [];
  const statements: SettledStatement[] = [];
  const sentences: Writable<Statements['sentences']> = [];
  const demands: Writable<Statements['demands']> = [];
  for (const { source, statements: own, ...rest } of read) {
    const document = documents.push(source) - 1;
    const first = statements.length;
    for (const statement of own) {
      const settled = unsettled(statement, document);
      const { context } = statement;
      if (context) {
        const { of, ...rest } = context;
        settled.context = of === undefined ? rest : { ...rest, of: statements[first + of]! };
      }
      statements.push(settled);
    }
    for (const one of rest.sentences) sentences.push({ ...one, document });
    for (const location of rest.demands) demands.push({ document, location });
  }
  return { documents, statements, sentences, demands };
}

type Writable<List extends readonly unknown[]> = List[number][];

/** Written one by one: copying objects is what takes the time in large exports, and kept statements lack what is undefined. */
const unsettled = (statement: Statement, document: number): SettledStatement => ({
  id: statement.id,
  type: statement.type,
  kind: statement.kind,
  text: statement.text,
  name: statement.name,
  location: statement.location,
  start: statement.start,
  end: statement.end,
  asil: statement.asil,
  asilPlace: statement.asilPlace,
  cal: statement.cal,
  risk: statement.risk,
  status: statement.status,
  version: statement.version,
  result: statement.result,
  method: statement.method,
  configuration: statement.configuration,
  informational: statement.informational,
  external: statement.external,
  ratings: statement.ratings,
  typeWord: statement.typeWord,
  columnType: statement.columnType,
  titled: statement.titled,
  told: statement.told,
  tentative: statement.tentative,
  named: statement.named,
  needs: statement.needs,
  references: statement.references,
  document,
  context: undefined,
  scoped: false,
  position: -1,
});
