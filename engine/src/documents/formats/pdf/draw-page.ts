import { DocumentError } from '../../document-error.js';
import { writePng } from '../../page-places/png.js';
import { withDocument } from './open-document.js';

export interface PageToDraw {
  /** 1-based. */
  readonly page: number;
  /** Of its `PageShape`. */
  readonly turn: 0 | 1 | 2 | 3;
  /** Width of the picture in pixels. */
  readonly width: number;
}

/** Pixels of a picture: four bytes each while it is drawn. */
const MOST_PIXELS = 12_000_000;
const WHITE = 0xffffffff | 0;
/** Annotations are drawn, too. */
const ANNOTATIONS = 1;

/**
 * A page of a PDF as a PNG, upright as its reader holds it. A page that is higher than `MOST_PIXELS` allow is drawn smaller. Runs
 * in the limited child process: a picture costs what the file asks for. Throws `DocumentError` for a page that is not there or damaged.
 */
export async function drawPage(
  bytes: Uint8Array,
  { page: number, turn, width }: PageToDraw,
): Promise<Uint8Array> {
  return withDocument(bytes, (pdfium, document) => {
    const { api } = pdfium;
    const page = number <= api.FPDF_GetPageCount(document) ? api.FPDF_LoadPage(document, number - 1) : 0;
    if (!page) throw damaged(number);
    try {
      const rotate = (turn - api.FPDFPage_GetRotation(page) + 4) % 4;
      const [a, b] = [api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page)];
      const shape = rotate % 2 === 0 ? { across: a, down: b } : { across: b, down: a };
      const ratio = Math.max(shape.down, 1) / Math.max(shape.across, 1);
      const across = Math.max(1, Math.round(Math.min(width, Math.sqrt(MOST_PIXELS / ratio))));
      const down = Math.max(1, Math.round(across * ratio));
      const bitmap = across * down <= 2 * MOST_PIXELS ? api.FPDFBitmap_Create(across, down, 0) : 0;
      if (!bitmap) throw damaged(number);
      try {
        api.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, WHITE);
        api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, rotate, ANNOTATIONS);
        const start = api.FPDFBitmap_GetBuffer(bitmap);
        const stride = api.FPDFBitmap_GetStride(bitmap);
        return writePng(pdfium.bytes().subarray(start, start + stride * down), {
          width: across,
          height: down,
          stride,
        });
      } finally {
        api.FPDFBitmap_Destroy(bitmap);
      }
    } finally {
      api.FPDF_ClosePage(page);
    }
  });
}

const damaged = (page: number): DocumentError =>
  new DocumentError(
    'corrupt',
    `Page ${page} of the PDF cannot be drawn.`,
    'Open the file in a viewer and save or print it to a new PDF.',
    { page },
  );
