import { hash } from 'node:crypto';
import type { Block, Document } from '../../documents/document.js';
import { columnsByTitle, plainTitle, rowNumber } from '../../documents/named-columns.js';
import type { Severity } from '../../findings/finding.js';
import { normaliseText } from '../../text/normalise.js';
import { plainValue } from '../../text/plain-value.js';
import { ChecklistFileError, type ChecklistFileProblem } from './checklist-file-error.js';
import { type ChecklistColumn, columnWords, type WrittenAnswer } from './column-words.js';
import { type ImportedAnswer, type OwnItem, ownItemId } from './own-item.js';

export interface TableContent {
  readonly items: readonly OwnItem[];
  readonly answers: readonly ImportedAnswer[];
}

/**
 * Items of the tables of a document, one a row: a column with the question and one more column that is known are needed.
 * Rows that hold a title only are passed over. Without a column of ids, an item's id comes from its words, so that it stays
 * the same when rows move. Throws `ChecklistFileError` naming sheet, row and column.
 */
export function itemsFromTable(document: Document): TableContent {
  const items: OwnItem[] = [];
  const answers: ImportedAnswer[] = [];
  const problems: ChecklistFileProblem[] = [];
  const places = new Map<string, string>();
  const tables = tablesOf(document);
  for (const table of tables) readTable(table, { items, answers, problems, places });
  if (tables.length === 0) {
    throw new ChecklistFileError(
      [{ message: 'No table has a column with the questions.' }],
      'Name the columns in the first row, for example "ID", "Question" and "Severity"; "Reference", "Guidance", "Result", "Remark" and "Evidence" are read too.',
    );
  }
  if (problems.length === 0 && items.length === 0) {
    problems.push({ message: 'The table has no items below its column titles.' });
  }
  if (problems.length > 0) {
    throw new ChecklistFileError(problems, 'Correct the rows and read the file again.');
  }
  return { items, answers };
}

interface Table {
  readonly columns: ReadonlyMap<ChecklistColumn, number>;
  readonly head: Block;
  /** Columns whose title is an answer and whose cells are crossed: "Yes | No | N/A". */
  readonly crossed: ReadonlyMap<number, WrittenAnswer>;
  readonly rows: readonly Block[];
}

interface Into {
  readonly items: OwnItem[];
  readonly answers: ImportedAnswer[];
  readonly problems: ChecklistFileProblem[];
  /** Where each id stands, in words. */
  readonly places: Map<string, string>;
}

function tablesOf(document: Document): readonly Table[] {
  const byId = new Map<number, Block[]>();
  for (const block of document.blocks) {
    if (block.kind !== 'table_row' || !block.table) continue;
    const rows = byId.get(block.table.id);
    if (rows) rows.push(block);
    else byId.set(block.table.id, [block]);
  }
  return [...byId.values()].flatMap((rows): Table[] => {
    const at = rows.findIndex((row) => isHead(columnsByTitle(row, columnWords().titles)));
    if (at < 0) return [];
    const below = rows.slice(at + 1).filter((row) => !row.table!.header);
    const columns = new Map(columnsByTitle(rows[at]!, columnWords().titles));
    const crossed = crossedColumns(rows[at]!, below);
    if (crossed.size > 0 || !saysResults(below, columns.get('result'))) columns.delete('result');
    return [{ columns, head: rows[at]!, crossed, rows: below }];
  });
}

const isHead = (columns: ReadonlyMap<ChecklistColumn, number>): boolean =>
  columns.has('text') && columns.size > 1;

function crossedColumns(head: Block, below: readonly Block[]): ReadonlyMap<number, WrittenAnswer> {
  const { answers, crosses } = columnWords();
  const found = new Map<number, WrittenAnswer>();
  for (const { text, column } of head.cells ?? []) {
    const answer = answers.get(plainValue(text)) ?? answers.get(plainTitle(text));
    const values = below.map((row) => cellText(row, column)).filter((value) => value !== '');
    if (answer && values.every((value) => crosses.has(plainValue(value)))) found.set(column, answer);
  }
  return found.size > 1 ? found : new Map();
}

/** A column "Status" may hold draft and released: then it says nothing about results. */
function saysResults(below: readonly Block[], column: number | undefined): boolean {
  if (column === undefined) return false;
  return below.some((row) => columnWords().answers.has(plainValue(cellText(row, column))));
}

function readTable({ columns, head, crossed, rows }: Table, into: Into): void {
  for (const row of rows) {
    const value = (key: ChecklistColumn): string => {
      const column = columns.get(key);
      return column === undefined ? '' : cellText(row, column);
    };
    const text = value('text');
    if (isGroupTitle(row, columns) || (text === '' && value('id') === '')) continue;
    const refuse = problemAt({ row, head, columns }, into.problems);
    if (text === '') refuse('text', 'The question is missing.');
    if (columns.has('id') && value('id') === '') refuse('id', 'The id is missing.');
    const id = ownItemId(value('id') || idFromWords(text));
    const place = into.places.get(id);
    if (place !== undefined) {
      refuse(columns.has('id') ? 'id' : 'text', `It is the same as in ${place}; every item needs its own.`);
    }
    into.places.set(id, place ?? placeOf(row));
    const severity = severityOf(value('severity'), refuse);
    into.items.push({
      id,
      text,
      ...(value('reference') ? { reference: value('reference') } : {}),
      ...(severity ? { severity } : {}),
      ...(value('guidance') ? { guidance: value('guidance') } : {}),
    });
    const result = answerOf(row, { written: value('result'), crossed, refuse });
    if (!result || result === 'open') continue;
    const evidence = value('evidence');
    into.answers.push({
      itemId: id,
      result,
      standing: evidence ? 'referenced' : 'claimed',
      confidence: evidence ? 'medium' : 'low',
      ...(value('remark') ? { remark: value('remark') } : {}),
      ...(evidence ? { evidence } : {}),
      location: row.location,
    });
  }
}

type Refuse = (column: ChecklistColumn, message: string) => void;

function problemAt(
  { row, head, columns }: { readonly row: Block } & Pick<Table, 'head' | 'columns'>,
  problems: ChecklistFileProblem[],
): Refuse {
  const { sheet } = row.location;
  return (key, message) => {
    const column = columns.get(key);
    problems.push({
      ...(sheet === undefined ? {} : { sheet }),
      row: rowNumber(row),
      ...(column === undefined ? {} : { column: cellText(head, column) }),
      message,
    });
  };
}

const LONGEST_GROUP_TITLE = 8;

/** A row with a single short text that neither asks nor states: it names the items below it. */
function isGroupTitle(row: Block, columns: ReadonlyMap<ChecklistColumn, number>): boolean {
  const filled = (row.cells ?? []).filter(({ text }) => text.trim() !== '');
  const texts = new Set(filled.map(({ text }) => text));
  const [only] = texts;
  if (only === undefined || texts.size > 1 || /[.?!]$/.test(only)) return false;
  const words = only.split(/\s+/);
  const isTitle = words.length <= LONGEST_GROUP_TITLE && /\p{L}/u.test(only);
  // Without ids, a row with a question alone is an item; an id alone is one that lost its question.
  const inText = filled.some(({ column }) => column === columns.get('text'));
  if (inText && filled.length === 1 && !columns.has('id')) return false;
  return isTitle && (inText || words.length > 1);
}

function idFromWords(text: string): string {
  return hash('sha256', normaliseText(text), 'hex').slice(0, 8);
}

function severityOf(text: string, refuse: Refuse): Severity | undefined {
  if (text === '') return undefined;
  const { severities, examples } = columnWords();
  const severity = severities.get(plainValue(text));
  if (!severity) refuse('severity', `Severity is one of ${examples.severities}.`);
  return severity;
}

function answerOf(
  row: Block,
  {
    written,
    crossed,
    refuse,
  }: { readonly written: string; readonly crossed: Table['crossed']; readonly refuse: Refuse },
): WrittenAnswer | undefined {
  const marks = [...crossed].filter(([column]) => cellText(row, column) !== '');
  if (marks.length > 1) refuse('result', 'More than one answer is crossed; leave one.');
  if (marks[0]) return marks[0][1];
  if (written === '') return undefined;
  const { answers, examples } = columnWords();
  const answer = answers.get(plainValue(written));
  if (!answer) refuse('result', `The answer is not known; use ${examples.answers}.`);
  return answer;
}

function cellText(row: Block, column: number): string {
  return row.cells?.find((cell) => cell.column === column)?.text.trim() ?? '';
}

function placeOf(row: Block): string {
  const { sheet } = row.location;
  return `${sheet === undefined ? '' : `sheet "${sheet}", `}row ${rowNumber(row)}`;
}
