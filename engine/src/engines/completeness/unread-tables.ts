import type { CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Table } from '../../corpus/passages/tables.js';
import { identifiersIn } from '../../facts/artifacts/identifiers.js';
import { statementsOf } from '../../facts/artifacts/statements-of.js';
import { say } from '../../sentences/sentence.js';
import { namesOfTypes } from '../../words/artifact-types.js';
import { compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import type { StructureDefect } from './structure-defect.js';

const QUOTES = 3;
const FEWEST_ROWS = 2;

/**
 * EM-10. Tables about identified things of which nothing was read, because neither titles nor labels say what their cells
 * mean: a person has to read them, and what is not found may stand there.
 */
export function unreadTables(document: CorpusDocument): readonly StructureDefect[] {
  const { read } = document;
  return read.records.flatMap((table): StructureDefect[] => {
    if (!isAboutIds(document, table) || isTitled(table) || isTold(document, table)) return [];
    const [first] = table.rows;
    const section = read.sections[read.sectionOf[first!.block]!]?.title.trim();
    const title = section === undefined || section === '' ? document.name : section;
    return [
      {
        rule: 'EM-10',
        severity: 'low',
        item: `table ${title}`,
        title: say('completeness.table-not-read-title', { title }),
        observed: say('completeness.table-not-read', { title, rows: table.rows.length }),
        evidence: table.rows.slice(0, QUOTES).flatMap((row) => {
          const cell = [...row.cells.values()].find(({ text }) => identifiersIn(text).length > 0);
          return cell ? [quote(read.document, read.passages[row.block]!, cell, { role: 'context' })] : [];
        }),
      },
    ];
  });
}

/** Half of its rows name something by an id of a known kind. */
function isAboutIds({ read }: CorpusDocument, { rows }: Table): boolean {
  if (rows.length < FEWEST_ROWS || read.passages[rows[0]!.block]!.role !== 'body') return false;
  const named = rows.filter(({ cells }) =>
    [...cells.values()].some(({ text }) => identifiersIn(text).length > 0),
  );
  return named.length * 2 >= rows.length;
}

/** A title of it is known. */
const isTitled = ({ columns }: Table) =>
  columns.some((title) => {
    const compact = compactTitle(title ?? '');
    return meaningOfTitles().has(compact) || namesOfTypes().has(compact);
  });

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
