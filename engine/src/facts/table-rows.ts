import {
  type Corpus,
  type CorpusDocument,
  documentOf,
  partsOfTypes,
  templateTablesOf,
} from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import type { Passage } from '../corpus/passages/passage.js';
import { cellText, type TableRow } from '../corpus/passages/tables.js';
import { isFilled } from '../corpus/placeholders/emptiness.js';
import { type MatchedTable, matchTable } from '../corpus/template-columns.js';
import type { Cell } from '../documents/document.js';
import { normaliseText } from '../text/normalise.js';
import { patternOf } from '../words/read-words.js';
import type { Field } from './field.js';
import { recordWords } from './stated/record-words.js';

/** A row of a table of a template as a document has it: records, requirements and checks are views of it. */
export interface TemplateRow {
  readonly document: CorpusDocument;
  readonly match: MatchedTable;
  readonly row: TableRow;
  readonly passage: Passage;
  /** As written in the column of ids, else in the first one; `''` for none. */
  readonly id: string;
  /** By column of the template, but for the id: the first cell with a text. */
  readonly fields: ReadonlyMap<string, Field>;
}

const rowsByTable = new WeakMap<MatchedTable, readonly TemplateRow[]>();

/** All rows of a table of a template, each read once. */
export function readRows(document: CorpusDocument, match: MatchedTable): readonly TemplateRow[] {
  const known = rowsByTable.get(match);
  if (known?.[0]?.document === document) return known;
  const idColumn = match.columns.get('id')?.[0] ?? 0;
  const rows = match.table.rows.map((row): TemplateRow => {
    const fields = new Map<string, Field>();
    for (const [key, places] of match.columns) {
      const cell = key === 'id' ? undefined : places.map((at) => row.cells.get(at)).find(hasText);
      if (cell) fields.set(key, { value: cell.text.trim(), start: cell.start, end: cell.end });
    }
    const passage = document.read.passages[row.block]!;
    return { document, match, row, passage, id: cellText(row, idColumn).replace(/\s+/g, ' '), fields };
  });
  rowsByTable.set(match, rows);
  return rows;
}

const hasText = (cell: Cell | undefined) => cell !== undefined && cell.text.trim() !== '';

/** A table that some wanted columns belong to, with the wanted ones. */
export interface WantedTable {
  readonly document: CorpusDocument;
  readonly match: MatchedTable;
  /** Keys of the wanted columns of this table, found or not. */
  readonly keys: readonly string[];
}

/** Tables that are those of the wanted columns (`<type>.<table>.<column>`). */
export function tablesFor(
  { corpus }: { readonly corpus: Corpus },
  columns: readonly string[],
): readonly WantedTable[] {
  const wanted = new Map<string, string[]>();
  for (const reference of columns) {
    const [type, table, column] = reference.split('.') as [string, string, string];
    wanted.set(`${type}.${table}`, [...(wanted.get(`${type}.${table}`) ?? []), column]);
  }
  return [...wanted].flatMap(([reference, keys]) => {
    const [type, key] = reference.split('.') as [string, string];
    const seen = new Set<MatchedTable['table']>();
    return partsOfTypes(corpus, [type]).flatMap((part) => {
      const sure = templateTablesOf(corpus, part).filter((match) => match.template.key === key);
      const own = sure.length > 0 ? sure : likelyTables(corpus, part, key);
      return own
        .filter((match) => !seen.has(match.table) && Boolean(seen.add(match.table)))
        .map(
          (match): WantedTable => ({
            document: documentOf(corpus, part.documentId),
            match: withHiddenColumns(match, keys),
            keys,
          }),
        );
    });
  });
}

const wordsOf = (text: string) =>
  ` ${normaliseText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;

/** A name of one word stands in too many titles. */
const FEWEST_WORDS = 2;

/** Wanted columns whose name stands inside a longer title: the titles of a group and of its column, read as one. */
function withHiddenColumns(match: MatchedTable, keys: readonly string[]): MatchedTable {
  const absent = keys.filter((key) => !match.columns.has(key));
  if (absent.length === 0) return match;
  const taken = new Set([...match.columns.values()].flat());
  const columns = new Map(match.columns);
  for (const key of absent) {
    const names = (match.template.columns.find((one) => one.key === key)?.names ?? [])
      .map(wordsOf)
      .filter((name) => name.trim().split(' ').length >= FEWEST_WORDS);
    const place = match.table.columns.findIndex(
      (title, at) =>
        title !== undefined && !taken.has(at) && names.some((name) => wordsOf(title).includes(name)),
    );
    if (place < 0) continue;
    taken.add(place);
    columns.set(key, [place]);
  }
  return columns.size === match.columns.size ? match : { ...match, columns };
}

/** Columns that a table shares with a template before it is taken for it where no surer one is there. */
const LIKELY_COLUMNS = 3;

/** Tables with fewer columns than the template asks for, in documents of the type that have no fuller one. */
function likelyTables(corpus: Corpus, part: DocumentPart, key: string): readonly MatchedTable[] {
  const type = corpus.documentTypes.get(part.typeId);
  if (!type || !part.whole) return [];
  const { read } = documentOf(corpus, part.documentId);
  return read.records.flatMap((table) => {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    if (first === undefined || read.passages[first]!.role !== 'body') return [];
    const matches = matchTable(table, type);
    const own = matches.filter((match) => match.template.key === key && match.columns.size >= LIKELY_COLUMNS);
    return own.filter((match) => matches.every((other) => other.columns.size <= match.columns.size));
  });
}

/** Rows that say something: no titles, no lines that a form keeps for later, nothing about another item. */
export function rowsOf(
  { corpus }: { readonly corpus: Corpus },
  { document, match }: WantedTable,
): readonly TemplateRow[] {
  return readRows(document, match).filter(({ row, passage }) => {
    if (corpus.otherItem.has(passage.id)) return false;
    const filled = [...row.cells.values()].filter((cell) => cell.text.trim() !== '' && isFilled(cell.text));
    if (filled.length === 0) return false;
    const isNumberOnly = filled.length === 1 && /^\s*[\p{L}-]*\s*\d+\.?\s*$/u.test(filled[0]!.text);
    const isTitle = filled.length === 1 && (filled[0]!.span ?? 1) > 1;
    return !((isNumberOnly && row.cells.size > 2) || isTitle);
  });
}

/** The cell of a column of the template: the filled one where a document splits the column. */
export function cellOf({ match, row }: TemplateRow, key: string): Cell | undefined {
  const places = match.columns.get(key) ?? [];
  const cells = places.flatMap((place) => row.cells.get(place) ?? []);
  return cells.find((cell) => isFilled(cell.text, match.table.columns[cell.column])) ?? cells[0];
}

/** A cell has a value. */
export function hasValue({ match }: TemplateRow, cell: Cell | undefined): cell is Cell {
  return cell !== undefined && isFilled(cell.text, match.table.columns[cell.column]);
}

/** A value of a wanted column. */
export interface FilledCell {
  readonly row: TemplateRow;
  readonly key: string;
  readonly cell: Cell;
}

/** Every value of the columns, row by row. */
export function filledCells(
  context: { readonly corpus: Corpus },
  columns: readonly string[],
): readonly FilledCell[] {
  return tablesFor(context, columns).flatMap((table) =>
    rowsOf(context, table).flatMap((row) =>
      table.keys.flatMap((key) => {
        const cell = cellOf(row, key);
        return hasValue(row, cell) ? [{ row, key, cell }] : [];
      }),
    ),
  );
}

/** What a row is called: its identifier, else its first words. */
export function nameOfRow(row: TemplateRow): string {
  const id = cellOf(row, 'id');
  const first =
    id && id.text.trim() !== '' ? id : [...row.row.cells.values()].find((cell) => cell.text.trim() !== '');
  return (first?.text ?? '').trim().replace(/\s+/g, ' ').slice(0, 60);
}

/** Columns for what a safety goal needs. */
const OF_GOALS: ReadonlySet<string> = new Set(['safety_goal', 'safe_state', 'ftti', 'goal']);
const CLASSES = ['severity', 'exposure', 'controllability'] as const;
/** A class that ends the rating of an event: nobody is hurt, it never happens, everybody copes. */
const NO_RISK = /^\s*(?:[SECK]\s?)?0(?![\d.,])/u;

/**
 * A row that owes no value in a column of the template: one of QM or of class 0 needs no goal, and beside a
 * class 0 no other class, no reason of one and no level (domain D.4.2); nor does a part of the standard that is applied owe a reason. A
 * dash there is right.
 */
export function owesNothing({ match, row }: Pick<TemplateRow, 'match' | 'row'>, key: string): boolean {
  const says = (column: string, pattern: RegExp) =>
    (match.columns.get(column) ?? []).some((at) => pattern.test(row.cells.get(at)?.text ?? ''));
  const ending = CLASSES.filter((one) => says(one, NO_RISK));
  if (OF_GOALS.has(key)) return ending.length > 0 || says('asil', UNRATED);
  if (key === 'rationale' && isUsed({ match, row })) return true;
  const about = CLASSES.find((one) => key === one || key === `${one}_rationale`);
  return (key === 'asil' || about !== undefined) && ending.some((one) => one !== about);
}

/** A part of the standard that is applied as it is: only what is left out or changed owes a reason. */
function isUsed({ match, row }: Pick<TemplateRow, 'match' | 'row'>): boolean {
  const { used, asksTailored } = recordWords();
  return (match.columns.get('decision') ?? []).some(
    (at) =>
      !patternOf(asksTailored).test(match.table.columns[at] ?? '') &&
      patternOf(used).test(row.cells.get(at)?.text.trim() ?? ''),
  );
}

const UNRATED = /^\s*(?:ASIL\s*)?QM/iu;

/** QM by its own ASIL column, or by a class 0. */
export const isUnrated = (row: TemplateRow): boolean => owesNothing(row, 'safety_goal');
