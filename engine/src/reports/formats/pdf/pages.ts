import { runningLine } from '../../layout/frame.js';
import { COLOURS } from '../../pictures/colours.js';
import type { Report } from '../../report.js';
import type { ReportWords } from '../../report-words.js';
import type { Fonts } from './fonts.js';
import { breakLines, type Line, SOFT } from './lines.js';
import type { Element, Structure } from './structure.js';

/** A4 in points, with margins that a punch and a hand need. */
export const PAGE = { width: 595.28, height: 841.89, left: 52, right: 48, top: 62, bottom: 62 } as const;
export const TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
const SMALL = 7;

type Doc = PDFKit.PDFDocument;

/** Where the pen stands, and the pages under it. Nothing is kept of a page once it is full. */
export interface Pages {
  readonly doc: Doc;
  readonly fonts: Fonts;
  readonly structure: Structure;
  y: number;
  readonly number: number;
  /** Points left on the page. */
  left(): number;
  newPage(): void;
  /** Begins a new page unless so many points are left. */
  need(height: number): void;
  /** A number that is not known yet, drawn where the pen is; see `fill`. */
  later(key: string, x: number, y: number): void;
  /** Says what stands at the places of a key. */
  fill(key: string, text: string): void;
  /** Writes the last page numbers. */
  end(): void;
}

export function openPages(
  doc: Doc,
  {
    report,
    words,
    fonts,
    structure,
  }: {
    readonly report: Report;
    readonly words: ReportWords;
    readonly fonts: Fonts;
    readonly structure: Structure;
  },
): Pages {
  const { top, bottom } = runningLine(report, words);
  const places = new Map<string, PDFKit.PDFKitReference>();
  const numerals = fonts.embedded('text');
  let number = 0;

  const line = (text: string, width: number): Line =>
    breakLines(text, { width, style: { size: SMALL, colour: SOFT }, fonts })[0]!;
  const placeOf = (key: string): PDFKit.PDFKitReference => {
    let place = places.get(key);
    if (!place) {
      place = doc.ref({
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, -4, 60, 12],
        Resources: { Font: { N: numerals.reference } },
      });
      places.set(key, place);
    }
    return place;
  };

  const pages: Pages = {
    doc,
    fonts,
    structure,
    y: PAGE.top,
    get number() {
      return number;
    },
    left: () => PAGE.height - PAGE.bottom - pages.y,
    newPage() {
      doc.addPage({ size: [PAGE.width, PAGE.height], margin: 0 });
      number++;
      pages.y = PAGE.top;
      structure.artifact('Pagination', () => {
        drawLine(pages, line(top, TEXT_WIDTH), { x: PAGE.left, baseline: PAGE.top - 24, size: SMALL });
        const low = PAGE.height - PAGE.bottom + 28;
        drawLine(pages, line(bottom, TEXT_WIDTH - 90), { x: PAGE.left, baseline: low, size: SMALL });
        const [before = '', after = ''] = words.text('page', { page: number }).split('{pages}');
        const start = PAGE.width - PAGE.right - 26 - fonts.width(before + after, 'text', SMALL);
        drawLine(pages, line(before.trimEnd(), 200), { x: start, baseline: low, size: SMALL });
        pages.later('pages', start + fonts.width(before, 'text', SMALL), low);
        doc.lineWidth(0.5).strokeColor('#9aa5b1');
        doc
          .moveTo(PAGE.left, low - 12)
          .lineTo(PAGE.width - PAGE.right, low - 12)
          .stroke();
      });
    },
    need(height) {
      if (pages.left() < height) pages.newPage();
    },
    later(key, x, y) {
      doc.page.xobjects[`Later-${key}`] = placeOf(key);
      doc.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} cm /Later-${key} Do Q`);
    },
    fill(key, text) {
      const place = places.get(key);
      places.delete(key);
      place?.end(Buffer.from(`0.263 0.314 0.365 rg BT /N ${SMALL} Tf ${numerals.encode(text)} Tj ET`));
    },
    end() {
      pages.fill('pages', String(number));
      for (const key of [...places.keys()]) pages.fill(key, '');
    },
  };
  pages.newPage();
  return pages;
}

/** Draws a line of text on its baseline. `width`: right-to-left lines end there. */
export function drawLine(
  { doc }: Pick<Pages, 'doc'>,
  line: Line,
  {
    x,
    baseline,
    size,
    width,
  }: { readonly x: number; readonly baseline: number; readonly size: number; readonly width?: number },
): void {
  let at = line.rightToLeft && width !== undefined ? x + width - line.width : x;
  for (const run of line.runs) {
    let inset = 0;
    if (run.mark) {
      const { paper, text } = COLOURS[run.mark];
      doc.lineWidth(0.4);
      doc.roundedRect(at, baseline - size * 0.95, run.width, size * 1.3, 1.5).fillAndStroke(paper, text);
      inset = size * 0.4;
    }
    if (run.text.trim() !== '') {
      doc.font(run.face).fontSize(size).fillColor(run.colour);
      doc.text(run.text, at + inset, baseline, { lineBreak: false, baseline: 'alphabetic' });
    }
    at += run.width;
  }
}

/** Draws lines one below the other, over pages where needed, as content of one element. */
export function flowLines(
  pages: Pages,
  lines: readonly Line[],
  {
    element,
    x,
    width,
    size,
    leading = 1.42,
    onPage,
  }: {
    readonly element: Element;
    readonly x: number;
    readonly width: number;
    readonly size: number;
    readonly leading?: number;
    /** Called for each stretch that stands on one page, with its top and height. */
    readonly onPage?: (top: number, height: number) => void;
  },
): void {
  const height = size * leading;
  for (let from = 0; from < lines.length; ) {
    pages.need(height);
    const count = Math.max(1, Math.min(lines.length - from, Math.floor(pages.left() / height)));
    const top = pages.y;
    const part = lines.slice(from, from + count);
    element.add(() => {
      onPage?.(top, count * height);
      part.forEach((line, index) => {
        drawLine(pages, line, { x, baseline: top + index * height + size * 1.05, size, width });
      });
    });
    pages.y += count * height;
    from += count;
  }
}
