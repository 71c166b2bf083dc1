import type { Api } from '../api/client.ts';
import { type Mark, segmentsOf } from './segments.ts';

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
    return [boxOf(line, shareAt(line, first), shareAt(line, last))];
  });
}

/** Letters of a line that stand between two shares of its length. */
export interface Run {
  readonly start: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The words of a line at their places, cut where marks begin and end as well. Words to select are set in another font than the
 * picture's: stretched to the line as one they would lie a letter beside those of the picture.
 */
export function runsOf(line: Line, text: string, marks: readonly Mark[]): readonly Run[] {
  if (!line.lefts) return [{ start: line.start, text, from: 0, to: 1 }];
  return segmentsOf(text, line.start, marks).flatMap((segment) =>
    [...segment.text.matchAll(/\s+|\S+\s*/g)].map(({ 0: word, index }) => {
      const start = segment.start + index;
      return { start, text: word, from: shareAt(line, start), to: shareAt(line, start + word.length) };
    }),
  );
}

const shareAt = ({ end, start, lefts }: Line, place: number): number =>
  place >= end ? 1 : lefts![place - start]! / 1000;

/** The stretch of a line from one share of its length to another, in the direction in which it is read. */
function boxOf({ x, y, width, height, turn }: Line, from: number, to: number): Box {
  if (turn === 1) return { x, y: y + (1 - to) * height, width, height: (to - from) * height };
  if (turn === 2) return { x: x + (1 - to) * width, y, width: (to - from) * width, height };
  if (turn === 3) return { x, y: y + from * height, width, height: (to - from) * height };
  return { x: x + from * width, y, width: (to - from) * width, height };
}

export const isIn = ({ x, y, width, height }: Box, at: { readonly x: number; readonly y: number }): boolean =>
  at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
