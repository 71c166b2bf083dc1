import { cleanText, MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import { fileTooLarge } from '../../document-error.js';
import type { OpenDocumentPackage } from '../../files/open-document.js';
import { createOpenDocumentStyles } from '../../files/open-document-styles.js';
import type { XmlAttributes } from '../../files/xml.js';
import { allHidden, type HiddenRange, type HiddenReason } from '../../hidden-ranges.js';
import type { ReadingLimits } from '../../reading-limits.js';
import { readSpan } from '../../table-grid.js';
import { SPACES } from '../odt/inline.js';
import { createCellText } from './cell-text.js';

export interface OdsCell {
  readonly text: string;
  /** 0-based. */
  readonly column: number;
  readonly span: number;
  /** What of it nobody sees. */
  readonly hidden: readonly HiddenRange[] | undefined;
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

/** Colours of a sheet with conditions are not known from the styles of its cells alone. */
function showConditional(sheet: OdsSheet): void {
  const isColour = (range: HiddenRange) => range.reason === 'same-colour';
  for (const [at, row] of sheet.rows.entries()) {
    if (!row.cells.some((cell) => cell.hidden?.some(isColour))) continue;
    const cells = row.cells.map((cell): OdsCell => {
      const hidden = cell.hidden?.filter((range) => !isColour(range));
      return { ...cell, hidden: hidden?.length ? hidden : undefined };
    });
    sheet.rows[at] = { ...row, cells };
  }
}

/** Filled rows of every sheet. Rows and cells that the file repeats are repeated; empty ones are only counted. */
export async function readSheets(file: OpenDocumentPackage, limits: ReadingLimits): Promise<OdsSheet[]> {
  const sheets: OdsSheet[] = [];
  const styles = createOpenDocumentStyles();
  const content = createCellText(styles);
  /** Whether a condition may give cells of the sheet that is open another look than their style. */
  let isConditional = false;
  let row = 0;
  let repeated = 1;
  let cells: OdsCell[] = [];
  let comments: { text: string; column: number }[] = [];
  let column = 0;
  let cell: { span: number; repeated: number; value: string } | undefined;
  let annotation: string | undefined;
  let nested = 0;
  let inParagraph = 0;
  let paragraph = '';
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
  /** Style of the cells of a column or row that name none. */
  const columnStyles = new Uint16Array(MOST_COLUMNS);
  let columnStyleNames: (string | undefined)[] = [undefined];
  let rowStyle: string | undefined;

  function hiddenAt(at: number): HiddenReason | undefined {
    if (sheets.at(-1)?.hidden) return 'hidden-sheet';
    if (hiddenRow) return 'hidden-row';
    return hiddenColumns[at] === 1 ? 'hidden-column' : undefined;
  }

  function closeCell(): void {
    if (!cell) return;
    const own = content.take(cleanText(cell.value));
    if (own.text) {
      count(cell.repeated);
      for (let copy = 0; copy < cell.repeated; copy++) {
        const all = hiddenAt(column);
        const hidden = all ? allHidden(own.text, all) : own.hidden;
        cells.push({ text: own.text, column: column++, span: cell.span, hidden });
      }
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
    styles.open(name, attributes);
    if (name === 'table:table') {
      // A sheet inside a cell or a chart is not a sheet of the workbook.
      if (cell || (sheets.length > 0 && openSheet)) nested++;
      else {
        openSheet = true;
        if (sheets.length >= limits.maxPages) {
          throw fileTooLarge(`The document has more than ${limits.maxPages} sheets.`);
        }
        const hidden = styles.find('table', attributes['table:style-name']).isHidden ?? false;
        sheets.push({ name: attributes['table:name'] ?? `Sheet${sheets.length + 1}`, rows: [], hidden });
        row = 0;
        hiddenColumns.fill(0);
        nextColumn = 0;
        columnStyles.fill(0);
        columnStyleNames = [undefined];
        isConditional = false;
      }
    } else if (nested > 0) return;
    else if (name === 'calcext:conditional-format') isConditional = true;
    else if (name === 'table:table-column') {
      const count = readSpan(attributes['table:number-columns-repeated'], MOST_COLUMNS);
      if (isHidden(attributes) && columnRanges++ < MOST_COLUMNS)
        hiddenColumns.fill(1, nextColumn, nextColumn + count);
      if (nextColumn < MOST_COLUMNS) {
        columnStyles.fill(columnStyleNames.length, nextColumn, nextColumn + count);
        columnStyleNames.push(attributes['table:default-cell-style-name']);
      }
      nextColumn += count;
    } else if (name === 'table:table-row') {
      rowStyle = attributes['table:default-cell-style-name'];
      hiddenRow = isHidden(attributes);
      repeated = readSpan(attributes['table:number-rows-repeated'], MOST_ROWS);
      column = 0;
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      const value =
        attributes['office:string-value'] ??
        attributes['office:value'] ??
        attributes['office:date-value'] ??
        '';
      const ofColumn = columnStyleNames[columnStyles[column] ?? 0];
      content.begin(attributes['table:style-name'] ?? rowStyle ?? ofColumn);
      cell = {
        span: readSpan(attributes['table:number-columns-spanned']),
        repeated: readSpan(attributes['table:number-columns-repeated'], MOST_COLUMNS),
        value,
      };
    } else if (name === 'office:annotation') annotation = '';
    else if (name === 'text:p') {
      paragraph = '';
      inParagraph++;
    } else if (name === 'text:span') content.openSpan(attributes['text:style-name']);
    else if (SPACES.has(name)) add(' ');
  }

  function add(text: string): void {
    if (annotation === undefined) content.add(text);
    else paragraph += text;
    if (paragraph.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
  }

  let openSheet = false;

  if (file.has('styles.xml')) await file.parse('styles.xml', styles);
  await file.parse('content.xml', {
    open,
    text(text) {
      if (nested === 0 && inParagraph > 0) add(text);
    },
    close(name) {
      styles.close(name);
      if (name === 'table:table') {
        if (nested > 0) nested--;
        else {
          openSheet = false;
          if (isConditional) showConditional(sheets.at(-1)!);
        }
      } else if (nested > 0) return;
      else if (name === 'text:p') {
        inParagraph--;
        if (annotation === undefined) content.endParagraph();
        else annotation = cleanText(`${annotation} ${paragraph}`);
      } else if (name === 'text:span') content.closeSpan();
      else if (name === 'office:annotation') {
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
