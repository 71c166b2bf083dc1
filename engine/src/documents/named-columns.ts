import { normaliseText } from '../text/normalise.js';
import type { Block } from './block.js';

/** The title of a column as it is compared: letters and digits of any spelling, single spaces. */
export function plainTitle(title: string): string {
  const plain = normaliseText(title)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? title.trim() : plain;
}

/**
 * Grid column of each kind of column whose title a row holds; of several titles of a kind, the earlier one in its list.
 * @param titles By kind, best first, as `plainTitle` makes them.
 */
export function columnsByTitle<Key extends string>(
  row: Block,
  titles: ReadonlyMap<Key, readonly string[]>,
): ReadonlyMap<Key, number> {
  const cells = (row.cells ?? []).map(({ text, column }) => ({ title: plainTitle(text), column }));
  const found = new Map<Key, number>();
  for (const [key, list] of titles) {
    const ranked = cells
      .map(({ title, column }) => ({ rank: list.indexOf(title), column }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => a.rank - b.rank || a.column - b.column);
    if (ranked[0]) found.set(key, ranked[0].column);
  }
  return found;
}

/** Number of a table row as people see it: the line of a text file, the row of a workbook, else the row of its table. */
export function rowNumber(row: Block): number {
  const digits = /\d+$/.exec(row.cells?.[0]?.location.cell ?? '')?.[0];
  return row.location.line ?? (digits === undefined ? row.table!.row + 1 : Number(digits));
}
