import { inlineText } from './inline-text.js';
import type { Line } from './lines.js';

export interface RstRow {
  readonly line: number;
  readonly cells: {
    readonly text: string;
    readonly column: number;
    readonly span?: number;
    readonly rows?: number;
  }[];
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

/**
 * `+---+---+` tables. The rules part the rows, also those that cross a part of the columns only: a cell without a rule
 * below goes on in the next row, one without a bar on its right in the next column.
 */
export function readGridTable(lines: readonly Line[]): RstTable {
  const rules = lines.flatMap(({ text }, at) => (/\+[-=]+\+/.test(text) ? [at] : []));
  const edges = edgesOf(rules.map((at) => lines[at]!.text));
  const isRule = (at: number, column: number) =>
    /^[-=]+$/.test(lines[at]!.text.slice(edges[column]! + 1, edges[column + 1]));
  const taken = new Set<number>();
  const place = (row: number, column: number) => row * edges.length + column;
  const rows: RstRow[] = [];
  let headerRows = 0;
  for (let row = 0; row + 1 < rules.length; row++) {
    const [from, to] = [rules[row]! + 1, rules[row + 1]!];
    const cells: RstRow['cells'][number][] = [];
    for (let column = 0; column + 1 < edges.length; ) {
      if (taken.has(place(row, column))) {
        column++;
        continue;
      }
      const own = lines.slice(from, to);
      const hasBar = (edge: number) => own.some(({ text }) => /[|+]/.test(text[edges[edge]!] ?? ' '));
      let last = column + 1;
      while (last + 1 < edges.length && !hasBar(last) && !taken.has(place(row, last))) last++;
      let below = row + 1;
      while (below + 1 < rules.length && !isRule(rules[below]!, column)) below++;
      for (let covered = row; covered < below; covered++)
        for (let at = column; at < last; at++) taken.add(place(covered, at));
      const text = lines
        .slice(from, rules[below]!)
        .map((line) => line.text.slice(edges[column]! + 1, edges[last]).trim())
        .join(' ');
      cells.push({
        text: inlineText(text),
        column,
        ...(last - column > 1 ? { span: last - column } : {}),
        ...(below - row > 1 ? { rows: below - row } : {}),
      });
      column = last;
    }
    rows.push({ line: lines[from]?.number ?? lines[rules[row]!]!.number, cells });
    if (/^\+=/.test(lines[to]!.text.trim())) headerRows = rows.length;
  }
  return { rows, headerRows };
}

/** Where some rule has a crossing. */
function edgesOf(rules: readonly string[]): readonly number[] {
  const edges = new Set<number>();
  for (const rule of rules) {
    for (let at = 0; at < rule.length; at++) if (rule[at] === '+') edges.add(at);
  }
  return [...edges].sort((a, b) => a - b);
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
