import type { BlockDraft } from '../../document.js';
import type { Location } from '../../location.js';
import { findTableHeader } from '../../table-header.js';

interface HtmlCell {
  text: string;
  readonly column: number;
  readonly span: number;
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
  openCell(cell: { heading: boolean; span: number; rowSpan: number }): void;
  closeCell(text: string): void;
  hasOpenCell(): boolean;
  blocks(id: number, section: readonly string[] | undefined): BlockDraft[];
}

const MAX_SPAN = 1000;

export function createHtmlTable(): HtmlTable {
  const rows: HtmlRow[] = [];
  /** Rows still covered from above, by column. */
  let covered = new Map<number, number>();
  let open: HtmlCell | undefined;
  let nextColumn = 0;
  return {
    openRow(inHead, line) {
      rows.push({ cells: [], inHead, line });
      if (rows.length > 1)
        covered = new Map(
          [...covered].map(([column, left]) => [column, left - 1] as const).filter(([, left]) => left > 0),
        );
      nextColumn = 0;
    },
    openCell({ heading, span, rowSpan }) {
      while (covered.has(nextColumn)) nextColumn++;
      const width = Math.min(Math.max(span || 1, 1), MAX_SPAN);
      open = { text: '', column: nextColumn, span: width, heading };
      rows.at(-1)?.cells.push(open);
      // Counted down when the next row opens, so the cell's own row is included.
      if (rowSpan > 1)
        for (let column = 0; column < width; column++) covered.set(nextColumn + column, rowSpan);
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
      location: { ...place(row.line), cell: `R${index + 1}C${cell.column + 1}` },
    })),
  }));
}
