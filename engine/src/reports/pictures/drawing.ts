import { COLOURS } from './colours.js';
import type { BarPart, BarPicture, Picture, VPicture } from './picture.js';

/** A drawing in points, 480 wide; the origin is at the top left. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export type Shape =
  | {
      readonly kind: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: string;
      readonly line?: string;
    }
  | {
      readonly kind: 'line';
      readonly from: readonly [x: number, y: number];
      readonly to: readonly [x: number, y: number];
      readonly colour: string;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      /** Of the baseline. */
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly colour: string;
      readonly align: 'left' | 'middle' | 'right';
      readonly strong?: true;
      /** Longest that it may become; cut with an ellipsis beyond. */
      readonly width: number;
    };

const WIDTH = 480;
const INK = '#1d2733';
const SOFT = '#52606d';
const PAPER = '#ffffff';
const ROW = 22;

export function draw(picture: Picture): Drawing {
  return picture.kind === 'bars' ? drawBars(picture) : drawV(picture);
}

function drawBars(picture: BarPicture): Drawing {
  const left = 168;
  const right = 38;
  const whole = WIDTH - left - right;
  const totals = picture.rows.map(({ parts }) => sum(parts));
  const most = Math.max(1, ...totals);
  const shapes: Shape[] = [];
  picture.rows.forEach(({ label, parts }, index) => {
    const y = 4 + index * ROW;
    const total = totals[index]!;
    shapes.push(text(label, left - 8, y + 12, { align: 'right', width: left - 12 }));
    const length = picture.length === 'full' ? whole : (whole * total) / most;
    shapes.push(...bar(parts, { x: left, y: y + 1, width: total === 0 ? 0 : length, height: 15 }));
    const end = picture.length === 'full' ? left + whole : left + (total === 0 ? 0 : length);
    shapes.push(text(String(total), end + 6, y + 12, { align: 'left', width: right, colour: SOFT }));
  });
  const bottom = 4 + picture.rows.length * ROW + 6;
  shapes.push({ kind: 'line', from: [left, 2], to: [left, bottom - 6], colour: '#9aa5b1' });
  const legend = drawLegend(picture.legend, bottom);
  return { width: WIDTH, height: legend.height, shapes: [...shapes, ...legend.shapes] };
}

function drawV(picture: VPicture): Drawing {
  const { levels } = picture;
  const boxWidth = 176;
  const boxHeight = 38;
  const step = 50;
  const shapes: Shape[] = [];
  const lean = Math.min(22, (WIDTH / 2 - boxWidth - 26) / Math.max(1, levels.length));
  levels.forEach(({ label, parts, share }, index) => {
    const y = 4 + index * step;
    const x = index * lean;
    const mirrored = WIDTH - x - boxWidth * 0.6;
    if (index > 0) {
      shapes.push(
        { kind: 'line', from: [x - lean + 20, y - step + boxHeight], to: [x + 20, y], colour: '#9aa5b1' },
        {
          kind: 'line',
          from: [WIDTH - x + lean - 20, y - step + boxHeight],
          to: [WIDTH - x - 20, y],
          colour: '#9aa5b1',
        },
      );
    }
    shapes.push(
      {
        kind: 'line',
        from: [x + boxWidth, y + boxHeight / 2],
        to: [mirrored, y + boxHeight / 2],
        colour: '#c3cad3',
      },
      { kind: 'box', x, y, width: boxWidth, height: boxHeight, fill: PAPER, line: '#9aa5b1' },
      text(label, x + 6, y + 14, { align: 'left', width: boxWidth - 40, strong: true }),
      text(String(sum(parts)), x + boxWidth - 6, y + 14, { align: 'right', width: 34, colour: SOFT }),
      ...bar(parts, { x: x + 6, y: y + 21, width: boxWidth - 12, height: 10 }),
      {
        kind: 'box',
        x: mirrored,
        y,
        width: boxWidth * 0.6,
        height: boxHeight,
        fill: '#f4f6f8',
        line: '#9aa5b1',
      },
      text(share, mirrored + boxWidth * 0.3, y + 23, { align: 'middle', width: boxWidth * 0.6 - 8 }),
    );
  });
  const y = 4 + levels.length * step;
  shapes.push(
    { kind: 'box', x: WIDTH / 2 - 110, y, width: 220, height: 24, fill: '#f4f6f8', line: '#9aa5b1' },
    text(picture.bottom, WIDTH / 2, y + 16, { align: 'middle', width: 212 }),
  );
  const legend = drawLegend(picture.legend, y + 32);
  return { width: WIDTH, height: legend.height, shapes: [...shapes, ...legend.shapes] };
}

function bar(
  parts: readonly BarPart[],
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Shape[] {
  const total = sum(parts);
  const shapes: Shape[] = [];
  let x = box.x;
  for (const { mark, value } of parts) {
    if (value === 0) continue;
    const width = (box.width * value) / total;
    shapes.push({
      kind: 'box',
      x,
      y: box.y,
      width,
      height: box.height,
      fill: COLOURS[mark].fill,
      line: PAPER,
    });
    x += width;
  }
  return shapes;
}

function drawLegend(
  legend: readonly { readonly mark: BarPart['mark']; readonly label: string }[],
  top: number,
): { readonly shapes: readonly Shape[]; readonly height: number } {
  const shapes: Shape[] = [];
  let x = 8;
  let y = top;
  for (const { mark, label } of legend) {
    const width = 24 + label.length * 5.2;
    if (x + width > WIDTH && x > 8) {
      x = 8;
      y += 16;
    }
    shapes.push(
      { kind: 'box', x, y: y + 2, width: 9, height: 9, fill: COLOURS[mark].fill },
      text(label, x + 13, y + 10, { align: 'left', width: width - 10, colour: SOFT }),
    );
    x += width;
  }
  return { shapes, height: y + 16 };
}

function text(
  words: string,
  x: number,
  y: number,
  rest: {
    readonly align: 'left' | 'middle' | 'right';
    readonly width: number;
    readonly colour?: string;
    readonly strong?: true;
  },
): Shape {
  return { kind: 'text', x, y, text: words, size: 9, colour: INK, ...rest };
}

const sum = (parts: readonly BarPart[]): number => parts.reduce((total, { value }) => total + value, 0);
