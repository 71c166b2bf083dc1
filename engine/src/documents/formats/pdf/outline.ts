import { type Pdfium, type Pointer, readString } from './pdfium.js';

/** A bookmark of the file: a heading that its author named as such. */
export interface OutlineEntry {
  readonly title: string;
  /** 1 is outermost. */
  readonly level: number;
  /** 1-based; absent when the bookmark leads nowhere. */
  readonly page?: number;
}

const MOST_ENTRIES = 20_000;
const DEEPEST_LEVEL = 12;

/** Reads the bookmarks in order. Loops in a damaged file end at the limits. */
export function readOutline(pdfium: Pdfium, document: Pointer): OutlineEntry[] {
  const { api } = pdfium;
  const entries: OutlineEntry[] = [];
  const seen = new Set<Pointer>();
  const visit = (parent: Pointer, level: number): void => {
    let bookmark = api.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark && !seen.has(bookmark) && entries.length < MOST_ENTRIES) {
      seen.add(bookmark);
      const current = bookmark;
      const title = readString(pdfium, 'utf16le', (buffer, length) =>
        api.FPDFBookmark_GetTitle(current, buffer, length),
      ).trim();
      const destination =
        api.FPDFBookmark_GetDest(document, bookmark) ||
        api.FPDFAction_GetDest(document, api.FPDFBookmark_GetAction(bookmark));
      const index = destination ? api.FPDFDest_GetDestPageIndex(document, destination) : -1;
      if (title !== '') entries.push({ title, level, ...(index >= 0 ? { page: index + 1 } : {}) });
      if (level < DEEPEST_LEVEL) visit(bookmark, level + 1);
      bookmark = api.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  visit(0, 1);
  return entries;
}
