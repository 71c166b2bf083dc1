import { cleanText } from '../../clean-text.js';
import { fileTooLarge } from '../../document-error.js';
import type { OpenDocumentPackage } from '../../files/open-document.js';
import type { XmlAttributes } from '../../files/xml.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { readSpan } from '../../table-grid.js';
import { createInlineText } from '../odt/inline.js';

export interface OdsCell {
  readonly text: string;
  /** 0-based. */
  readonly column: number;
  readonly span: number;
  /** Why nobody sees it. */
  readonly hidden: HiddenReason | undefined;
}

export interface OdsRow {
  /** 0-based. */
  readonly row: number;
  readonly cells: readonly OdsCell[];
  readonly comments: readonly { readonly text: string; readonly column: number }[];
}

export interface OdsSheet {
  readonly name: string;
  readonly rows: OdsRow[];
  readonly hidden: boolean;
}

/** What a sheet can have at most. */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;

/** Filled rows of every sheet. Rows and cells that the file repeats are repeated; empty ones are only counted. */
export async function readSheets(file: OpenDocumentPackage, limits: ReadingLimits): Promise<OdsSheet[]> {
  const sheets: OdsSheet[] = [];
  const hiddenStyles = new Set<string>();
  const inline = createInlineText();
  let style = '';
  let row = 0;
  let repeated = 1;
  let cells: OdsCell[] = [];
  let comments: { text: string; column: number }[] = [];
  let column = 0;
  let cell: { text: string; span: number; repeated: number; value: string } | undefined;
  let annotation: string | undefined;
  let nested = 0;
  let inParagraph = 0;
  let total = 0;

  function count(more: number): void {
    total += more;
    if (total > limits.maxCells) {
      throw fileTooLarge(`The document has more than ${limits.maxCells} table cells.`);
    }
  }

  /** Columns hidden in the sheet that is open; rows tell it themselves. */
  const hiddenColumns = new Uint8Array(MOST_COLUMNS);
  let nextColumn = 0;
  let columnRanges = 0;
  let hiddenRow = false;

  function hiddenAt(at: number): HiddenReason | undefined {
    if (sheets.at(-1)?.hidden) return 'hidden-sheet';
    if (hiddenRow) return 'hidden-row';
    return hiddenColumns[at] === 1 ? 'hidden-column' : undefined;
  }

  function closeCell(): void {
    if (!cell) return;
    const text = cell.text || cleanText(cell.value);
    if (text) {
      count(cell.repeated);
      for (let copy = 0; copy < cell.repeated; copy++)
        cells.push({ text, column, span: cell.span, hidden: hiddenAt(column++) });
    } else column += cell.repeated;
    cell = undefined;
  }

  function closeRow(): void {
    if (cells.length > 0 || comments.length > 0) {
      // A comment alone does not make rows that repeat.
      const copies = cells.length > 0 ? repeated : 1;
      count(cells.length * (copies - 1));
      for (let copy = 0; copy < copies; copy++) {
        sheets.at(-1)?.rows.push({ row: row + copy, cells, comments: copy === 0 ? comments : [] });
      }
    }
    row += repeated;
    cells = [];
    comments = [];
  }

  function open(name: string, attributes: XmlAttributes): void {
    if (name === 'style:style') style = attributes['style:name'] ?? '';
    else if (name === 'style:table-properties' && attributes['table:display'] === 'false')
      hiddenStyles.add(style);
    else if (name === 'table:table') {
      // A sheet inside a cell or a chart is not a sheet of the workbook.
      if (cell || (sheets.length > 0 && openSheet)) nested++;
      else {
        openSheet = true;
        if (sheets.length >= limits.maxPages) {
          throw fileTooLarge(`The document has more than ${limits.maxPages} sheets.`);
        }
        const hidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
        sheets.push({ name: attributes['table:name'] ?? `Sheet${sheets.length + 1}`, rows: [], hidden });
        row = 0;
        hiddenColumns.fill(0);
        nextColumn = 0;
      }
    } else if (nested > 0) return;
    else if (name === 'table:table-column') {
      const count = readSpan(attributes['table:number-columns-repeated'], MOST_COLUMNS);
      if (isHidden(attributes) && columnRanges++ < MOST_COLUMNS)
        hiddenColumns.fill(1, nextColumn, nextColumn + count);
      nextColumn += count;
    } else if (name === 'table:table-row') {
      hiddenRow = isHidden(attributes);
      repeated = readSpan(attributes['table:number-rows-repeated'], MOST_ROWS);
      column = 0;
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      const value =
        attributes['office:string-value'] ??
        attributes['office:value'] ??
        attributes['office:date-value'] ??
        '';
      cell = {
        text: '',
        span: readSpan(attributes['table:number-columns-spanned']),
        repeated: readSpan(attributes['table:number-columns-repeated'], MOST_COLUMNS),
        value,
      };
    } else if (name === 'office:annotation') annotation = '';
    else if (name === 'text:p') {
      inline.take();
      inParagraph++;
    } else inline.open(name, attributes);
  }

  let openSheet = false;

  await file.parse('content.xml', {
    open,
    text(text) {
      if (nested === 0 && inParagraph > 0) inline.add(text);
    },
    close(name) {
      if (name === 'table:table') {
        if (nested > 0) nested--;
        else openSheet = false;
      } else if (nested > 0) return;
      else if (name === 'text:p') {
        inParagraph--;
        const text = cleanText(inline.take());
        if (annotation !== undefined) annotation = annotation ? `${annotation} ${text}` : text;
        else if (cell && text) cell.text = cell.text ? `${cell.text} ${text}` : text;
      } else if (name === 'office:annotation') {
        if (annotation) comments.push({ text: annotation, column });
        annotation = undefined;
      } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') closeCell();
      else if (name === 'table:table-row') closeRow();
    },
  });
  return sheets;
}

function isHidden(attributes: XmlAttributes): boolean {
  return /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '');
}
