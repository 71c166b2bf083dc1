import { looksSame, WHITE } from '../../colours.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import type { Box } from './page-content.js';
import { boundsOf, type PageDrawing, type Paint, type TextObject, transformBox } from './page-drawing.js';
import type { Pdfium, Pointer } from './pdfium.js';
import { drawsNothing } from './rendered-difference.js';

/** Text rendering modes (PDF 32000, 9.3.6). */
const STROKE = new Set([1, 5]);
const INVISIBLE = 3;
/** Opacity of at most this many 255ths is none. */
const NO_OPACITY = 6;
/** With more painted areas on a page a picture of it decides about all of its text. */
const MOST_PAINTS = 400;
/** Share of a text that something drawn later has to lie over. */
const COVERED_SHARE = 0.5;

interface Suspect {
  readonly text: TextObject;
  readonly box: Box;
  readonly reason: HiddenReason;
}

/**
 * Text objects of a page that its reader does not see, with the reason. What the file says itself (not drawn, fully
 * transparent) is taken as it is. What may be unseen for what lies under, over or around it – its colour, a shape drawn later,
 * a clipping path, a layer – is looked at: the page is drawn with and without it, and only text that makes no difference is
 * hidden. Linear in the objects; pages without such a suspicion are not drawn.
 */
export function hiddenObjects(
  pdfium: Pdfium,
  page: Pointer,
  { drawing, area }: { readonly drawing: PageDrawing; readonly area: Box },
): ReadonlyMap<Pointer, HiddenReason> {
  const { api, scratch } = pdfium;
  const hidden = new Map<Pointer, HiddenReason>();
  const suspects: Suspect[] = [];
  const { paints } = drawing;
  const crowded = paints.length > MOST_PAINTS;
  const lastPaint = paints.at(-1)?.order ?? 0;
  const colours = [...new Set(paints.map((paint) => paint.colour))];
  const mayBeLost = (colour: number | undefined) =>
    looksSame(colour, WHITE) || colours.some((paint) => looksSame(colour, paint));
  const clips = clipReader(pdfium);
  const isOnLayer = layerReader(pdfium);
  for (const text of drawing.texts) {
    const { object, order } = text;
    const mode = api.FPDFTextObj_GetTextRenderMode(object);
    if (mode === INVISIBLE) {
      const box = boxOf(pdfium, text);
      const isOverPicture = paints.some(
        (paint) => paint.kind === 'image' && share(box, paint) >= COVERED_SHARE,
      );
      hidden.set(object, isOverPicture ? 'recognised' : 'render-mode');
      continue;
    }
    let colour: number | undefined;
    if (
      !STROKE.has(mode) &&
      api.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12)
    ) {
      const bytes = pdfium.bytes();
      if (mode === 0 && bytes[scratch + 12]! <= NO_OPACITY) {
        hidden.set(object, 'transparent');
        continue;
      }
      colour = (bytes[scratch]! << 16) | (bytes[scratch + 4]! << 8) | bytes[scratch + 8]!;
    }
    const clip = clips(object);
    const suspect = (reason: HiddenReason) => suspects.push({ text, box: boxOf(pdfium, text), reason });
    if (isOnLayer(object)) suspect('hidden-layer');
    else if (crowded) suspect('covered');
    else if (clip && cutsOff(clip, boundsOf(pdfium, object))) suspect('clipped');
    else if (paints.length === 0) {
      if (looksSame(colour, WHITE)) suspect('same-colour');
    } else if (order < lastPaint || mayBeLost(colour)) {
      const box = boxOf(pdfium, text);
      const over = paints.some((paint) => paint.order > order && share(box, paint) >= COVERED_SHARE);
      if (over) suspect('covered');
      else if (colour !== undefined && isLost(colour, backgroundOf(paints, order, box)))
        suspect('same-colour');
    }
  }
  if (suspects.length > 0) {
    const unseen = drawsNothing(
      pdfium,
      page,
      area,
      suspects.map(({ text, box }) => ({ object: text.object, box })),
    );
    suspects.forEach(({ text, reason, box }, at) => {
      if (!unseen[at]) return;
      const isUnderPicture = paints.some(
        (paint) => paint.kind === 'image' && paint.order > text.order && share(box, paint) >= COVERED_SHARE,
      );
      hidden.set(text.object, reason === 'covered' && isUnderPicture ? 'recognised' : reason);
    });
  }
  return hidden;
}

function boxOf(pdfium: Pdfium, { object, matrix }: TextObject): Box {
  return transformBox(boundsOf(pdfium, object), matrix);
}

/** Colour of what was painted last under the middle of a text: white paper where nothing was. */
function backgroundOf(paints: readonly Paint[], order: number, box: Box): number | undefined | 'paper' {
  const x = (box.x0 + box.x1) / 2;
  const y = (box.y0 + box.y1) / 2;
  let under: Paint | undefined;
  for (const paint of paints) {
    if (paint.order > order) break;
    if (paint.x0 <= x && x <= paint.x1 && paint.y0 <= y && y <= paint.y1) under = paint;
  }
  return under ? under.colour : 'paper';
}

/** White on a picture may be lost as well: the picture of the page tells. */
function isLost(colour: number, background: number | undefined | 'paper'): boolean {
  if (background === 'paper' || background === undefined) return looksSame(colour, WHITE);
  return looksSame(colour, background);
}

function share(box: Box, paint: Box): number {
  const width = Math.min(box.x1, paint.x1) - Math.max(box.x0, paint.x0);
  const height = Math.min(box.y1, paint.y1) - Math.max(box.y0, paint.y0);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.max(1e-6, (box.x1 - box.x0) * (box.y1 - box.y0));
}

function cutsOff(clip: Box, box: Box): boolean {
  return share(box, clip) < 1 - COVERED_SHARE && box.x1 > box.x0 && box.y1 > box.y0;
}

/**
 * Box of the area that an object is drawn in, in its own coordinates. Objects share their clipping path, whose address
 * stands where PDFium's handle points to, so that each is read once.
 */
function clipReader(pdfium: Pdfium): (object: Pointer) => Box | undefined {
  const { api, scratch } = pdfium;
  const known = new Map<number, Box | undefined>();
  return (object) => {
    const clip = api.FPDFPageObj_GetClipPath(object);
    const shared = clip ? pdfium.words()[clip >> 2]! : 0;
    if (shared === 0) return undefined;
    if (known.has(shared)) return known.get(shared);
    let box: Box | undefined;
    const paths = Math.min(api.FPDFClipPath_CountPaths(clip), MOST_PATHS);
    for (let path = 0; path < paths; path++) {
      const count = Math.min(api.FPDFClipPath_CountPathSegments(clip, path), MOST_POINTS);
      let own: Box | undefined;
      for (let index = 0; index < count; index++) {
        const segment = api.FPDFClipPath_GetPathSegment(clip, path, index);
        if (!api.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)) continue;
        const floats = pdfium.floats();
        const x = floats[scratch >> 2]!;
        const y = floats[(scratch >> 2) + 1]!;
        own = own
          ? {
              x0: Math.min(own.x0, x),
              y0: Math.min(own.y0, y),
              x1: Math.max(own.x1, x),
              y1: Math.max(own.y1, y),
            }
          : { x0: x, y0: y, x1: x, y1: y };
      }
      if (!own) continue;
      box = box
        ? {
            x0: Math.max(box.x0, own.x0),
            y0: Math.max(box.y0, own.y0),
            x1: Math.min(box.x1, own.x1),
            y1: Math.min(box.y1, own.y1),
          }
        : own;
    }
    known.set(shared, box);
    return box;
  };
}

const MOST_PATHS = 16;
const MOST_POINTS = 200;
/** `OC`, as a mark names optional content, in UTF-16. */
const LAYER = [0x4f, 0, 0x43, 0];

/** Whether an object is marked as optional content, on a layer that may be switched off. */
function layerReader(pdfium: Pdfium): (object: Pointer) => boolean {
  const { api, scratch } = pdfium;
  /** Objects between two marks share them. */
  const known = new Map<Pointer, boolean>();
  const isLayer = (mark: Pointer): boolean => {
    if (!api.FPDFPageObjMark_GetName(mark, scratch + 8, 32, scratch)) return false;
    const bytes = pdfium.bytes();
    return bytes[scratch] === 6 && LAYER.every((byte, at) => bytes[scratch + 8 + at] === byte);
  };
  return (object) => {
    const count = Math.min(api.FPDFPageObj_CountMarks(object), MOST_PATHS);
    for (let index = 0; index < count; index++) {
      const mark = api.FPDFPageObj_GetMark(object, index);
      let found = known.get(mark);
      if (found === undefined) {
        found = isLayer(mark);
        known.set(mark, found);
      }
      if (found) return true;
    }
    return false;
  };
}
