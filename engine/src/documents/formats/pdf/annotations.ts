import { type Pdfium, type Pointer, readString } from './pdfium.js';

/** What is attached to a page beside its content. */
export interface PageAnnotations {
  /** Reviewers' notes, in order. */
  readonly comments: readonly string[];
  /** Filled form fields, typed text and stamps stand on the page as seen, but not in its content. */
  readonly drawn: boolean;
}

/** Subtypes of annotations as PDFium numbers them. */
const LINK = 2;
const DRAWN: ReadonlySet<number> = new Set([3, 13, 20]); // free text, stamp, form field
const COMMENTS: ReadonlySet<number> = new Set([1, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15]);
const MOST_ANNOTATIONS = 5_000;

export function readAnnotations(pdfium: Pdfium, page: Pointer): PageAnnotations {
  const { api, scratch } = pdfium;
  const count = Math.min(api.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS);
  const comments: string[] = [];
  let drawn = false;
  for (let index = 0; index < count; index++) {
    const annotation = api.FPDFPage_GetAnnot(page, index);
    if (!annotation) continue;
    const subtype = api.FPDFAnnot_GetSubtype(annotation);
    if (subtype !== LINK) {
      drawn ||= DRAWN.has(subtype);
      if (COMMENTS.has(subtype)) {
        pdfium.bytes().set(Buffer.from('Contents\0', 'latin1'), scratch);
        const text = readString(pdfium, 'utf16le', (buffer, length) =>
          api.FPDFAnnot_GetStringValue(annotation, scratch, buffer, length),
        ).trim();
        if (text !== '') comments.push(text.replace(/\s+/g, ' ').normalize('NFC'));
      }
    }
    api.FPDFPage_CloseAnnot(annotation);
  }
  return { comments, drawn };
}
