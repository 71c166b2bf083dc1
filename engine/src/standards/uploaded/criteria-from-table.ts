import type { Block, Document } from '../../documents/document.js';
import { columnsByTitle, rowNumber } from '../../documents/named-columns.js';
import { SEVERITIES, type Severity } from '../../findings/finding.js';
import type { Criterion } from '../criterion.js';
import { StandardFileError, type StandardFileProblem } from './standard-file-error.js';

/** Titles that mean each column, English and German, after normalisation. */
const COLUMN_TITLES = {
  id: [
    'id',
    'identifier',
    'nr',
    'no',
    'number',
    'nummer',
    'kennung',
    'clause',
    'clause id',
    'requirement id',
    'control id',
    'criterion id',
    'anforderungs id',
    'ref',
    'reference',
  ],
  text: [
    'text',
    'requirement',
    'requirements',
    'description',
    'criterion',
    'demand',
    'statement',
    'control',
    'requirement text',
    'anforderung',
    'anforderungstext',
    'beschreibung',
    'kriterium',
    'forderung',
  ],
  title: [
    'title',
    'name',
    'short text',
    'heading',
    'titel',
    'bezeichnung',
    'kurztext',
    'ueberschrift',
    'control name',
  ],
  group: [
    'group',
    'chapter',
    'section',
    'process',
    'family',
    'category',
    'area',
    'gruppe',
    'kapitel',
    'abschnitt',
    'prozess',
    'bereich',
  ],
  severity: ['severity', 'priority', 'schwere', 'schweregrad', 'prioritaet'],
  obligation: ['obligation', 'binding', 'modality', 'verbindlichkeit', 'muss soll'],
} as const;
const GERMAN_SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['kritisch', 'critical'],
  ['hoch', 'high'],
  ['mittel', 'medium'],
  ['niedrig', 'low'],
  ['gering', 'low'],
]);

type ColumnKey = keyof typeof COLUMN_TITLES;
const TITLES = new Map(Object.entries(COLUMN_TITLES) as [ColumnKey, readonly string[]][]);

/**
 * Criteria of a table, one a row: an id column and a text column are needed; title, group, severity
 * (critical, high, medium, low) and obligation (shall, should) are taken where they stand. Tables without an id
 * and a text column are passed over. Throws `StandardFileError` naming row and column.
 */
export function criteriaFromTable(document: Document): Criterion[] {
  const criteria: Criterion[] = [];
  const groups = new Map<string, string>();
  const rows = new Map<string, number>();
  const problems: StandardFileProblem[] = [];
  let columns: ReadonlyMap<ColumnKey, number> | undefined;
  let table = -1;
  let tablesSeen = 0;
  for (const block of document.blocks) {
    if (block.kind !== 'table_row' || !block.table) continue;
    if (block.table.id !== table) {
      table = block.table.id;
      columns = undefined;
    }
    const titles = columnsOf(block);
    if (titles) {
      columns = titles;
      tablesSeen++;
    } else if (columns && !block.table.header) {
      readRow({ block, columns, criteria, groups, rows, problems });
    }
  }
  if (tablesSeen === 0) {
    throw new StandardFileError(
      [{ message: 'No table has both an id column and a text column.' }],
      'Name the columns in the first row, for example "ID" and "Text"; "Title", "Group", "Severity" and "Obligation" are read too.',
    );
  }
  if (criteria.every(({ kind }) => kind === 'group') && problems.length === 0) {
    problems.push({ message: 'The table has no rows below its column titles.' });
  }
  if (problems.length > 0)
    throw new StandardFileError(problems, 'Correct the rows and upload the file again.');
  return criteria;
}

function columnsOf(block: Block): ReadonlyMap<ColumnKey, number> | undefined {
  const found = columnsByTitle(block, TITLES);
  return found.has('id') && found.has('text') ? found : undefined;
}

interface Row {
  readonly block: Block;
  readonly columns: ReadonlyMap<ColumnKey, number>;
  readonly criteria: Criterion[];
  readonly groups: Map<string, string>;
  /** Row of each id so far. */
  readonly rows: Map<string, number>;
  readonly problems: StandardFileProblem[];
}

function readRow({ block, columns, criteria, groups, rows, problems }: Row): void {
  const value = (key: ColumnKey): string => {
    const column = columns.get(key);
    return block.cells?.find((cell) => cell.column === column)?.text.trim() ?? '';
  };
  const id = value('id');
  const text = value('text');
  if (!id && !text) return;
  const row = rowNumber(block);
  if (!id) problems.push({ row, column: 'ID', message: 'The id is missing.' });
  if (!text) problems.push({ row, column: 'Text', message: 'The text is missing.' });
  const taken = id ? rows.get(id) : undefined;
  if (taken !== undefined) problems.push({ row, column: 'ID', message: `The id is that of row ${taken}.` });
  rows.set(id, taken ?? row);
  const severity = severityOf(value('severity'));
  if (severity === undefined) {
    problems.push({ row, column: 'Severity', message: `Severity is one of ${SEVERITIES.join(', ')}.` });
  }
  const obligation = /^(?:should|soll(?:te)?|may|kann|recommended|empfohlen)$/i.test(value('obligation'))
    ? 'should'
    : 'shall';
  const parentId = groupOf(value('group'), groups, criteria);
  criteria.push({
    id: id || `row-${row}`,
    kind: 'clause',
    ...(parentId === undefined ? {} : { parentId }),
    clause: id,
    title: value('title') || firstWords(text),
    text,
    severity: severity ?? (obligation === 'should' ? 'medium' : 'high'),
    obligation,
  });
}

/** Null stands for "nothing given", undefined for "not a severity". */
function severityOf(text: string): Severity | null | undefined {
  if (!text) return null;
  const word = text.toLowerCase();
  return GERMAN_SEVERITIES.get(word) ?? SEVERITIES.find((severity) => severity === word);
}

function groupOf(title: string, groups: Map<string, string>, criteria: Criterion[]): string | undefined {
  if (!title) return undefined;
  const known = groups.get(title);
  if (known !== undefined) return known;
  const id = `group:${title}`;
  groups.set(title, id);
  criteria.push({ id, kind: 'group', clause: title, title, text: '', severity: 'low', obligation: 'shall' });
  return id;
}

/** The beginning of a text as a title. */
export function firstWords(text: string, most = 10): string {
  const words = text.split(/\s+/);
  return words.length <= most ? text : `${words.slice(0, most).join(' ')} …`;
}
