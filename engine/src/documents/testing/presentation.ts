import { packageEntries, relatedEntries, type TestPart } from './office-files.js';
import { type TestEntry, zipFile } from './zip-file.js';

const MAIN = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface TestSlide {
  /** What stands inside `p:spTree`. */
  readonly shapes: string;
  readonly hidden?: boolean;
  readonly parts?: readonly TestPart[];
}

/** What the slides of a presentation are drawn on. */
export interface TestDesign {
  /** What stands inside the master and its layout: backgrounds and shapes. */
  readonly master?: string;
  readonly layout?: string;
}

const THEME = `<a:theme xmlns:a="${DRAWING}"><a:themeElements><a:clrScheme name="x"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="4472C4"/></a:accent1></a:clrScheme><a:fmtScheme><a:bgFillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill><a:gradFill/></a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
const CLEAR = '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>';

/** A presentation of one slide, 4000 by 3000 units, with layout and master; its theme is black on white. */
export function designedPptxFile(shapes: string, { master = CLEAR, layout = '' }: TestDesign = {}): Buffer {
  const layoutPart = { path: 'layout.xml', type: 'slideLayout', content: drawn('sldLayout', layout) };
  const mapping = '<p:clrMap bg1="lt1" tx1="dk1" accent1="accent1"/>';
  const masterPart = {
    path: 'master.xml',
    type: 'slideMaster',
    content: drawn('sldMaster', master, mapping),
  };
  return pptxFile([{ shapes, parts: [layoutPart] }], {
    size: '<p:sldSz cx="4000" cy="3000"/>',
    more: [
      ...relatedEntries('ppt/slides/layout.xml', [masterPart]),
      ...relatedEntries('ppt/slides/master.xml', [{ path: 'theme.xml', type: 'theme', content: THEME }]),
    ],
  });
}

/** A part of a design; `content` stands inside its slide: background, then shapes. */
const drawn = (element: string, content: string, after = '') =>
  `<p:${element} xmlns:p="${MAIN}" xmlns:a="${DRAWING}"><p:cSld>${content}</p:cSld>${after}</p:${element}>`;

/** A presentation of these slides; the file lists them last first, so that only the presentation tells the order. */
export function pptxFile(
  slides: readonly TestSlide[],
  { size = '', more = [] }: { readonly size?: string; readonly more?: readonly TestEntry[] } = {},
): Buffer {
  const parts = slides.map((slide, index) => ({
    path: `slides/slide${slides.length - index}.xml`,
    type: 'slide',
    content: slidePart('sld', slide.shapes, slide.hidden ? ' show="0"' : ''),
  }));
  const list = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  const related = slides.flatMap((slide, index) =>
    relatedEntries(`ppt/slides/slide${slides.length - index}.xml`, slide.parts ?? []),
  );
  return zipFile([
    ...packageEntries(
      'ppt/presentation.xml',
      'presentationml.presentation',
      `<p:presentation xmlns:p="${MAIN}" xmlns:r="${OFFICE}"><p:sldIdLst>${list.join('')}</p:sldIdLst>${size}</p:presentation>`,
      parts,
    ),
    ...related,
    ...more,
  ]);
}

/** A slide, its notes or a layout: `sld`, `notes`. */
export function slidePart(element: string, shapes: string, attributes = ''): string {
  return `<p:${element} xmlns:p="${MAIN}" xmlns:a="${DRAWING}"${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${element}>`;
}

/** A shape; `placeholder` is what stands inside `p:nvPr`. */
export function shape(paragraphs: string, placeholder = ''): string {
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" descr="not a picture"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

export function textLine(text: string, properties = ''): string {
  return `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
}
