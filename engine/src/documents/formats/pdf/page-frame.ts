import type { Box } from './page-content.js';

/** The direction in which text runs: right, up, left or down the unturned page. */
export type Quadrant = 0 | 1 | 2 | 3;

/** Turns page coordinates (y upwards) into those of the page as its reader holds it (y downwards from the top). */
export interface Frame {
  readonly quadrant: Quadrant;
  readonly width: number;
  readonly height: number;
  x(pageX: number, pageY: number): number;
  y(pageX: number, pageY: number): number;
}

/** The four frames of a page whose visible area is `area` (y upwards). */
export function framesOf(area: Box): readonly [Frame, Frame, Frame, Frame] {
  const width = area.x1 - area.x0;
  const height = area.y1 - area.y0;
  return [
    { quadrant: 0, width, height, x: (x) => x - area.x0, y: (_, y) => area.y1 - y },
    { quadrant: 1, width: height, height: width, x: (_, y) => y - area.y0, y: (x) => x - area.x0 },
    { quadrant: 2, width, height, x: (x) => area.x1 - x, y: (_, y) => y - area.y0 },
    { quadrant: 3, width: height, height: width, x: (_, y) => area.y1 - y, y: (x) => area.x1 - x },
  ];
}

/** A box given in page coordinates, as seen in a frame. */
export function boxInFrame(frame: Frame, box: Box): Box {
  const xa = frame.x(box.x0, box.y0);
  const xb = frame.x(box.x1, box.y1);
  const ya = frame.y(box.x0, box.y0);
  const yb = frame.y(box.x1, box.y1);
  return { x0: Math.min(xa, xb), y0: Math.min(ya, yb), x1: Math.max(xa, xb), y1: Math.max(ya, yb) };
}
