import type { Block, Cell, Document } from '../../documents/document.js';
import { namesOfTypes } from '../../words/artifact-types.js';
import { type ColumnMeaning, compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { cardRecords } from './id-cards.js';
import { isCode, type Table, type TableRow } from './tables.js';

/** One row of a table as it is printed: its filled cells by column. */
interface Line {
  readonly block: Block;
  readonly cells: readonly Cell[];
}

/** How a table that is no list of rows holds its records. */
interface Form {
  /** Lines that name the records; each begins what is said about them. */
  readonly heads: readonly number[];
  /** Columns of labels: the first one of a table with a record a column, every second one of pairs side by side. */
  readonly labels: readonly number[];
  readonly pairs: boolean;
}

/** Lines above the one that names the records: a title, "Attribute | Value". */
const MOST_ABOVE = 2;
const LONGEST_LABEL = 60;
/** Fields that one record alone has beside its id; of several side by side one is enough. */
const FEWEST_FIELDS = 2;
/** Labels above ids; under any other known label codes are values: versions, names of files, states. */
const NAMING: ReadonlySet<ColumnMeaning> = new Set<ColumnMeaning>([
  ...(['id', 'record_id', 'text', 'parameter', 'element', 'mechanism', 'malfunction', 'situation'] as const),
  ...(['name', 'measure', 'verification', 'allocation'] as const),
]);
/** What is said about artifacts and parameters; a cover has an id, a version and a date, too. */
const OF_ARTIFACTS: ReadonlySet<ColumnMeaning> = new Set<ColumnMeaning>([
  ...(['text', 'asil', 'up', 'ftti', 'detection', 'reaction', 'safe_state', 'value'] as const),
  ...(['severity', 'exposure', 'controllability', 'expected', 'verifies', 'allocation'] as const),
]);

/**
 * The tables of a document with one record a row, whatever way they are laid out: a table with a record a column, a card
 * of labels and values, pairs of them side by side. Cells stay those of the document, so that every value keeps its
 * place; a row's `block` is the line that names its record. All other tables are as they stand, without the titles of
 * groups of rows. Linear in the cells.
 */
export function recordTables(document: Document, tables: readonly Table[]): readonly Table[] {
  return tables.map((table) => {
    const lines = headLines(document, table);
    return (
      (lines && asRecords(document, table, lines)) ??
      cardRecords(document, table) ??
      withoutTitles(document, table)
    );
  });
}

const labelsByTable = new WeakMap<Table, ReadonlyMap<number, string>>();

/** Labels of the values of a table that is read as a form, by where the value begins; undefined for other tables. */
export function labelsOfCells(
  { records }: { readonly records: readonly Table[] },
  table: Table,
): ReadonlyMap<number, string> | undefined {
  const read = records[table.id]!;
  if (!read.rows[0]?.record) return undefined;
  let labels = labelsByTable.get(table);
  if (!labels) {
    const found = read.rows.flatMap(({ cells }) =>
      [...cells.values()].map(({ start, column }) => [start, read.columns[column] ?? ''] as const),
    );
    labels = new Map(found);
    labelsByTable.set(table, labels);
  }
  return labels;
}

/** The lines of a table that may be a form; undefined where its first ones name no record. */
function headLines({ blocks }: Document, table: Table): readonly number[] | undefined {
  const { headerBlocks, rows } = table;
  const top = [...headerBlocks, ...rows.slice(0, MOST_ABOVE + 1).map(({ block }) => block)];
  if (top.length < 2 || blocks[top[0]!]!.record) return undefined;
  const first = top.slice(0, MOST_ABOVE + 1).map((index) => lineOf(blocks[index]!));
  const left = leftOf(first);
  return first.some((line) => formOfHead(line, left))
    ? [...headerBlocks, ...rows.map(({ block }) => block)]
    : undefined;
}

/** The leftmost column in which something stands. */
const leftOf = (lines: readonly Line[]) =>
  lines.reduce((left, { cells }) => Math.min(left, cells[0]?.column ?? left), Number.POSITIVE_INFINITY);

function lineOf(block: Block): Line {
  return { block, cells: (block.cells ?? []).filter(({ text }) => text.trim() !== '') };
}

function meaningOf(label: string): ColumnMeaning | undefined {
  const bare = compactTitle(label.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' '));
  return meaningOfTitles().get(bare) ?? (namesOfTypes().has(bare) ? 'text' : undefined);
}
const isLabel = (text: string) => text.trim().length <= LONGEST_LABEL && !isCode(text);

/** Whether a line names records, and where its labels stand: "Safety goal | SG-1 | SG-2", "ID | SG-1 | ASIL | D". */
function formOfHead({ cells }: Line, left: number): Pick<Form, 'labels' | 'pairs'> | undefined {
  const [label, ...values] = cells;
  // "| SG-1 | SG-2 |" over rows of labels: the corner is empty.
  if (label && label.column > left)
    return cells.length > 1 && areNames(cells) ? { labels: [left], pairs: false } : undefined;
  if (!label || values.length === 0 || !isLabel(label.text)) return undefined;
  const meaning = meaningOf(label.text);
  if (meaning !== undefined && !NAMING.has(meaning)) return undefined;
  if (!isCode(values[0]!.text)) return undefined;
  const others = values.filter((_, at) => at % 2 === 1);
  if (others.length > 0 && values.length % 2 === 1 && others.every(({ text }) => meaningOf(text)))
    return { labels: [left, ...others.map(({ column }) => column)], pairs: true };
  return areNames(values) ? { labels: [left], pairs: false } : undefined;
}

/** Codes, none of them twice. */
const areNames = (cells: readonly Cell[]) =>
  cells.every(({ text }) => isCode(text)) &&
  new Set(cells.map(({ text }) => text.trim())).size === cells.length;

/** What the line that names the records calls them; nothing over an empty corner. */
const headLabel = ({ cells }: Line, { labels }: Pick<Form, 'labels'>) =>
  cells[0]?.column === labels[0] ? cells[0]!.text : '';

function asRecords(document: Document, table: Table, indexes: readonly number[]): Table | undefined {
  const lines = indexes.map((index) => lineOf(document.blocks[index]!));
  const form = formOf(lines);
  if (!form) return undefined;
  const columns: (string | undefined)[] = [];
  const places = new Map<string, number>();
  const placeOf = (label: string): number => {
    const key = compactTitle(label);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, columns.length);
    columns.push(label.trim().replace(/\s+/g, ' ') || undefined);
    return columns.length - 1;
  };
  const rows = form.heads.flatMap((head, at) => {
    const next = form.heads[at + 1];
    const end = next !== undefined && kindIn(lines[next - 1]!, form) ? next - 1 : next;
    const kind = head > 0 ? kindIn(lines[head - 1]!, form) : undefined;
    const above = kind || head === 0 || at > 0 ? [] : lines.slice(0, head).filter(isField);
    return recordsOf([lines[head]!, ...above, ...lines.slice(head + 1, end)], form, placeOf).map((row) =>
      kind ? { ...row, record: { ...row.record, kind } } : row,
    );
  });
  return isTold(rows, columns, form)
    ? { id: table.id, columns, headerBlocks: [lines[form.heads[0]!]!.block.index], rows }
    : undefined;
}

function formOf(lines: readonly Line[]): Form | undefined {
  const left = leftOf(lines);
  const first = lines.findIndex((line) => formOfHead(line, left));
  if (first < 0 || first > MOST_ABOVE) return undefined;
  // "Text | The path shall …" above "Goal | SG-1": the sentence is that of the heading, which belongs to the goal.
  const meaning = meaningOf(lines[first]!.cells[0]?.text ?? '');
  const isBelowText = lines
    .slice(0, first)
    .some(({ cells: [label, value] }) => label && value && isSentence(label, value));
  if (isBelowText && meaning !== 'id' && meaning !== 'record_id') return undefined;
  const { labels, pairs } = formOfHead(lines[first]!, left)!;
  const name = compactTitle(headLabel(lines[first]!, { labels }));
  const heads = lines.flatMap((line, at) =>
    at >= first && compactTitle(headLabel(line, { labels })) === name && formOfHead(line, left) ? [at] : [],
  );
  return { heads, labels, pairs };
}

const isSentence = (label: Cell, value: Cell) =>
  meaningOf(label.text) === 'text' && value.text.trim().split(/\s+/u).length >= FEWEST_WORDS;
const FEWEST_WORDS = 6;

/** "Safety goal | Hold the torque" above "ID | SG-01": a label that is no field, nor the titles of both columns. */
function kindIn(
  { cells }: Line,
  { pairs }: Form,
): { readonly word: string; readonly name: string } | undefined {
  const [label, value, other] = cells;
  if (pairs || !label || !value || other || meaningOfTitles().has(compactTitle(label.text))) return undefined;
  return meaningOf(value.text) ? undefined : { word: label.text.trim(), name: value.text.trim() };
}

/** The same table without rows that only say what the rows below are about. */
function withoutTitles({ blocks }: Document, table: Table): Table {
  const { columns, rows } = table;
  if (columns.length < 3 || blocks[rows[0]?.block ?? -1]?.record) return table;
  const titles = new Set(rows.filter((row) => isSparse(blocks[row.block]!) && isTitle(row, columns.length)));
  if (titles.size === 0 || titles.size === rows.length) return table;
  const others = rows.filter((row) => !titles.has(row));
  // Without a merged cell only codes beside it tell that the first cell of a row is no name of it.
  const coded = others.filter(({ cells }) => isCode(cells.get(0)?.text ?? '')).length * 2 > others.length;
  const kept = coded ? others : rows.filter((row) => !titles.has(row) || !isMerged(row, columns.length));
  return kept.length === rows.length ? table : { ...table, rows: kept };
}

/** No two cells of it are filled: nearly all rows are seen to have more by their first two. */
function isSparse({ cells = [] }: Block): boolean {
  let filled = 0;
  for (const { text } of cells) if (text !== '' && ++filled > 1) return false;
  return true;
}

/** One cell is filled: the first one, with words. */
function isTitle({ cells }: TableRow, columns: number): boolean {
  let only: Cell | undefined;
  for (const cell of cells.values()) {
    if (cell.text.trim() === '') continue;
    if (only) return false;
    only = cell;
  }
  return only !== undefined && (only.column === 0 || (only.span ?? 1) >= columns) && !isCode(only.text);
}

const isMerged = ({ cells }: TableRow, columns: number) =>
  [...cells.values()].some(({ span = 1 }) => span >= columns);

/** A known label with a value, above the line that names the record. */
const isField = ({ cells: [label, value, other] }: Line) =>
  label !== undefined && value !== undefined && !other && meaningOf(label.text) !== undefined;

/** A record of a form. */
type FormRow = TableRow & { readonly record: NonNullable<TableRow['record']> };

/** The records that a head and the lines of it hold. */
function recordsOf(
  [head, ...below]: readonly Line[],
  { labels, pairs }: Form,
  placeOf: (label: string) => number,
): readonly FormRow[] {
  const names = head!.cells.filter(({ column }) => column > labels[0]!);
  const subjects = pairs ? names.slice(0, 1) : names;
  const id = placeOf(headLabel(head!, { labels }));
  const records = subjects.map((subject) => new Map([[id, moved(subject, id)]]));
  const recordAt = new Map<number, number>();
  subjects.forEach(({ column, span = 1 }, at) => {
    for (let own = column; own < column + span; own++) recordAt.set(own, at);
  });
  const put = (at: number, label: Cell, value: Cell) => {
    const place = placeOf(label.text);
    if (value !== subjects[at] && !records[at]!.has(place)) records[at]!.set(place, moved(value, place));
  };
  for (const line of [head!, ...below]) {
    if (pairs) for (const { label, value } of pairsOf(line, new Set(labels))) put(0, label, value);
    else putFields(line, recordAt, put);
  }
  const end = [head!, ...below].reduce((last, { block }) => Math.max(last, block.end), 0);
  return subjects.map((subject, at) => {
    const range =
      subjects.length > 1 ? { start: subject.start, end: subject.end } : { start: head!.block.start, end };
    return {
      block: head!.block.index,
      cells: records[at]!,
      record: { ...range, location: subject.location },
    };
  });
}

const moved = ({ span: _, rows: __, ...cell }: Cell, column: number): Cell => ({ ...cell, column });

interface Field {
  readonly label: Cell;
  readonly value: Cell;
}

/** Labels with the first cell right of each, before the next label. */
function pairsOf({ cells }: Line, labels: ReadonlySet<number>): readonly Field[] {
  const pairs: Field[] = [];
  let label: Cell | undefined;
  for (const cell of cells) {
    if (labels.has(cell.column)) label = isLabel(cell.text) ? cell : undefined;
    else if (label) {
      pairs.push({ label, value: cell });
      label = undefined;
    }
  }
  return pairs;
}

/** What a line says about the records of its columns; a merged cell says it of all that it covers. */
function putFields(
  { cells: [label, ...values] }: Line,
  recordAt: ReadonlyMap<number, number>,
  put: (at: number, label: Cell, value: Cell) => void,
): void {
  if (!label || recordAt.has(label.column) || !isLabel(label.text)) return;
  for (const value of values) {
    for (let column = value.column; column < value.column + (value.span ?? 1); column++) {
      const at = recordAt.get(column);
      if (at !== undefined) put(at, label, value);
    }
  }
}

/** Whether the labels are names of fields: half of them known, and of what artifacts or parameters have. */
function isTold(rows: readonly TableRow[], columns: Table['columns'], { pairs }: Form): boolean {
  const fields = columns.slice(1).map((label = '') => meaningOf(label));
  const known = fields.filter((meaning) => meaning !== undefined);
  if (known.length * 2 < fields.length || !known.some((meaning) => OF_ARTIFACTS.has(meaning))) return false;
  const isAlone = pairs || rows.length === 1;
  return known.length >= (isAlone ? FEWEST_FIELDS : 1);
}
