import type { Box, Rule, Rules } from './page-content.js';
import { boxInFrame, type Frame } from './page-frame.js';
import { OBJECT_TYPE, type Pdfium, type Pointer } from './pdfium.js';

/** What is drawn on a page besides text, in page coordinates (y upwards). */
export interface PageDrawing {
  /** Thin boxes: ruling lines and edges of drawn rectangles. */
  readonly lines: readonly Box[];
  readonly pictures: readonly (Box & { readonly contentId: number })[];
  /** Text in the order of drawing. */
  readonly texts: readonly TextObject[];
  /** What may lie under or over text, in the order of drawing. */
  readonly paints: readonly Paint[];
}

/** A text object, whose own coordinates `matrix` turns into those of the page. */
export interface TextObject {
  readonly object: Pointer;
  /** Position among everything that the page draws. */
  readonly order: number;
  readonly matrix: Matrix;
}

/** A filled area or a picture; its colour where it is one that is known. */
export interface Paint extends Box {
  readonly order: number;
  readonly kind: 'fill' | 'image' | 'shading';
  readonly colour: number | undefined;
}

export type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Thicker marks are bars and backgrounds, not lines. Points. */
const LINE_THICKNESS = 3;
const SHORTEST_LINE = 4;
const SMALLEST_PICTURE = 50;
/** A picture drawn as lines (a plot, a map) has no use for table detection and would take seconds. */
const MOST_LINES = 4_000;
const MOST_POINTS = 60_000;
/** A page with more filled areas is looked at as a picture; see `hidden-objects.ts`. */
const MOST_PAINTS = 1_000;
const FORM_DEPTH = 8;

/** Collects lines and pictures of a page, those inside form objects included. */
export function readDrawing(pdfium: Pdfium, page: Pointer): PageDrawing {
  const { api } = pdfium;
  const lines: Box[] = [];
  const pictures: (Box & { contentId: number })[] = [];
  const texts: TextObject[] = [];
  const paints: Paint[] = [];
  let points = 0;
  let order = 0;

  const visit = (object: Pointer, matrix: Matrix, depth: number): void => {
    const type = api.FPDFPageObj_GetType(object);
    order++;
    if (type === OBJECT_TYPE.text) texts.push({ object, order, matrix });
    else if (type === OBJECT_TYPE.path) visitPath(object, matrix);
    else if (type === OBJECT_TYPE.shading) {
      paints.push({
        ...transformBox(boundsOf(pdfium, object), matrix),
        order,
        kind: 'shading',
        colour: undefined,
      });
    } else if (type === OBJECT_TYPE.image) {
      const box = transformBox(boundsOf(pdfium, object), matrix);
      paints.push({ ...box, order, kind: 'image', colour: undefined });
      if (box.x1 - box.x0 < SMALLEST_PICTURE || box.y1 - box.y0 < SMALLEST_PICTURE) return;
      pictures.push({ ...box, contentId: api.FPDFPageObj_GetMarkedContentID(object) });
    } else if (type === OBJECT_TYPE.form && depth < FORM_DEPTH) {
      const inner = multiply(matrixOf(pdfium, object), matrix);
      const count = api.FPDFFormObj_CountObjects(object);
      for (let index = 0; index < count; index++) {
        visit(api.FPDFFormObj_GetObject(object, index), inner, depth + 1);
      }
    }
  };

  const visitPath = (path: Pointer, matrix: Matrix): void => {
    const isFull = lines.length > MOST_LINES || points > MOST_POINTS;
    if (isFull && paints.length > MOST_PAINTS) return;
    const bounds = boundsOf(pdfium, path);
    const box = transformBox(bounds, matrix);
    const width = box.x1 - box.x0;
    const height = box.y1 - box.y0;
    if (Math.min(width, height) <= LINE_THICKNESS) {
      if (Math.max(width, height) >= SHORTEST_LINE && !isFull) lines.push(box);
      return;
    }
    api.FPDFPath_GetDrawMode(path, pdfium.scratch, pdfium.scratch + 4);
    const bytes = pdfium.bytes();
    const stroked = bytes[pdfium.scratch + 4] !== 0;
    if (bytes[pdfium.scratch] !== 0 && paints.length <= MOST_PAINTS)
      paints.push({ ...box, order, kind: 'fill', colour: fillColour(path) });
    if (!stroked || isFull) return;
    const count = api.FPDFPath_CountSegments(path);
    points += count;
    if (points > MOST_POINTS) return;
    const own = multiply(matrixOf(pdfium, path), matrix);
    let start: [number, number] = [0, 0];
    let previous: [number, number] = [0, 0];
    for (let index = 0; index < count; index++) {
      const segment = api.FPDFPath_GetPathSegment(path, index);
      api.FPDFPathSegment_GetPoint(segment, pdfium.scratch, pdfium.scratch + 4);
      const floats = pdfium.floats();
      const at = pdfium.scratch >> 2;
      const point = transform(floats[at]!, floats[at + 1]!, own);
      const type = api.FPDFPathSegment_GetType(segment);
      if (type === 2) start = point;
      else if (type === 0) pushLine(lines, previous, point);
      if (api.FPDFPathSegment_GetClose(segment)) pushLine(lines, point, start);
      previous = point;
    }
  };

  const fillColour = (path: Pointer): number | undefined => {
    const { scratch } = pdfium;
    if (!api.FPDFPageObj_GetFillColor(path, scratch, scratch + 4, scratch + 8, scratch + 12))
      return undefined;
    const bytes = pdfium.bytes();
    if (bytes[scratch + 12] !== 255) return undefined;
    return (bytes[scratch]! << 16) | (bytes[scratch + 4]! << 8) | bytes[scratch + 8]!;
  };

  const count = api.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index++) visit(api.FPDFPage_GetObject(page, index), IDENTITY, 0);
  return { lines, pictures, texts, paints };
}

/** Lines along the axes of a frame, pieces of one line joined. */
export function rulesInFrame(lines: readonly Box[], frame: Frame): Rules {
  const horizontal: Rule[] = [];
  const vertical: Rule[] = [];
  for (const line of lines) {
    const box = boxInFrame(frame, line);
    if (box.x1 - box.x0 >= box.y1 - box.y0) {
      horizontal.push({ at: (box.y0 + box.y1) / 2, from: box.x0, to: box.x1 });
    } else vertical.push({ at: (box.x0 + box.x1) / 2, from: box.y0, to: box.y1 });
  }
  return { horizontal: joinRules(horizontal), vertical: joinRules(vertical) };
}

/** Pieces at the same place (within 1.5 pt) that touch (within 3 pt) become one rule; sorted by place. */
function joinRules(rules: Rule[]): Rule[] {
  rules.sort((a, b) => a.at - b.at || a.from - b.from);
  const joined: Rule[] = [];
  let group: Rule[] = [];
  const flush = (): void => {
    group.sort((a, b) => a.from - b.from);
    let current: { at: number; from: number; to: number } | undefined;
    for (const rule of group) {
      if (current && rule.from <= current.to + 3) current.to = Math.max(current.to, rule.to);
      else {
        current = { ...rule };
        joined.push(current);
      }
    }
    group = [];
  };
  for (const rule of rules) {
    if (group.length > 0 && rule.at - group[0]!.at > 1.5) flush();
    group.push(rule);
  }
  flush();
  return joined;
}

function pushLine(lines: Box[], a: readonly [number, number], b: readonly [number, number]): void {
  const box = {
    x0: Math.min(a[0], b[0]),
    y0: Math.min(a[1], b[1]),
    x1: Math.max(a[0], b[0]),
    y1: Math.max(a[1], b[1]),
  };
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  if (Math.min(width, height) <= 0.5 && Math.max(width, height) >= SHORTEST_LINE) lines.push(box);
}

export function boundsOf(pdfium: Pdfium, object: Pointer): Box {
  const { api, scratch } = pdfium;
  if (!api.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)) {
    return { x0: 0, y0: 0, x1: 0, y1: 0 };
  }
  const floats = pdfium.floats();
  const at = scratch >> 2;
  return { x0: floats[at]!, y0: floats[at + 1]!, x1: floats[at + 2]!, y1: floats[at + 3]! };
}

function matrixOf(pdfium: Pdfium, object: Pointer): Matrix {
  if (!pdfium.api.FPDFPageObj_GetMatrix(object, pdfium.scratch)) return IDENTITY;
  const floats = pdfium.floats();
  const at = pdfium.scratch >> 2;
  return [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!, floats[at + 4]!, floats[at + 5]!];
}

/** First `a`, then `b`. */
function multiply(a: Matrix, b: Matrix): Matrix {
  if (b === IDENTITY) return a;
  return [
    a[0] * b[0] + a[1] * b[2],
    a[0] * b[1] + a[1] * b[3],
    a[2] * b[0] + a[3] * b[2],
    a[2] * b[1] + a[3] * b[3],
    a[4] * b[0] + a[5] * b[2] + b[4],
    a[4] * b[1] + a[5] * b[3] + b[5],
  ];
}

function transform(x: number, y: number, matrix: Matrix): [number, number] {
  return [x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5]];
}

export function transformBox(box: Box, matrix: Matrix): Box {
  if (matrix === IDENTITY) return box;
  const a = transform(box.x0, box.y0, matrix);
  const b = transform(box.x1, box.y1, matrix);
  return {
    x0: Math.min(a[0], b[0]),
    y0: Math.min(a[1], b[1]),
    x1: Math.max(a[0], b[0]),
    y1: Math.max(a[1], b[1]),
  };
}
