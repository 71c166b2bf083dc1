import { inlineText } from './inline-text.js';
import type { Line } from './lines.js';

export interface RstRow {
  readonly line: number;
  readonly cells: { readonly text: string; readonly column: number; readonly span?: number }[];
}

export interface RstTable {
  readonly rows: RstRow[];
  readonly headerRows: number;
}

const GRID_RULE = /^\+(?:[-=]+\+)+$/;
const SIMPLE_RULE = /^=+(?: +=+)+$/;
const SPAN_RULE = /^-+(?: +-+)*$/;

export function isGridTable(line: Line): boolean {
  return GRID_RULE.test(line.text.trim());
}

export function isSimpleTable(line: Line): boolean {
  return SIMPLE_RULE.test(line.text.trim());
}

/** `+---+---+` tables. Cells are cut at the columns of the widest rule; a cell without a bar between spans. */
export function readGridTable(lines: readonly Line[]): RstTable {
  const borders = new Set<number>();
  for (const line of lines) {
    if (!line.text.includes('+-') && !line.text.includes('+=')) continue;
    for (let index = 0; index < line.text.length; index++) if (line.text[index] === '+') borders.add(index);
  }
  const edges = [...borders].sort((a, b) => a - b);
  const rows: RstRow[] = [];
  let headerRows = 0;
  let pending: Line[] = [];
  for (const line of lines) {
    if (GRID_RULE.test(line.text.trim())) {
      if (pending.length > 0) rows.push(gridRow(pending, edges));
      pending = [];
      if (line.text.includes('=')) headerRows = rows.length;
    } else pending.push(line);
  }
  if (pending.length > 0) rows.push(gridRow(pending, edges));
  return { rows, headerRows };
}

function gridRow(lines: readonly Line[], edges: readonly number[]): RstRow {
  const cells: RstRow['cells'] = [];
  for (let column = 0; column + 1 < edges.length; ) {
    let last = column + 1;
    while (last + 1 < edges.length && lines.every((line) => !/[|+]/.test(line.text[edges[last]!] ?? ' ')))
      last++;
    const text = lines
      .map((line) => line.text.slice(edges[column]! + 1, edges[last]).trim())
      // Rules inside a row belong to neighbours that span rows.
      .filter((part) => !/^[-=+|]*$/.test(part))
      .join(' ');
    cells.push({ text: inlineText(text), column, ...(last - column > 1 ? { span: last - column } : {}) });
    column = last;
  }
  return { line: lines[0]!.number, cells };
}

/** `==== ====` tables; returns how many lines belong to it as well. */
export function readSimpleTable(lines: readonly Line[]): RstTable & { length: number } {
  const rule = lines[0]!.text;
  const columns = [...rule.matchAll(/=+/g)].map((match) => match.index);
  const rules = lines.flatMap((line, index) => (SIMPLE_RULE.test(line.text.trim()) ? [index] : []));
  const end = rules.at(rules.length > 2 ? 2 : -1)!;
  const headerEnd = rules.length > 2 ? rules[1]! : 0;
  const rows: RstRow[] = [];
  let headerRows = 0;
  for (let index = 1; index < end; index++) {
    const line = lines[index]!;
    if (index === headerEnd) headerRows = rows.length;
    if (index === headerEnd || line.text.trim() === '' || SPAN_RULE.test(line.text.trim())) continue;
    const parts = columns.map((start, column) => line.text.slice(start, columns[column + 1]).trim());
    const previous = rows.at(-1);
    // A line whose first column is empty continues the row above.
    if (parts[0] === '' && previous && rows.length > (index > headerEnd ? headerRows : 0)) {
      parts.forEach((part, column) => {
        const cell = previous.cells[column];
        if (part && cell)
          previous.cells[column] = { ...cell, text: `${cell.text} ${inlineText(part)}`.trim() };
      });
    } else {
      rows.push({
        line: line.number,
        cells: parts.map((text, column) => ({ text: inlineText(text), column })),
      });
    }
  }
  return { rows, headerRows, length: end + 1 };
}

/** The body of a `list-table`: a list of rows, each a list of cells. */
export function readListTable(lines: readonly Line[], headerRows: number): RstTable {
  const rows: { line: number; cells: string[][] }[] = [];
  for (const line of lines) {
    const row = /^\s*[*-]\s+[*-](?:\s+(.*))?$/.exec(line.text);
    const cell = /^\s+[*-](?:\s+(.*))?$/.exec(line.text);
    if (row) rows.push({ line: line.number, cells: [[row[1] ?? '']] });
    else if (cell && rows.length > 0) rows.at(-1)!.cells.push([cell[1] ?? '']);
    else rows.at(-1)?.cells.at(-1)?.push(line.text.trim());
  }
  return {
    rows: rows.map((row) => ({
      line: row.line,
      cells: row.cells.map((parts, column) => ({ text: inlineText(parts.join(' ')), column })),
    })),
    headerRows,
  };
}
