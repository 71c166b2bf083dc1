import type { Table } from '../../corpus/passages/tables.js';
import { compactTitle } from '../../words/column-titles.js';
import { idsInText } from './id-forms.js';
import { typeInTitle } from './infer-type.js';
import type { StatementDraft } from './statement.js';
import { type StatementReading, startStatement } from './statement-reading.js';

/** A cross, a tick. */
const MARK = /^[xX×✓✔☒☑●•]$/u;
const LONGEST_NAME = 100;
const MOST_WORDS = 12;
/** Signs of gaps to fill in, of ends of sentences and of conditions. */
const NO_NAME = /[<>{}[\]…?=]|\.\s|[.:!]$|^\W*$/u;
const NOTHING =
  /^(?:n\/?a|tbd|tbc|tba|none|no|yes|nein|ja|keine?|entfällt|offen|open|all|alle|both|beide|various|diverse)$/iu;

/** Whether a text can be the name of an element: some words, no sentence. */
export function isElementName(text: string): boolean {
  return (
    text.length > 1 &&
    text.length <= LONGEST_NAME &&
    /\p{L}{2}/u.test(text) &&
    !NO_NAME.test(text) &&
    !NOTHING.test(text) &&
    text.split(' ').length <= MOST_WORDS
  );
}

/** Names listed in a cell: one to a line, or with commas or semicolons between them. */
export function namesIn(cell: string): readonly string[] {
  return cell
    .split(/[;,\n]|<br\s*\/?>/iu)
    .map((name) => name.replace(/^[\s•*–-]+|\s+$/gu, ''))
    .filter(isElementName);
}

/**
 * Elements of the architecture that have a name and a description but no id: rows of a table whose first title is that
 * of elements. They owe nothing, but what is allocated to them has its place.
 */
export function elementStatements(reading: StatementReading, table: Table): readonly StatementDraft[] {
  const [title] = table.columns;
  if (title === undefined || !namesElements(title, reading)) return [];
  const text = table.columns.findIndex(
    (one, column) => column > 0 && reading.words.columns.get(compactTitle(one ?? ''))?.attribute === 'text',
  );
  if (text < 0) return [];
  return table.rows.flatMap((row) => {
    const name = row.cells.get(0)?.text.trim() ?? '';
    if (!isElementName(name) || idsInText(name).some(({ start }) => start === 0)) return [];
    const statement = nameElement(startStatement(reading.blocks[row.block]!, name));
    statement.text = row.cells.get(text)?.text.trim() ?? '';
    return [statement];
  });
}

function namesElements(title: string, { words }: StatementReading): boolean {
  const role = words.columns.get(compactTitle(title));
  return role?.link === 'allocation' || (!role && typeInTitle(title, words) === 'design');
}

/** Makes a statement that of an element whose id is its name. */
export function nameElement(statement: StatementDraft): StatementDraft {
  statement.name = statement.id;
  statement.columnType = 'design';
  statement.type = 'design';
  statement.named = true;
  statement.informational = true;
  return statement;
}

/**
 * Columns named after elements that hold crosses and nothing else. `says` tells whether the section is about allocation;
 * elsewhere a cross counts only under the name of a known element.
 */
export function markedColumns(
  { words }: StatementReading,
  table: Table,
  section: readonly string[] | undefined,
): { readonly columns: ReadonlySet<number>; readonly says: boolean } {
  const columns = new Set<number>();
  const title = section?.at(-1)?.toLowerCase() ?? '';
  for (const [column, name] of table.columns.entries()) {
    if (column === 0 || name === undefined || !isElementName(name)) continue;
    if (words.columns.has(compactTitle(name))) continue;
    const cells = table.rows.flatMap((row) => row.cells.get(column)?.text.trim() || []);
    if (cells.length > 0 && cells.every((cell) => MARK.test(cell))) columns.add(column);
  }
  return { columns, says: words.allocationHeadings.some((word) => title.includes(word)) };
}

export function isMark(text: string): boolean {
  return MARK.test(text);
}
