import type { Api } from '../api/client.ts';

export type Line = Api['PageLines']['lines'][number];

/** On the picture of a page, in shares of it. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where the letters of a range stand on a page, one box for each piece of a line. Of a piece whose letters have no places a part
 * has none either: a box around other words would be worse.
 */
export function boxesOf(
  lines: readonly Line[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly Box[] {
  return lines.flatMap((line) => {
    const [first, last] = [Math.max(start, line.start), Math.min(end, line.end)];
    if (first >= last) return [];
    const isWhole = first === line.start && last === line.end;
    if (!line.lefts) return isWhole ? [boxOf(line, 0, 1)] : [];
    const to = last === line.end ? 1 : line.lefts[last - line.start]! / 1000;
    return [boxOf(line, line.lefts[first - line.start]! / 1000, to)];
  });
}

/** The stretch of a line from one share of its length to another, in the direction in which it is read. */
function boxOf({ x, y, width, height, turn }: Line, from: number, to: number): Box {
  if (turn === 1) return { x, y: y + (1 - to) * height, width, height: (to - from) * height };
  if (turn === 2) return { x: x + (1 - to) * width, y, width: (to - from) * width, height };
  if (turn === 3) return { x, y: y + from * height, width, height: (to - from) * height };
  return { x: x + from * width, y, width: (to - from) * width, height };
}

export const isIn = ({ x, y, width, height }: Box, at: { readonly x: number; readonly y: number }): boolean =>
  at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
