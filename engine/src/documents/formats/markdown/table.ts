import { BLANK, type Line } from './lines.js';

const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/** Whether a table begins at this line: names of columns above a row of dashes with as many cells. */
export function startsTable(lines: readonly Line[], index: number): boolean {
  const next = lines[index + 1]?.text;
  if (next === undefined || !next.includes('-') || !DELIMITER_ROW.test(next)) return false;
  const head = lines[index]!.text;
  if (!head.includes('|') && !next.includes('|')) return false;
  return !BLANK.test(head) && splitRow(head).length === splitRow(next).length;
}

/** Cells of a row; a bar after a backslash belongs to the cell. */
export function splitRow(row: string): string[] {
  const whole = row.trim();
  const start = whole.startsWith('|') ? 1 : 0;
  const isClosed = whole.length > start && whole.endsWith('|') && !whole.endsWith('\\|');
  const trimmed = whole.slice(start, isClosed ? -1 : undefined);
  if (!trimmed.includes('\\')) return trimmed.split('|').map((cell) => cell.trim());
  return trimmed.split(/\|(?<=(?:^|[^\\])(?:\\\\)*\|)/).map((cell) => cell.replaceAll('\\|', '|').trim());
}
