import { packageEntries, relatedEntries, type TestPart } from './office-files.js';
import { zipFile } from './zip-file.js';

const MAIN = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface TestSlide {
  /** What stands inside `p:spTree`. */
  readonly shapes: string;
  readonly hidden?: boolean;
  readonly parts?: readonly TestPart[];
}

/** A presentation of these slides; the file lists them last first, so that only the presentation tells the order. */
export function pptxFile(slides: readonly TestSlide[]): Buffer {
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
      `<p:presentation xmlns:p="${MAIN}" xmlns:r="${OFFICE}"><p:sldIdLst>${list.join('')}</p:sldIdLst></p:presentation>`,
      parts,
    ),
    ...related,
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
