import { cleanText } from '../../clean-text.js';
import { fileTooLarge } from '../../document-error.js';
import type { OfficePackage } from '../../files/office-package.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { parseCellReference } from './cell-reference.js';
import { displayNumber } from './number-format.js';
import type { SheetEntry, Workbook } from './workbook.js';

export interface SheetCell {
  /** 0-based. */
  readonly column: number;
  readonly text: string;
  readonly bold: boolean;
  /** Columns and rows that a merged cell covers. */
  span: number;
  rowSpan: number;
  /** Why nobody sees it. */
  hidden: HiddenReason | undefined;
}

/** A row with at least one filled cell. */
export interface SheetRow {
  /** 0-based. */
  readonly row: number;
  readonly cells: SheetCell[];
}

export interface SheetContent {
  readonly rows: readonly SheetRow[];
}

/** With more tables and conditions nothing is said about the colours of a sheet. */
const MOST_AREAS = 100;
/** Columns of a sheet. */
const MOST_COLUMNS = 16_384;
/** Rows of a sheet. */
const MOST_ROWS = 1_048_576;
/** Formatted cells without content; a sheet may hold millions of them. */
const EMPTY_CELLS = /<(?:[A-Za-z]\w*:)?c\b[^<>]*\/>/g;

/** Reads the filled cells of one sheet, row by row as stored. */
export async function readSheet(
  file: OfficePackage,
  entry: SheetEntry,
  workbook: Workbook,
  limits: ReadingLimits,
): Promise<SheetContent> {
  const rows: SheetRow[] = [];
  const merges: string[] = [];
  const hiddenColumns = new Uint8Array(MOST_COLUMNS);
  let columnRanges = 0;
  /** Where tables and conditions may give cells another look than their style. */
  const restyled: string[] = [];
  let hiddenRow = false;
  let rowsHidden = false;
  let cellCount = 0;
  let rowIndex = -1;
  let columnIndex = -1;
  let current: SheetRow | undefined;
  let cell: { type: string; style: number; value: string } | undefined;
  let inside: 'value' | undefined;
  let phonetic = false;

  await file.parse(
    entry.part,
    {
      open(name, attributes) {
        if (name === 'c') {
          const place = parseCellReference(attributes.r ?? '');
          columnIndex = place?.column ?? columnIndex + 1;
          cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '' };
        } else if (name === 'v' || name === 't') {
          inside = phonetic ? undefined : 'value';
        } else if (name === 'rPh') {
          phonetic = true;
        } else if (name === 'row') {
          const stated = Number(attributes.r);
          rowIndex = stated >= 1 && stated <= MOST_ROWS ? Math.floor(stated) - 1 : rowIndex + 1;
          columnIndex = -1;
          current = { row: rowIndex, cells: [] };
          hiddenRow =
            isTrue(attributes.hidden) ||
            Number(attributes.ht ?? 1) === 0 ||
            (rowsHidden && attributes.hidden === undefined && attributes.ht === undefined);
        } else if (name === 'sheetFormatPr') rowsHidden = isTrue(attributes.zeroHeight);
        else if (name === 'col') {
          const isHidden = isTrue(attributes.hidden) || Number(attributes.width ?? 1) === 0;
          if (isHidden && columnRanges++ < MOST_COLUMNS)
            hiddenColumns.fill(1, Number(attributes.min) - 1, Number(attributes.max));
        } else if (name === 'conditionalFormatting') {
          restyled.push(...(attributes.sqref ?? '').split(/\s+/));
        } else if (name === 'mergeCell' && attributes.ref) {
          merges.push(attributes.ref);
        }
      },
      text(piece) {
        if (inside && cell) cell.value += piece;
      },
      close(name) {
        if (name === 'v' || name === 't') inside = undefined;
        else if (name === 'rPh') phonetic = false;
        else if (name === 'c' && cell && current) {
          const style = workbook.styles[cell.style];
          const text = displayCell(cell, style?.format ?? 'General', workbook);
          cell = undefined;
          if (text === '') return;
          if (++cellCount > limits.maxCells) {
            throw fileTooLarge(`A sheet has more than ${limits.maxCells} filled cells.`);
          }
          const column = columnIndex;
          const hidden = entry.hidden
            ? 'hidden-sheet'
            : hiddenRow
              ? 'hidden-row'
              : hiddenColumns[column] === 1
                ? 'hidden-column'
                : style?.hidden;
          current.cells.push({ column, text, bold: style?.bold ?? false, span: 1, rowSpan: 1, hidden });
        } else if (name === 'row' && current) {
          if (current.cells.length > 0) rows.push(current);
          current = undefined;
        }
      },
    },
    (markup) => markup.replace(EMPTY_CELLS, ''),
  );
  rows.sort((a, b) => a.row - b.row);
  applyMerges(rows, merges);
  if (rows.some((row) => row.cells.some((cell) => cell.hidden === 'same-colour'))) {
    showRestyled(rows, [...restyled, ...(await tablesOf(file, entry.part))]);
  }
  return { rows };
}

/** Ranges of the tables of a sheet: their style may give the cells a background. */
async function tablesOf(file: OfficePackage, part: string): Promise<string[]> {
  const ranges: string[] = [];
  for (const { type, target, external } of (await file.relationships(part)).values()) {
    if (type !== 'table' || external || !file.has(target)) continue;
    await file.parse(target, {
      open(name, attributes) {
        if (name === 'table' && attributes.ref) ranges.push(attributes.ref);
      },
      text() {},
      close() {},
    });
  }
  return ranges;
}

/** The colour of what stands in these ranges is not known from the style of the cell alone. */
function showRestyled(rows: readonly SheetRow[], ranges: readonly string[]): void {
  const areas = ranges.slice(0, MOST_AREAS).flatMap((range) => {
    const [from, to] = range.split(':').map((reference) => parseCellReference(reference));
    return from ? [{ from, to: to ?? from }] : [];
  });
  const unsure = ranges.length > MOST_AREAS;
  for (const row of rows)
    for (const cell of row.cells) {
      if (cell.hidden !== 'same-colour') continue;
      const isRestyled = areas.some(
        ({ from, to }) =>
          from.row <= row.row && row.row <= to.row && from.column <= cell.column && cell.column <= to.column,
      );
      if (unsure || isRestyled) cell.hidden = undefined;
    }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

function displayCell(cell: { type: string; value: string }, format: string, workbook: Workbook): string {
  switch (cell.type) {
    case 's':
      return workbook.strings[Number(cell.value)] ?? '';
    case 'b':
      return cell.value === '1' ? 'TRUE' : cell.value === '0' ? 'FALSE' : cell.value;
    case 'n':
      return cell.value === '' ? '' : cleanText(displayNumber(cell.value, format, workbook.date1904));
    default:
      return cleanText(cell.value);
  }
}

function applyMerges(rows: readonly SheetRow[], merges: readonly string[]): void {
  const byPlace = new Map<string, SheetCell>();
  if (merges.length === 0) return;
  for (const row of rows) for (const cell of row.cells) byPlace.set(`${row.row} ${cell.column}`, cell);
  for (const merge of merges) {
    const [from, to] = merge.split(':').map((reference) => parseCellReference(reference));
    const cell = from && byPlace.get(`${from.row} ${from.column}`);
    if (!cell || !from || !to) continue;
    cell.span = Math.max(1, to.column - from.column + 1);
    cell.rowSpan = Math.max(1, to.row - from.row + 1);
    // What is merged shows where some of its rows or columns do.
    if (cell.hidden === 'hidden-row' && cell.rowSpan > 1) cell.hidden = undefined;
    if (cell.hidden === 'hidden-column' && cell.span > 1) cell.hidden = undefined;
  }
}
