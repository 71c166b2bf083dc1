import type { CorpusDocument } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import type { Table } from '../corpus/passages/tables.js';
import { templateWords } from '../document-types/template-words.js';
import { identifiersIn } from '../facts/artifacts/identifiers.js';
import { statementsOf } from '../facts/artifacts/statements-of.js';
import type { Evidence } from '../findings/finding.js';
import { namesOfTypes } from '../words/artifact-types.js';
import { compactTitle, meaningOfTitles } from '../words/column-titles.js';

const QUOTES = 3;
const FEWEST_ROWS = 2;

/** A table that nobody could read. */
export interface UnreadTable {
  /** Of its section; the name of the document where it has none. */
  readonly title: string;
  readonly rows: number;
  /** Its first ids, as context. */
  readonly evidence: readonly Evidence[];
}

const known = new WeakMap<CorpusDocument, readonly UnreadTable[]>();

/**
 * Tables about identified things of which nothing was read, because neither titles nor labels say what their cells
 * mean: a person has to read them, and what is not found may stand there (T14).
 */
export function unreadTables(document: CorpusDocument): readonly UnreadTable[] {
  const before = known.get(document);
  if (before) return before;
  const { read } = document;
  const found = read.records.flatMap((table): UnreadTable[] => {
    if (!isAboutIds(document, table) || isTitled(table) || isTold(document, table)) return [];
    const [first] = table.rows;
    const section = read.sections[read.sectionOf[first!.block]!]?.title.trim();
    return [
      {
        title: section === undefined || section === '' ? document.name : section,
        rows: table.rows.length,
        evidence: table.rows.slice(0, QUOTES).flatMap((row) => {
          const cell = [...row.cells.values()].find(({ text }) => identifiersIn(text).length > 0);
          return cell ? [quote(read.document, read.passages[row.block]!, cell, { role: 'context' })] : [];
        }),
      },
    ];
  });
  known.set(document, found);
  return found;
}

/** Half of its rows name something by an id of a known kind. */
function isAboutIds({ read }: CorpusDocument, { rows }: Table): boolean {
  if (rows.length < FEWEST_ROWS || read.passages[rows[0]!.block]!.role !== 'body') return false;
  const named = rows.filter(({ cells }) =>
    [...cells.values()].some(({ text }) => identifiersIn(text).length > 0),
  );
  return named.length * 2 >= rows.length;
}

const PREPOSITION = /\s(?:in|im|on|an|am|of|for|at|bei|für|von|der|des)\s/iu;

/** A title of it is known. */
const isTitled = ({ columns }: Table) =>
  columns.some((title) => {
    // "Criterion in the vehicle"
    const compact = compactTitle((title ?? '').split(PREPOSITION)[0]!);
    return meaningOfTitles().has(compact) || namesOfTypes().has(compact) || titlesOfTemplates().has(compact);
  });

let columnsOfTemplates: ReadonlySet<string> | undefined;

/** What templates call their columns, in both languages. */
function titlesOfTemplates(): ReadonlySet<string> {
  columnsOfTemplates ??= new Set(Object.entries(templateWords().columns).flat().map(compactTitle));
  return columnsOfTemplates;
}

/** Something was read from one of its rows, or labels in its cells say what it holds. */
function isTold(document: CorpusDocument, { rows }: Table): boolean {
  const { blocks } = document.read.document;
  const [from, to] = [blocks[rows[0]!.block]!.start, blocks[rows.at(-1)!.block]!.end];
  const isRead = statementsOf(document).statements.some(
    ({ start, kind, references }) =>
      start >= from && start <= to && (kind === 'definition' || references.length > 0),
  );
  return (
    isRead ||
    rows.some(({ cells }) =>
      [...cells.values()].some(({ text }) => meaningOfTitles().has(compactTitle(text))),
    )
  );
}
