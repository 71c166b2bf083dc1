import type { Tag } from './page-content.js';
import { type Pdfium, type Pointer, readString } from './pdfium.js';

/** Elements that stand for a block of text; what is inside of them belongs to them. */
const BLOCK_TYPE = /^(?:P|H[1-6]?|Title|LI|TD|TH|Caption|TOCI|BlockQuote|Note|FENote|Code|Formula|Figure)$/;
/** Elements that keep the paragraphs inside of them together. */
const CONTAINER_TYPE = /^(?:LI|TD|TH|Caption|TOCI|Figure)$/;
const DEEPEST_ELEMENT = 100;
const MOST_ELEMENTS = 50_000;

/** What the structure tree of a tagged file says about one page. */
export interface PageTags {
  tagOf(contentId: number): Tag | undefined;
  /** Alternative text of the figure that holds the content. */
  alternativeText(contentId: number): string;
}

/** Reads the part of the structure tree that concerns a page. Nothing where the page has none. */
export function readTags(pdfium: Pdfium, page: Pointer): PageTags | undefined {
  const { api } = pdfium;
  const tree = api.FPDF_StructTree_GetForPage(page);
  if (!tree) return undefined;
  const tags = new Map<number, Tag>();
  const alternatives = new Map<number, string>();
  let elements = 0;

  const visit = (element: Pointer, above: Tag | undefined, depth: number): void => {
    if (!element || depth > DEEPEST_ELEMENT || ++elements > MOST_ELEMENTS) return;
    const type = readString(pdfium, 'utf16le', (buffer, length) =>
      api.FPDF_StructElement_GetType(element, buffer, length),
    );
    const kept = above !== undefined && CONTAINER_TYPE.test(above.type) && !CONTAINER_TYPE.test(type);
    const tag = BLOCK_TYPE.test(type) && !kept ? { element: elements, type } : above;
    const alternative =
      type === 'Figure'
        ? readString(pdfium, 'utf16le', (buffer, length) =>
            api.FPDF_StructElement_GetAltText(element, buffer, length),
          )
        : '';
    const claim = (contentId: number): void => {
      if (contentId < 0) return;
      if (tag) tags.set(contentId, tag);
      if (alternative !== '') alternatives.set(contentId, alternative);
    };
    const ids = api.FPDF_StructElement_GetMarkedContentIdCount(element);
    for (let index = 0; index < ids; index++) {
      claim(api.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index));
    }
    const children = api.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < children; index++) {
      claim(api.FPDF_StructElement_GetChildMarkedContentID(element, index));
      visit(api.FPDF_StructElement_GetChildAtIndex(element, index), tag, depth + 1);
    }
  };

  try {
    const count = api.FPDF_StructTree_CountChildren(tree);
    for (let index = 0; index < count; index++) {
      visit(api.FPDF_StructTree_GetChildAtIndex(tree, index), undefined, 0);
    }
  } finally {
    api.FPDF_StructTree_Close(tree);
  }
  return {
    tagOf: (contentId) => tags.get(contentId),
    alternativeText: (contentId) => alternatives.get(contentId) ?? '',
  };
}
