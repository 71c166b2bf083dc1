import type { BlockDraft } from '../../block.js';
import type { Location } from '../../location.js';
import { readSpan, WIDEST_SPAN } from '../../table-grid.js';
import { findTableHeader } from '../../table-header.js';

interface HtmlCell {
  text: string;
  readonly column: number;
  readonly span: number;
  readonly rows: number;
  readonly heading: boolean;
}

interface HtmlRow {
  readonly cells: HtmlCell[];
  readonly inHead: boolean;
  readonly line: number;
}

/** Collects the rows of one table; cells that span rows push later cells to the right. */
export interface HtmlTable {
  openRow(inHead: boolean, line: number): void;
  /** `span` and `rowSpan` as they are stated. */
  openCell(cell: { heading: boolean; span: string | undefined; rowSpan: string | undefined }): void;
  closeCell(text: string): void;
  hasOpenCell(): boolean;
  blocks(id: number, section: readonly string[] | undefined): BlockDraft[];
}

/** Rows that a cell may cover, as the HTML standard allows. */
const TALLEST = 65_534;

export function createHtmlTable(): HtmlTable {
  const rows: HtmlRow[] = [];
  /** By column, the first row that is no longer covered from above. */
  const free: number[] = [];
  let open: HtmlCell | undefined;
  let nextColumn = 0;
  return {
    openRow(inHead, line) {
      rows.push({ cells: [], inHead, line });
      nextColumn = 0;
    },
    openCell({ heading, span, rowSpan }) {
      const row = rows.length - 1;
      while ((free[nextColumn] ?? 0) > row) nextColumn++;
      const width = readSpan(span);
      const height = readSpan(rowSpan, TALLEST);
      open = { text: '', column: nextColumn, span: width, rows: height, heading };
      rows.at(-1)?.cells.push(open);
      // Past the widest table that can be read it does not matter what is covered.
      const end = Math.min(nextColumn + width, WIDEST_SPAN);
      if (height > 1) for (let column = nextColumn; column < end; column++) free[column] = row + height;
      nextColumn += width;
    },
    closeCell(text) {
      if (open) open.text = text;
      open = undefined;
    },
    hasOpenCell: () => open !== undefined,
    blocks: (id, section) =>
      tableBlocks(
        rows.filter((row) => row.cells.length > 0),
        id,
        section,
      ),
  };
}

function tableBlocks(
  rows: readonly HtmlRow[],
  id: number,
  section: readonly string[] | undefined,
): BlockDraft[] {
  const place = (line: number): Location => ({ ...(section ? { section } : {}), line });
  if (rows.length === 1 && rows[0]!.cells.length === 1) {
    const [cell] = rows[0]!.cells;
    return cell!.text ? [{ kind: 'paragraph', text: cell!.text, location: place(rows[0]!.line) }] : [];
  }
  const isStated = (row: HtmlRow) => row.inHead || row.cells.every((cell) => cell.heading);
  const guessed = rows.some(isStated)
    ? { first: 0, count: 0 }
    : findTableHeader(rows.map((row) => row.cells));
  return rows.map((row, index) => ({
    kind: 'table_row',
    text: '',
    location: place(row.line),
    table: {
      id,
      row: index,
      header: isStated(row) || (index >= guessed.first && index < guessed.first + guessed.count),
    },
    cells: row.cells.map((cell) => ({
      text: cell.text,
      column: cell.column,
      ...(cell.span > 1 ? { span: cell.span } : {}),
      ...(cell.rows > 1 ? { rows: cell.rows } : {}),
      location: { ...place(row.line), cell: `R${index + 1}C${cell.column + 1}` },
    })),
  }));
}
