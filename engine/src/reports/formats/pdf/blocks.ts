import type { Block, Inline } from '../../layout/block.js';
import { draw } from '../../pictures/drawing.js';
import type { Picture } from '../../pictures/picture.js';
import { breakLines, INK, SOFT } from './lines.js';
import { drawLine, flowLines, PAGE, type Pages, TEXT_WIDTH } from './pages.js';
import type { Element } from './structure.js';
import { drawTable } from './table.js';

const BODY = 9;
const LABEL_WIDTH = 118;

/** Draws a block where the pen is; cover and contents are drawn by `to-pdf`. */
export function drawBlock(
  pages: Pages,
  block: Exclude<Block, { kind: 'cover' | 'contents' | 'heading' }>,
): void {
  switch (block.kind) {
    case 'paragraph':
      drawParagraph(pages, block.text);
      break;
    case 'facts':
      drawFacts(pages, block.rows);
      break;
    case 'table':
      drawTable(pages, block);
      break;
    case 'quote':
      drawQuote(pages, block);
      break;
    case 'picture':
      drawPicture(pages, block.picture);
      break;
  }
}

export function within(pages: Pages, type: string, write: (element: Element) => void, options = {}): void {
  const element = pages.structure.element(type, options);
  pages.structure.root.add(element);
  write(element);
  element.end();
}

export function drawParagraph(pages: Pages, text: Inline, size = BODY): void {
  const lines = breakLines(text, { width: TEXT_WIDTH, style: { size }, fonts: pages.fonts });
  within(pages, 'P', (element) =>
    flowLines(pages, lines, { element, x: PAGE.left, width: TEXT_WIDTH, size }),
  );
  pages.y += 6;
}

/** Labels on the left, values on the right. */
export function drawFacts(pages: Pages, rows: readonly (readonly [string, Inline])[], size = BODY): void {
  const width = TEXT_WIDTH - LABEL_WIDTH;
  const { fonts } = pages;
  within(pages, 'L', (list) => {
    for (const [label, value] of rows) {
      const labels = breakLines(label, { width: LABEL_WIDTH - 10, style: { size, colour: SOFT }, fonts });
      const values = breakLines(value, { width, style: { size }, fonts });
      pages.need(Math.max(labels.length, Math.min(values.length, 2)) * size * 1.42);
      const item = pages.structure.element('LI');
      list.add(item);
      const labelElement = pages.structure.element('Lbl');
      item.add(labelElement);
      const top = pages.y;
      const page = pages.number;
      flowLines(pages, labels, { element: labelElement, x: PAGE.left, width: LABEL_WIDTH, size });
      labelElement.end();
      const low = pages.y;
      pages.y = top;
      const body = pages.structure.element('LBody');
      item.add(body);
      flowLines(pages, values, { element: body, x: PAGE.left + LABEL_WIDTH, width, size });
      body.end();
      item.end();
      if (pages.number === page) pages.y = Math.max(pages.y, low);
      pages.y += 1.5;
    }
  });
  pages.y += 6;
}

function drawQuote(pages: Pages, block: Extract<Block, { kind: 'quote' }>): void {
  const inset = 12;
  const width = TEXT_WIDTH - inset;
  const { doc, fonts } = pages;
  const bar = (top: number, height: number): void => {
    doc.rect(PAGE.left + 2, top + 1, 2, height).fill('#9aa5b1');
  };
  const lines = block.text === '' ? [] : breakLines(block.text, { width, style: { size: 8.6 }, fonts });
  const source = breakLines(
    [block.role, { text: ` ${block.source}${block.note === undefined ? '' : ` – ${block.note}`}` }],
    { width, style: { size: 7.6, colour: SOFT }, fonts },
  );
  // A quote without its place is worth little: short ones stay together with it.
  pages.need(Math.min(lines.length, 6) * 8.6 * 1.42 + source.length * 7.6 * 1.5);
  within(pages, 'BlockQuote', (element) => {
    flowLines(pages, lines, { element, x: PAGE.left + inset, width, size: 8.6, onPage: bar });
  });
  within(pages, 'P', (element) => {
    flowLines(pages, source, { element, x: PAGE.left + inset, width, size: 7.6, leading: 1.5, onPage: bar });
  });
  pages.y += 6;
}

function drawPicture(pages: Pages, picture: Picture): void {
  const { width, height, shapes } = draw(picture);
  const { doc, fonts } = pages;
  const scale = Math.min(TEXT_WIDTH / width, (PAGE.height - PAGE.top - PAGE.bottom - 30) / height);
  pages.need(height * scale + 24);
  const left = PAGE.left;
  const top = pages.y;
  within(
    pages,
    'Figure',
    (element) => {
      element.add(() => {
        doc.save();
        doc.translate(left, top).scale(scale);
        for (const shape of shapes) {
          if (shape.kind === 'box') {
            doc.rect(shape.x, shape.y, shape.width, shape.height);
            if (shape.line === undefined) doc.fill(shape.fill);
            else doc.lineWidth(0.6).fillAndStroke(shape.fill, shape.line);
          } else if (shape.kind === 'line') {
            doc.lineWidth(0.7).strokeColor(shape.colour);
            doc
              .moveTo(...shape.from)
              .lineTo(...shape.to)
              .stroke();
          } else {
            const face = shape.strong ? 'strong' : 'text';
            const style = { size: shape.size, colour: shape.colour, face } as const;
            const text = cut(shape.text, (one) => fonts.width(one, face, shape.size) <= shape.width);
            const line = breakLines(text, { width: 1e6, style, fonts })[0]!;
            const shift = { left: 0, middle: line.width / 2, right: line.width }[shape.align];
            drawLine(pages, line, { x: shape.x - shift, baseline: shape.y, size: shape.size });
          }
        }
        doc.restore();
      });
    },
    { alt: `${picture.title}. ${picture.alt}` },
  );
  pages.y = top + height * scale + 10;
}

function cut(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const letters = [...text];
  let most = letters.length - 1;
  while (most > 1 && !fits(`${letters.slice(0, most).join('')}…`)) most--;
  return `${letters.slice(0, most).join('')}…`;
}

const HEADINGS = {
  1: { size: 17, before: 0, after: 10, keep: 120 },
  2: { size: 12.5, before: 12, after: 6, keep: 90 },
  3: { size: 9.6, before: 11, after: 4, keep: 74 },
} as const;

/** Share of a page that has to be left for a chapter to begin on it. */
const EARLY = 0.5;

/**
 * A heading never stands alone at the end of a page: `below` is what the beginning of what follows takes, in points. Chapters
 * begin a new page unless most of the page is free.
 */
export function drawHeading(pages: Pages, block: Extract<Block, { kind: 'heading' }>, below: number): void {
  const { size, before, after, keep } = HEADINGS[block.level];
  const isEarly = pages.left() > (PAGE.height - PAGE.top - PAGE.bottom) * EARLY;
  if (block.level === 1 && pages.y > PAGE.top) {
    if (isEarly) pages.y += 26;
    else pages.newPage();
  } else if (pages.y > PAGE.top) pages.y += before;
  const spans = [
    { text: block.text, strong: true as const },
    ...(block.marks ?? []).flatMap((mark) => [{ text: '  ' }, mark]),
  ];
  const heading = breakLines(block.text, {
    width: TEXT_WIDTH,
    style: { size, face: 'strong', colour: INK },
    fonts: pages.fonts,
  });
  const marks = block.marks
    ? breakLines(spans.slice(1), { width: TEXT_WIDTH, style: { size: 7.6 }, fonts: pages.fonts })
    : [];
  pages.need(heading.length * size * 1.3 + marks.length * 12 + Math.max(keep, below));
  pages.doc.addNamedDestination(
    block.id,
    'XYZ',
    null as unknown as number,
    pages.y - 8,
    null as unknown as number,
  );
  within(pages, `H${block.level}`, (element) => {
    flowLines(pages, heading, { element, x: PAGE.left, width: TEXT_WIDTH, size, leading: 1.3 });
  });
  if (marks.length > 0) {
    pages.y += 2;
    within(pages, 'P', (element) => {
      flowLines(pages, marks, { element, x: PAGE.left, width: TEXT_WIDTH, size: 7.6, leading: 1.55 });
    });
  }
  pages.y += after;
}
