import type { Block } from './block-view.tsx';

/** A cell with its text, where the workbook has it. */
export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Columns and rows that it covers. */
  readonly span: number;
  readonly rows: number;
}

export interface SheetRow {
  /** As the workbook counts, from 1. */
  readonly number: number;
  readonly isHeader: boolean;
  readonly cells: readonly SheetCell[];
  /** Names of cells above that reach down into this row, by column. */
  readonly covered: ReadonlyMap<number, string>;
}

export interface Sheet {
  readonly name: string;
  /** The name as a text of the document, which stands in no cell. */
  readonly title?: { readonly text: string; readonly start: number; readonly end: number };
  readonly rows: readonly SheetRow[];
  readonly columns: number;
}

/** The sheets of a workbook with the rows and cells that were read, where the file has them; none for other documents. */
export function sheetsOf(blocks: readonly Block[]): readonly Sheet[] {
  const sheets = new Map<string, Map<number, { isHeader: boolean; cells: SheetCell[] }>>();
  const titles = new Map<string, NonNullable<Sheet['title']>>();
  for (const { kind, location, cells, text, start, end, table } of blocks) {
    if (location.sheet === undefined) continue;
    const rows = sheets.get(location.sheet) ?? new Map();
    sheets.set(location.sheet, rows);
    if (kind === 'heading' && location.cell === undefined) titles.set(location.sheet, { text, start, end });
    for (const cell of cells ?? [{ text, start, end, location }]) {
      const place = cellAt(cell.location.cell);
      if (!place) continue; // the name of the sheet, and what else stands in no cell
      const row = rows.get(place.row) ?? { isHeader: false, cells: [] };
      rows.set(place.row, row);
      row.isHeader ||= table?.header === true;
      const covers: { readonly span?: number; readonly rows?: number } = 'column' in cell ? cell : {};
      const { span = 1, rows: down = 1 } = covers;
      row.cells.push({
        column: place.column,
        text: cell.text,
        start: cell.start,
        end: cell.end,
        span,
        rows: down,
      });
    }
  }
  return [...sheets].map(([name, rows]) => {
    const title = titles.get(name);
    return { ...sheetOf(name, rows), ...(title && { title }) };
  });
}

function sheetOf(
  name: string,
  found: ReadonlyMap<number, { readonly isHeader: boolean; readonly cells: readonly SheetCell[] }>,
): Sheet {
  const covered = new Map<number, Map<number, string>>();
  let columns = 0;
  const numbers = [...found.keys()].sort((a, b) => a - b);
  const last = numbers.at(-1) ?? 0;
  for (const number of numbers) {
    for (const { column, span, rows } of found.get(number)!.cells) {
      columns = Math.max(columns, column + span);
      for (let below = number + 1; below < number + rows && below <= last; below++) {
        const of = covered.get(below) ?? new Map<number, string>();
        covered.set(below, of);
        for (let at = column; at < column + span; at++) of.set(at, cellName(column, number));
      }
    }
  }
  return {
    name,
    columns,
    rows: numbers.map((number) => ({
      number,
      isHeader: found.get(number)!.isHeader,
      // A cell that another one reaches into is empty in the file.
      cells: found
        .get(number)!
        .cells.filter(({ column, text }) => text !== '' || !covered.get(number)?.has(column)),
      covered: covered.get(number) ?? NOTHING,
    })),
  };
}

const NOTHING: ReadonlyMap<number, string> = new Map();

const LETTERS = 26;

/** A, B, … Z, AA: as workbooks name columns. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % LETTERS));
  return column < LETTERS ? letter : columnName(Math.floor(column / LETTERS) - 1) + letter;
}

export const cellName = (column: number, row: number): string => `${columnName(column)}${row}`;

/** Column (from 0) and row of `B12`, and of the first cell of `B12:D12`; undefined for anything else. */
export function cellAt(
  name: string | undefined,
): { readonly column: number; readonly row: number } | undefined {
  const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})(?::|$)/.exec(name ?? '') ?? [];
  if (letters === undefined) return undefined;
  const column = [...letters].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 64, 0) - 1;
  return { column, row: Number(row) };
}
