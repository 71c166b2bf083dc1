import type { Block, Inline } from '../../layout/block.js';
import { breakLines, type Line } from './lines.js';
import { drawLine, PAGE, type Pages, TEXT_WIDTH } from './pages.js';
import type { Element } from './structure.js';

type Table = Extract<Block, { kind: 'table' }>;
const SIZE = 7.6;
const LEADING = SIZE * 1.36;
const PAD = 3.2;
/** Rows up to so many lines are kept whole when the next page has room for them. */
const KEPT = 14;
const RULE = '#c3cad3';

interface Row {
  readonly cells: readonly (readonly Line[])[];
  readonly lines: number;
}

/** What its caption, head and first row take, in points: they stay together. */
export function heightOfStart({ fonts }: Pages, table: Table): number {
  const points = pointsOf(table);
  const linesOf = (cells: readonly Inline[], face: 'text' | 'strong'): number =>
    Math.max(
      ...points.map(
        (width, at) =>
          breakLines(cells[at] ?? '', { width: width - 2 * PAD, style: { size: SIZE, face }, fonts }).length,
      ),
    );
  const caption = breakLines(table.caption, { width: TEXT_WIDTH, style: CAPTION, fonts });
  const head = linesOf(
    table.columns.map(({ title }) => title),
    'strong',
  );
  const [first] = table.rows;
  const kept = first ? Math.min(linesOf(first, 'text'), KEPT) : 1;
  return caption.length * 12 + 3 + heightOf(head) + heightOf(kept);
}

const CAPTION = { size: 8.6, face: 'strong' } as const;
const heightOf = (lines: number): number => lines * LEADING + 2 * PAD;

function pointsOf({ columns }: Table): readonly number[] {
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  return columns.map(({ width }) => (TEXT_WIDTH * width) / whole);
}

/** Draws a table over as many pages as it needs; the head is repeated, long rows go on overleaf. */
export function drawTable(pages: Pages, table: Table): void {
  const { doc, fonts } = pages;
  const widths = pointsOf(table);
  const columns = table.columns.map((column, at) => ({ ...column, points: widths[at]! }));
  const layOut = (cells: readonly Inline[], face: 'text' | 'strong'): Row => {
    const lines = columns.map(({ points }, at) =>
      breakLines(cells[at] ?? '', { width: points - 2 * PAD, style: { size: SIZE, face }, fonts }),
    );
    return { cells: lines, lines: Math.max(...lines.map(({ length }) => length), table.tall ? 3 : 1) };
  };
  const head = layOut(
    table.columns.map(({ title }) => title),
    'strong',
  );
  const element = pages.structure.element('Table');
  pages.structure.root.add(element);
  const caption = breakLines(table.caption, {
    width: TEXT_WIDTH,
    style: CAPTION,
    fonts,
  });
  // No head stands alone at the foot of a page.
  pages.need(heightOfStart(pages, table));
  const captionElement = pages.structure.element('Caption');
  element.add(captionElement);
  captionElement.add(() => {
    caption.forEach((line, at) => {
      drawLine(pages, line, { x: PAGE.left, baseline: pages.y + 9 + at * 12, size: 8.6 });
    });
  });
  captionElement.end();
  pages.y += caption.length * 12 + 3;

  drawRow(head, { from: 0, lines: head.lines, header: 'all', element });
  for (const cells of table.rows) {
    const row = layOut(cells, 'text');
    const fits = heightOf(row.lines) <= pages.left();
    if (!fits && row.lines <= KEPT) turn();
    const rowElement = pages.structure.element('TR');
    element.add(rowElement);
    const cellElements = columns.map((_, at) =>
      pages.structure.element(at === 0 ? 'TH' : 'TD', at === 0 ? scope('Row') : {}),
    );
    for (const cell of cellElements) rowElement.add(cell);
    for (let from = 0; from < row.lines; ) {
      let room = Math.floor((pages.left() - 2 * PAD) / LEADING);
      if (room < Math.min(2, row.lines - from)) {
        turn();
        room = Math.floor((pages.left() - 2 * PAD) / LEADING);
      }
      const lines = Math.min(row.lines - from, room);
      drawCells(row, { from, lines, elements: cellElements });
      from += lines;
    }
    for (const cell of cellElements) cell.end();
    rowElement.end();
  }
  element.end();
  pages.y += 12;

  function turn(): void {
    pages.newPage();
    // Repeated for the eye only: readers of the structure know the head already.
    pages.structure.artifact('Pagination', () => {
      paint(head, { from: 0, lines: head.lines, header: true });
    });
    pages.y += heightOf(head.lines);
  }

  function drawRow(
    row: Row,
    { from, lines, element: parent }: { from: number; lines: number; header: 'all'; element: Element },
  ): void {
    const rowElement = pages.structure.element('TR');
    parent.add(rowElement);
    const cells = columns.map(() => pages.structure.element('TH', scope('Column')));
    for (const cell of cells) rowElement.add(cell);
    pages.structure.artifact('Layout', () => {
      ground(heightOf(lines), true);
    });
    cells.forEach((cell, at) => {
      cell.add(() => paintCell(row, at, { from, lines }));
      cell.end();
    });
    rowElement.end();
    pages.y += heightOf(lines);
  }

  function drawCells(
    row: Row,
    {
      from,
      lines,
      elements,
    }: { readonly from: number; readonly lines: number; readonly elements: readonly Element[] },
  ): void {
    pages.structure.artifact('Layout', () => {
      ground(heightOf(lines), false);
    });
    elements.forEach((cell, at) => {
      if (row.cells[at]!.length > from) cell.add(() => paintCell(row, at, { from, lines }));
    });
    pages.y += heightOf(lines);
  }

  function paint(
    row: Row,
    part: { readonly from: number; readonly lines: number; readonly header: boolean },
  ): void {
    ground(heightOf(part.lines), part.header);
    columns.forEach((_, at) => {
      paintCell(row, at, part);
    });
  }

  function ground(height: number, header: boolean): void {
    if (header) doc.rect(PAGE.left, pages.y, TEXT_WIDTH, height).fill('#e9edf1');
    doc.lineWidth(0.5).strokeColor(RULE);
    doc.rect(PAGE.left, pages.y, TEXT_WIDTH, height).stroke();
    let x: number = PAGE.left;
    for (const { points } of columns.slice(0, -1)) {
      x += points;
      doc
        .moveTo(x, pages.y)
        .lineTo(x, pages.y + height)
        .stroke();
    }
  }

  function paintCell(
    row: Row,
    at: number,
    { from, lines }: { readonly from: number; readonly lines: number },
  ): void {
    const column = columns[at]!;
    const left = PAGE.left + columns.slice(0, at).reduce((sum, { points }) => sum + points, 0) + PAD;
    const width = column.points - 2 * PAD;
    row.cells[at]!.slice(from, from + lines).forEach((line, index) => {
      const baseline = pages.y + PAD + index * LEADING + SIZE;
      const x = column.align === 'right' ? left + width - line.width : left;
      drawLine(pages, line, { x, baseline, size: SIZE, ...(column.align === 'right' ? {} : { width }) });
    });
  }
}

/** Whom a header speaks for. PDFKit knows the option, its type description does not yet. */
const scope = (of: 'Row' | 'Column'): object => ({ scope: of });
