import type { Box } from './page-content.js';
import type { Pdfium, Pointer } from './pdfium.js';

/** Pixels of the longer side of a page's picture: letters of four points are more than three pixels high. */
const LONGEST_SIDE = 1_000;
/** Channels of pixels that differ no more than this look the same. */
const SAME = 10;
const WHITE = 0xffffffff | 0;
/** Annotations are drawn, too. */
const ANNOTATIONS = 1;

interface Placed {
  readonly object: Pointer;
  /** In page coordinates. */
  readonly box: Box;
}

/**
 * Whether each object makes no difference to what the page looks like: the page is drawn once as it is and once
 * without the objects. An object outside of the picture makes none.
 */
export function drawsNothing(
  pdfium: Pdfium,
  page: Pointer,
  area: Box,
  objects: readonly Placed[],
): readonly boolean[] {
  const { api } = pdfium;
  const scale = LONGEST_SIDE / Math.max(area.x1 - area.x0, area.y1 - area.y0, 1);
  const width = Math.max(1, Math.round(api.FPDF_GetPageWidthF(page) * scale));
  const height = Math.max(1, Math.round(api.FPDF_GetPageHeightF(page) * scale));
  if (width > 2 * LONGEST_SIDE || height > 2 * LONGEST_SIDE) return objects.map(() => false);
  const draw = (): Uint8Array | undefined => {
    const bitmap = api.FPDFBitmap_Create(width, height, 0);
    if (!bitmap) return undefined;
    try {
      api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS);
      const start = api.FPDFBitmap_GetBuffer(bitmap);
      return pdfium.bytes().slice(start, start + api.FPDFBitmap_GetStride(bitmap) * height);
    } finally {
      api.FPDFBitmap_Destroy(bitmap);
    }
  };
  const before = draw();
  for (const { object } of objects) api.FPDFPageObj_SetIsActive(object, 0);
  const after = draw();
  for (const { object } of objects) api.FPDFPageObj_SetIsActive(object, 1);
  if (!before || !after) return objects.map(() => false);
  const device = deviceBoxes(pdfium, page, { width, height });
  return objects.map(({ box }) => looksTheSame(before, after, { ...device(box), width, height }));
}

function looksTheSame(
  before: Uint8Array,
  after: Uint8Array,
  { x0, y0, x1, y1, width, height }: Box & { readonly width: number; readonly height: number },
): boolean {
  const stride = before.length / height;
  for (let y = Math.max(0, y0); y < Math.min(height, y1); y++) {
    const from = y * stride + Math.max(0, x0) * 4;
    const to = y * stride + Math.min(width, x1) * 4;
    for (let at = from; at < to; at++) if (Math.abs(before[at]! - after[at]!) > SAME) return false;
  }
  return true;
}

/** Boxes of the page as pixels of its picture, a little larger. */
function deviceBoxes(
  pdfium: Pdfium,
  page: Pointer,
  { width, height }: { readonly width: number; readonly height: number },
): (box: Box) => Box {
  const { api, scratch } = pdfium;
  const point = (x: number, y: number): readonly [number, number] => {
    api.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4);
    const words = pdfium.words();
    return [words[scratch >> 2]! | 0, words[(scratch >> 2) + 1]! | 0];
  };
  return (box) => {
    const [ax, ay] = point(box.x0, box.y0);
    const [bx, by] = point(box.x1, box.y1);
    return {
      x0: Math.min(ax, bx) - 1,
      y0: Math.min(ay, by) - 1,
      x1: Math.max(ax, bx) + 2,
      y1: Math.max(ay, by) + 2,
    };
  };
}
