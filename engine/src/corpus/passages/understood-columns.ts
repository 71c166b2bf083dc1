import type { Cell } from '../../documents/document.js';
import { kindListed } from '../../words/artifact-types.js';
import { type ColumnMeaning, compactTitle, meaningOfTitles, titleInFull } from '../../words/column-titles.js';
import {
  areCodes,
  type CellPart,
  classesOf,
  columnValueWords,
  kindOfRows,
  reasonsOf,
  someReasonsOf,
  titleByValues,
} from '../../words/column-values.js';
import type { Legend } from './legends.js';
import type { Table, TableRow } from './tables.js';

/** So many rows tell what a column is. */
const SAMPLE = 40;

/**
 * A table with the titles that its columns are read under where their own say nothing: by what stands in them ("Time allowed" over times
 * in a list of goals is a fault tolerant time), by what the heading above says that it lists, by what `legend` says. A cell with the three classes of an
 * event, or with the reasons of all three, is read as three cells behind the last column. Linear in the cells.
 */
export function understood(table: Table, heading: string | undefined, legend: Legend = new Map()): Table {
  if (table.rows.length === 0 || table.columns.every((title) => title === undefined)) return table;
  const split = splitCells(table);
  const meant = new Map(split.meant);
  const columns = split.columns.map((printed = '', column) => {
    const title = legend.get(printed) ?? titleInFull(printed) ?? printed;
    if (title !== printed && !meant.has(column)) meant.set(column, title);
    return { title, texts: textsOf(split, column) };
  });
  const rows = kindOfRows(columns, listedIn(table, heading));
  const taken = new Set<ColumnMeaning | string>();
  const meaningOf = (title: string) => meaningOfTitles().get(compactTitle(title)) ?? title;
  for (const { title, texts } of columns) {
    // "Goal" over ids is no text.
    const isLink = meaningOf(title) === 'text' && areCodes(texts);
    if (meaningOfTitles().has(compactTitle(title)) && !isLink) taken.add(meaningOf(title));
  }
  for (const title of meant.values()) taken.add(meaningOf(title));
  columns.forEach((column, at) => {
    if (meant.has(at) || column.title === '') return;
    const title = titleByValues(column, rows, taken);
    if (title === undefined) return;
    meant.set(at, title);
    taken.add(meaningOf(title));
  });
  return meant.size === 0 ? table : { ...split, meant };
}

/** What the title over the first column says that the table lists, else the heading above. */
function listedIn({ columns }: Table, heading: string | undefined) {
  const [first] = columns;
  return (first && kindListed(first)) || (heading && kindListed(heading)) || undefined;
}

function textsOf({ rows }: Table, column: number): readonly string[] {
  const texts: string[] = [];
  for (const { cells } of rows) {
    const text = cells.get(column)?.text.trim();
    if (text && /[\p{L}\p{N}]/u.test(text)) texts.push(text);
    if (texts.length === SAMPLE) break;
  }
  return texts;
}

/** The table with the parts of its cells as further columns. */
function splitCells(table: Table): Table & { readonly meant: ReadonlyMap<number, string> } {
  const { share } = columnValueWords();
  const columns = [...table.columns];
  const meant = new Map<number, string>(table.meant);
  const before = meant.size;
  let rows = table.rows;
  for (const [column] of table.columns.entries()) {
    const texts = textsOf(table, column);
    for (const [whole, partsOf] of [
      [classesOf, classesOf],
      [reasonsOf, someReasonsOf],
    ] as const) {
      const parted = texts.filter((text) => whole(text) !== undefined).length;
      const some = texts.filter((text) => partsOf(text) !== undefined).length;
      if (parted < texts.length / 2 || parted === 0 || some < texts.length * share) continue;
      const places = new Map<string, number>();
      rows = rows.map((row) =>
        withParts(row, column, partsOf, (title) => {
          const known = places.get(title);
          if (known !== undefined) return known;
          places.set(title, columns.length);
          meant.set(columns.length, title);
          columns.push(table.columns[column]);
          return columns.length - 1;
        }),
      );
    }
  }
  return meant.size === before
    ? { ...table, meant }
    : { ...table, columns, rows, meant, printed: table.columns.length };
}

function withParts(
  row: TableRow,
  column: number,
  partsOf: (text: string) => readonly CellPart[] | undefined,
  placeOf: (title: string) => number,
): TableRow {
  const cell = row.cells.get(column);
  const parts = cell && partsOf(cell.text);
  if (!parts) return row;
  const cells = new Map(row.cells);
  for (const { title, start, end } of parts) {
    const place = placeOf(title);
    cells.set(place, partOf(cell, { start, end, column: place }));
  }
  return { ...row, cells };
}

const partOf = (
  { span: _, rows: __, ...cell }: Cell,
  { start, end, column }: { readonly start: number; readonly end: number; readonly column: number },
): Cell => ({
  ...cell,
  column,
  text: cell.text.slice(start, end),
  start: cell.start + start,
  end: cell.start + end,
});

/** The title that a column is read under: its own, or the one that its values tell. */
const titleOf = (table: Table, column: number): string | undefined =>
  table.meant?.get(column) ?? table.columns[column];

/** The same for all columns. */
export const titlesOf = (table: Table): readonly (string | undefined)[] =>
  table.meant ? table.columns.map((_, column) => titleOf(table, column)) : table.columns;
