import { cleanText } from '../../clean-text.js';
import { fileTooLarge } from '../../document-error.js';
import type { OfficePackage } from '../../files/office-package.js';
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
}

/** A row with at least one filled cell. */
export interface SheetRow {
  /** 0-based. */
  readonly row: number;
  readonly cells: SheetCell[];
}

export interface SheetContent {
  readonly rows: readonly SheetRow[];
  readonly hiddenRowsOrColumns: boolean;
}

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
  let hidden = false;
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
          rowIndex = attributes.r ? Number(attributes.r) - 1 : rowIndex + 1;
          columnIndex = -1;
          current = { row: rowIndex, cells: [] };
          hidden ||= attributes.hidden === '1' || attributes.hidden === 'true';
        } else if (name === 'col') {
          // Columns past the last one used are often hidden as a whole; they hide nothing.
          hidden ||= /^(1|true)$/.test(attributes.hidden ?? '') && Number(attributes.max) < 16_384;
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
          current.cells.push({ column: columnIndex, text, bold: style?.bold ?? false, span: 1, rowSpan: 1 });
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
  return { rows, hiddenRowsOrColumns: hidden };
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
  }
}
