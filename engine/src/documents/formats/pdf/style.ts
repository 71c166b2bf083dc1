import { leadingId } from './line-starts.js';
import type { FlowItem } from './reading-order.js';

/** What is usual in the document: the measure for what stands out. */
export interface DocumentStyle {
  /** Font size of most characters. Points. */
  readonly size: number;
  readonly bold: boolean;
  readonly monospaced: boolean;
  /** Distance between the lines of a paragraph, as a multiple of the font size. */
  readonly leading: number;
  /** Whether lines often start with this prefix and ever different numbers: `SRS` in `SRS 1`, `SRS 2` … */
  isIdPrefix(prefix: string): boolean;
}

/** Fewer different numbers behind a prefix at line starts may be chance: `RV32`, `RV64`. */
const FEWEST_IDS = 5;

/** Measures all pages. Linear in the number of lines. */
export function measureStyle(pages: readonly (readonly FlowItem[])[]): DocumentStyle {
  const sizes = new Map<number, number>();
  const pitches = new Map<number, number>();
  const ids = new Map<string, Set<string>>();
  let [bold, monospaced, characters] = [0, 0, 0];
  for (const flow of pages) {
    let before: { y: number; size: number; region: number } | undefined;
    for (const item of flow) {
      if (item.kind !== 'row') {
        before = undefined;
        continue;
      }
      const { row, region } = item;
      for (const segment of row.segments) {
        const { length } = segment.text;
        const key = Math.round(segment.size * 2) / 2;
        sizes.set(key, (sizes.get(key) ?? 0) + length);
        characters += length;
        if (segment.bold) bold += length;
        if (segment.monospaced) monospaced += length;
      }
      if (before && before.region === region && Math.abs(before.size - row.size) < 0.2 && row.y > before.y) {
        const pitch = Math.round(((row.y - before.y) / row.size) * 20) / 20;
        if (pitch < 2.5) pitches.set(pitch, (pitches.get(pitch) ?? 0) + row.x1 - row.x0);
      }
      before = { y: row.y, size: row.size, region };
      const id = leadingId(row.text);
      if (id) {
        const numbers = ids.get(id.prefix) ?? new Set<string>();
        ids.set(id.prefix, numbers.add(id.number));
      }
    }
  }
  return {
    size: mostFrequent(sizes) ?? 10,
    bold: bold > 0.6 * characters,
    monospaced: monospaced > 0.6 * characters,
    leading: Math.max(1, mostFrequent(pitches) ?? 1.2),
    isIdPrefix: (prefix) => (ids.get(prefix)?.size ?? 0) >= FEWEST_IDS,
  };
}

function mostFrequent(counts: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [value, count] of counts) if (best === undefined || count > counts.get(best)!) best = value;
  return best;
}
