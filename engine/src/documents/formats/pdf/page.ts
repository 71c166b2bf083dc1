import type { HiddenReason } from '../../hidden-ranges.js';
import { readAnnotations } from './annotations.js';
import { hiddenObjects } from './hidden-objects.js';
import type { Box, PageContent, Rule, Segment } from './page-content.js';
import { type PageDrawing, readDrawing, rulesInFrame } from './page-drawing.js';
import { boxInFrame, type Frame, framesOf, type Quadrant } from './page-frame.js';
import { readSegments, type TurnedSegments } from './page-segments.js';
import type { Pdfium, Pointer } from './pdfium.js';
import { readTags } from './structure-tree.js';

/** Answer of PDFium when it has put the looks of annotations into the page's content (in memory only). */
const FLATTENED = 1;

/** Reads one page of an open document; all memory of the page is given back. Undefined when it cannot be loaded. */
export function readPage(
  pdfium: Pdfium,
  document: Pointer,
  place: { readonly index: number; readonly tagged: boolean; readonly keepPlaces: boolean },
): PageContent | undefined {
  const { api } = pdfium;
  let page = api.FPDF_LoadPage(document, place.index);
  if (!page) return undefined;
  try {
    const annotations = readAnnotations(pdfium, page);
    if (annotations.drawn && api.FPDFPage_Flatten(page, 0) === FLATTENED) {
      api.FPDF_ClosePage(page);
      page = api.FPDF_LoadPage(document, place.index);
      if (!page) return undefined;
    }
    const area = visibleArea(pdfium, page);
    const frames = framesOf(area);
    const drawing = readDrawing(pdfium, page);
    const rules = frames.map((frame) => once(() => rulesInFrame(drawing.lines, frame)));
    const tags = place.tagged ? readTags(pdfium, page) : undefined;
    const unseen = hiddenObjects(pdfium, page, { drawing, area });
    const recognised = isScan(unseen, drawing);
    const text = readSegments({
      pdfium,
      page,
      frames,
      verticals: (quadrant: Quadrant): readonly Rule[] => rules[quadrant]!().vertical,
      hiddenObjects: recognised ? withoutRecognised(unseen) : unseen,
      ...(tags ? { tagOf: tags.tagOf } : {}),
      keepPlaces: place.keepPlaces,
    });
    const { groups } = text;
    const main = groups.reduce<TurnedSegments | undefined>(
      (most, group) => (most && most.characters >= group.characters ? most : group),
      undefined,
    );
    const frame = frames[main?.quadrant ?? 0];
    const kept = { page: place.index + 1, keepPlaces: place.keepPlaces };
    return {
      number: place.index + 1,
      width: frame.width,
      height: frame.height,
      turn: frame.quadrant,
      segments: groups.flatMap((group) =>
        group === main ? placed(group, kept) : turn(group, frames, { frame, ...kept }),
      ),
      rules: rules[frame.quadrant]!(),
      comments: annotations.comments,
      hidden: text.hidden,
      recognised,
      letters: { drawn: text.drawn, unmapped: text.unmapped, pictured: pictured(drawing, area) },
      pictures: drawing.pictures.map((picture) => ({
        ...boxInFrame(frame, picture),
        text: tags?.alternativeText(picture.contentId) ?? '',
      })),
    };
  } finally {
    if (page) api.FPDF_ClosePage(page);
  }
}

/** Share of the text objects of a scanned page that its recognised text makes. */
const SCAN_SHARE = 0.9;

/** Whether a page is a picture with its recognised text laid over it. */
function isScan(unseen: ReadonlyMap<Pointer, HiddenReason>, { texts }: PageDrawing): boolean {
  let recognised = 0;
  for (const reason of unseen.values()) if (reason === 'recognised') recognised++;
  return recognised > 0 && recognised >= SCAN_SHARE * texts.length;
}

function withoutRecognised(unseen: ReadonlyMap<Pointer, HiddenReason>): ReadonlyMap<Pointer, HiddenReason> {
  return new Map([...unseen].filter(([, reason]) => reason !== 'recognised'));
}

/** Share of the page that its pictures take; overlaps count twice, up to the whole page. */
function pictured({ paints }: PageDrawing, area: Box): number {
  let covered = 0;
  for (const { kind, x0, y0, x1, y1 } of paints) {
    if (kind !== 'image') continue;
    const width = Math.min(x1, area.x1) - Math.max(x0, area.x0);
    const height = Math.min(y1, area.y1) - Math.max(y0, area.y0);
    if (width > 0 && height > 0) covered += width * height;
  }
  return Math.min(1, covered / Math.max(1, (area.x1 - area.x0) * (area.y1 - area.y0)));
}

function visibleArea(pdfium: Pdfium, page: Pointer): Box {
  const { api, scratch } = pdfium;
  if (!api.FPDF_GetPageBoundingBox(page, scratch)) return { x0: 0, y0: 0, x1: 612, y1: 792 };
  const floats = pdfium.floats();
  const at = scratch >> 2;
  // Order of FS_RECTF: left, top, right, bottom.
  return { x0: floats[at]!, y0: floats[at + 3]!, x1: floats[at + 2]!, y1: floats[at + 1]! };
}

/** Parts of the font size that letters reach above and below their baseline. */
const ASCENT = 0.85;
const DESCENT = 0.25;

/** Segments of the main direction with their places on the picture of the page. */
function placed(
  { segments, lefts }: TurnedSegments,
  { page, keepPlaces }: { readonly page: number; readonly keepPlaces: boolean },
): PageContent['segments'] {
  if (!keepPlaces) return segments;
  return segments.map((segment, at) => {
    const { x0, x1, y, size } = segment;
    const box = { x0, x1, y0: y - ASCENT * size, y1: y + DESCENT * size };
    return { ...segment, place: { page, ...box, turn: 0, lefts: lefts[at] } };
  });
}

/** Text that runs in another direction than most of the page, boxed as its reader sees it. */
function turn(
  group: TurnedSegments,
  frames: readonly [Frame, Frame, Frame, Frame],
  { frame, page, keepPlaces }: { readonly frame: Frame; readonly page: number; readonly keepPlaces: boolean },
): PageContent['segments'] {
  const from = frames[group.quadrant];
  const boxOf = ({ x0, x1, y, size }: Segment, above: number, below: number): Box =>
    boxInFrame(frame, inPage(from, { x0, x1, y0: y - above * size, y1: y + below * size }, frames[0]));
  return group.segments.map((segment, at) => {
    const box = boxOf(segment, 0.8, 0);
    const turned = { ...segment, x0: box.x0, x1: box.x1, y: box.y1 };
    if (!keepPlaces) return turned;
    const around = boxOf(segment, ASCENT, DESCENT);
    const direction = ((group.quadrant - frame.quadrant + 4) % 4) as Quadrant;
    return { ...turned, place: { page, ...around, turn: direction, lefts: group.lefts[at] } };
  });
}

/** A box of a turned frame in page coordinates, by the inverse of the frame's turn. */
function inPage(from: Frame, box: Box, upright: Frame): Box {
  const originX = -upright.x(0, 0);
  const originY = upright.y(0, 0) - upright.height;
  const { width: w, height: h } = upright;
  const point = (x: number, y: number): [number, number] => {
    if (from.quadrant === 0) return [x + originX, h - y + originY];
    if (from.quadrant === 1) return [y + originX, x + originY];
    if (from.quadrant === 2) return [w - x + originX, y + originY];
    return [w - y + originX, h - x + originY];
  };
  const a = point(box.x0, box.y0);
  const b = point(box.x1, box.y1);
  return {
    x0: Math.min(a[0], b[0]),
    y0: Math.min(a[1], b[1]),
    x1: Math.max(a[0], b[0]),
    y1: Math.max(a[1], b[1]),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
