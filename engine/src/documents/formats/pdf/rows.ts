import type { Segment } from './page-content.js';
import { appendLine } from './text-normalisation.js';
import type { IsTorn } from './torn-words.js';

/** Segments that stand on one baseline, from left to right. */
export interface Row {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly size: number;
}

/** Groups segments by baseline, top to bottom; what is raised or lowered by a third of its size stays in the row. */
export function rowsOf(segments: readonly Segment[]): Row[] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows: Row[] = [];
  let group: Segment[] = [];
  let base: Segment | undefined;
  for (const segment of sorted) {
    if (base && segment.y - base.y > 0.35 * Math.min(segment.size, base.size)) {
      rows.push(rowOf(group));
      group = [];
      base = undefined;
    }
    group.push(segment);
    if (!base || segment.size > base.size) base = segment;
  }
  if (group.length > 0) rows.push(rowOf(group));
  return rows;
}

/** The text of segments that form one cell or one paragraph, line under line. */
export function textOf(
  segments: readonly Segment[],
  isTorn?: IsTorn,
): { readonly text: string /** In the order of the text. */; readonly segments: readonly Segment[] } {
  if (segments.length < 2) return { text: segments[0]?.text ?? '', segments };
  let text = '';
  const rows = rowsOf(segments);
  for (const row of rows) {
    text = isTorn?.(text, row.text) ? text + row.text : appendLine(text, row.text);
  }
  return { text, segments: rows.flatMap((row) => row.segments) };
}

/** Size and baseline of a row are those of its longest piece: an icon or a drop cap does not make it large. */
function rowOf(group: Segment[]): Row {
  const [only] = group;
  if (group.length === 1 && only) {
    return { text: only.text, segments: group, x0: only.x0, x1: only.x1, y: only.y, size: only.size };
  }
  group.sort((a, b) => a.x0 - b.x0);
  let x1 = 0;
  let longest = group[0]!;
  for (const segment of group) {
    x1 = Math.max(x1, segment.x1);
    if (segment.text.length > longest.text.length) longest = segment;
  }
  const text = group.map((segment) => segment.text).join(' ');
  return { text, segments: group, x0: group[0]!.x0, x1, y: longest.y, size: longest.size };
}
