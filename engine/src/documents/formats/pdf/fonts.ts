import { type Pdfium, type Pointer, readString } from './pdfium.js';

/** What a font says about the role of its text. */
export interface Font {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
  /** Characters of the font that were asked for their letter on this page, and those that have none. */
  tried: number;
  unmapped: number;
}

/** Flags of a font descriptor (PDF 32000, 9.8.2). */
const FIXED_PITCH = 1;
const ITALIC = 1 << 6;
const FORCE_BOLD = 1 << 18;

const BOLD_NAME = /bold|black|heavy|semibold|demi|[-,]bd\b|(^|\+)(cmbx|cmssbx|sfbx|lmbx)/i;
const ITALIC_NAME = /italic|oblique|slanted|[-,]it\b|(^|\+)(cmti|cmsl|cmmi|sfti|sfsl|lmri)/i;
const MONOSPACED_NAME = /mono|courier|consol|menlo|typewriter|(^|\+)(cmtt|sftt|lmtt|cmsltt)/i;

/** Reads each font of a page once. Handles are only valid while the page is open, so the cache is the page's. */
export function fontReader(pdfium: Pdfium): (font: Pointer) => Font {
  const { api } = pdfium;
  const known = new Map<Pointer, Font>();
  return (font) => {
    let found = known.get(font);
    if (!found) {
      const name = readString(pdfium, 'utf8', (buffer, length) =>
        api.FPDFFont_GetBaseFontName(font, buffer, length),
      );
      const flags = Math.max(0, api.FPDFFont_GetFlags(font));
      found = {
        bold: BOLD_NAME.test(name) || (flags & FORCE_BOLD) !== 0 || api.FPDFFont_GetWeight(font) >= 600,
        italic: ITALIC_NAME.test(name) || (flags & ITALIC) !== 0,
        monospaced: MONOSPACED_NAME.test(name) || (flags & FIXED_PITCH) !== 0,
        tried: 0,
        unmapped: 0,
      };
      known.set(font, found);
    }
    return found;
  };
}
