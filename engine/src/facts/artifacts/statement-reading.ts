import type { Block } from '../../documents/document.js';
import type { ExtractionWords } from './extraction-words.js';
import type { LinkSentence, Reference, StatementDraft, StatementSource } from './statement.js';

/** What pass 1 hands from part to part while it reads one document. */
export interface StatementReading {
  readonly source: StatementSource;
  /** Where the rows of tables are, by `TableRow.block`. */
  readonly blocks: readonly Block[];
  readonly words: ExtractionWords;
  readonly statements: StatementDraft[];
  readonly sentences: LinkSentence[];
  /** Statements with a time in which a fault is tolerated, as goals have it. */
  readonly timed: Set<StatementDraft>;
  /** How many tags in the source text have a name so far. */
  readonly tags: Map<string, number>;
}

/** A statement about an id at a block; whoever calls says what it states. */
export function startStatement(block: Pick<Block, 'location' | 'start' | 'end'>, id: string): StatementDraft {
  return {
    // What links ask for comes first: it lies together in memory.
    id: /\s/.test(id) ? id.replace(/\s+/g, ' ') : id,
    type: 'unknown',
    kind: 'definition',
    text: '',
    name: undefined,
    location: block.location,
    start: block.start,
    end: block.end,
    asil: undefined,
    asilPlace: undefined,
    cal: undefined,
    risk: undefined,
    status: undefined,
    version: undefined,
    result: undefined,
    method: undefined,
    configuration: undefined,
    informational: undefined,
    external: undefined,
    ratings: undefined,
    typeWord: undefined,
    columnType: undefined,
    titled: undefined,
    told: undefined,
    tentative: undefined,
    context: undefined,
    named: false,
    needs: undefined,
    references: NO_REFERENCES,
  };
}

/** Of all statements without any; never written to. */
const NO_REFERENCES: Reference[] = [];

/** Adds a reference. Most statements have one to three, for which an array that grows keeps room for seventeen. */
export function refer(statement: Pick<StatementDraft, 'references'>, reference: Reference): void {
  const { references } = statement;
  switch (references.length) {
    case 0:
      statement.references = [reference];
      break;
    case 1:
      statement.references = [references[0]!, reference];
      break;
    case 2:
      statement.references = [references[0]!, references[1]!, reference];
      break;
    default:
      references.push(reference);
  }
}
