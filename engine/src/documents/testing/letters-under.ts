import { withDocument } from '../formats/pdf/open-document.js';
import type { Pointer } from '../formats/pdf/pdfium.js';

/** A box on the picture of a page, in shares of it. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Letter {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Pixels of the picture that letters are looked for on. */
const PIXELS = 100_000;

/**
 * What a PDF has under boxes on the picture of one of its pages, drawn with this turn: the letters whose middle lies in each box,
 * without spaces. Asks the PDF library where it draws its letters, nothing of ours.
 */
export async function lettersUnder(
  bytes: Uint8Array,
  { page, turn }: { readonly page: number; readonly turn: number },
): Promise<(boxes: readonly Box[]) => string> {
  const letters = await withDocument(bytes, (pdfium, document): readonly Letter[] => {
    const { api, scratch } = pdfium;
    const loaded = api.FPDF_LoadPage(document, page - 1);
    const text = api.FPDFText_LoadPage(loaded);
    const rotate = (turn - api.FPDFPage_GetRotation(loaded) + 4) % 4;
    const device = (x: number, y: number): readonly [number, number] => {
      api.FPDF_PageToDevice(loaded, 0, 0, PIXELS, PIXELS, rotate, x, y, scratch, scratch + 4);
      const words = pdfium.words();
      return [words[scratch >> 2]! / PIXELS, words[(scratch >> 2) + 1]! / PIXELS];
    };
    const found: Letter[] = [];
    for (let index = 0; index < api.FPDFText_CountChars(text); index++) {
      const code = api.FPDFText_GetUnicode(text, index);
      if (code <= 0x20 && code !== 2) continue;
      const [left, top, right, bottom] = looseBox(index);
      const [ax, ay] = device(left, top);
      const [bx, by] = device(right, bottom);
      found.push({ text: code === 2 ? '-' : String.fromCodePoint(code), x: (ax + bx) / 2, y: (ay + by) / 2 });
    }
    api.FPDFText_ClosePage(text);
    api.FPDF_ClosePage(loaded);
    return found;

    function looseBox(index: number): [number, number, number, number] {
      api.FPDFText_GetLooseCharBox(text as Pointer, index, scratch);
      const floats = pdfium.floats();
      const at = scratch >> 2;
      return [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!];
    }
  });
  return (boxes) =>
    boxes
      .map(({ x, y, width, height }) =>
        letters
          .filter((one) => one.x >= x && one.x <= x + width && one.y >= y && one.y <= y + height)
          .map(({ text }) => text)
          .join(''),
      )
      .join('');
}
