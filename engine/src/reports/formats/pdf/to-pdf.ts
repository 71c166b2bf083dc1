import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { Block } from '../../layout/block.js';
import { type ContentsEntry, headingsOf, writeReport } from '../../layout/write-report.js';
import type { Report } from '../../report.js';
import type { ReportWords } from '../../report-words.js';
import { type ToldOfWriting, watched } from '../../watched.js';
import { drawBlock, drawFacts, drawHeading, drawParagraph, within } from './blocks.js';
import { openFonts } from './fonts.js';
import { breakLines } from './lines.js';
import { drawLine, flowLines, openPages, PAGE, type Pages, TEXT_WIDTH } from './pages.js';
import { openStructure, withoutStructure } from './structure.js';
import { heightOfStart } from './table.js';

/** Finished pages are given away after so many blocks. */
const BLOCKS_PER_TURN = 200;
/** Findings that are told in full; nobody turns more than a thousand pages, and drawing them takes minutes. */
const DETAILED = 2_000;
/** Findings, results and matrix rows up to which the file has structure and a bookmark for each finding. */
const TAGGED_ROWS = 6_000;

/**
 * A PDF with bookmarks, page numbers and structure for assistive technology. Of very many findings the most severe are
 * told in full and the others stand in a table, which the report says; the other formats have all of each. Pages are given away as soon as they are
 * full; what cannot be drawn with the fonts at hand appears as □ and is counted on the last page.
 */
export async function* toPdf(
  report: Report,
  words: ReportWords,
  onProgress?: ToldOfWriting,
): AsyncGenerator<Uint8Array> {
  const made = new Date(report.createdAt);
  const isTagged = rowsOf(report) <= TAGGED_ROWS;
  const doc = new PDFDocument({
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: isTagged,
    lang: report.language,
    displayTitle: true,
    info: {
      Title: report.title,
      Author: report.author ?? report.tool.name,
      Subject: words.text('notice'),
      Creator: `${report.tool.name} ${report.tool.version}`,
      Producer: `${report.tool.name} ${report.tool.version}`,
      CreationDate: made,
      ModDate: made,
    },
  });
  const fonts = openFonts(doc);
  const structure = isTagged ? openStructure(doc) : withoutStructure();
  const pages = openPages(doc, { report, words, fonts, structure });
  const bookmarks = openBookmarks(doc);
  let count = 0;
  let headings: Extract<Block, { kind: 'heading' }>[] = [];
  for (const block of watched(() => writeReport(report, words, DETAILED), onProgress)) {
    if (block.kind === 'heading') {
      headings.push(block);
      continue;
    }
    const start = block.kind === 'table' ? heightOfStart(pages, block) : 0;
    for (const [at, heading] of headings.entries()) {
      drawHeading(pages, heading, start + (headings.length - 1 - at) * ROOM_OF_HEADING);
      pages.fill(heading.id, String(pages.number));
      if (isTagged || heading.level < 3) bookmarks.add(heading);
    }
    headings = [];
    if (block.kind === 'cover') drawCover(pages, block);
    else if (block.kind === 'contents') drawContents(pages, headingsOf(report, words), block.title);
    else drawBlock(pages, block);
    if (++count % BLOCKS_PER_TURN === 0) {
      yield* whatIsThere(doc);
      await nextTurn();
    }
  }
  if (fonts.missing > 0) {
    drawParagraph(pages, words.text('not_printable', { count: words.number(fonts.missing) }));
  }
  pages.end();
  pages.structure.root.end();
  doc.end();
  for await (const chunk of doc) yield chunk as Uint8Array;
}

/** What a heading of the second level takes, in points. */
const ROOM_OF_HEADING = 36;

function rowsOf({ parts }: Report): number {
  return parts.reduce(
    (sum, { findings, results, trace }) =>
      sum + findings.length + results.length + (trace?.matrix.length ?? 0),
    0,
  );
}

function* whatIsThere(doc: PDFKit.PDFDocument): Generator<Uint8Array> {
  for (let chunk = doc.read(); chunk !== null; chunk = doc.read()) yield chunk as Uint8Array;
}

function openBookmarks(doc: PDFKit.PDFDocument) {
  const at: PDFKit.PDFOutline[] = [doc.outline];
  return {
    add({ level, text }: Extract<Block, { kind: 'heading' }>): void {
      const parent = at[Math.min(level, at.length) - 1]!;
      at.length = Math.min(level, at.length);
      at.push(parent.addItem(text, { expanded: level < 2 }));
    },
  };
}

function drawCover(pages: Pages, block: Extract<Block, { kind: 'cover' }>): void {
  const { fonts, doc } = pages;
  const width = TEXT_WIDTH;
  pages.y = 170;
  pages.structure.artifact('Layout', () => {
    doc.rect(PAGE.left, pages.y - 26, 64, 5).fill('#29487f');
  });
  const title = breakLines(block.title, { width, style: { size: 25, face: 'strong' }, fonts });
  within(pages, 'H1', (element) =>
    flowLines(pages, title, { element, x: PAGE.left, width, size: 25, leading: 1.2 }),
  );
  pages.y += 4;
  drawParagraph(pages, block.lead, 12);
  pages.y += 26;
  drawFacts(pages, block.facts, 9.6);
  pages.y += 14;
  const notice = breakLines(block.notice, { width: width - 20, style: { size: 10, face: 'strong' }, fonts });
  const height = notice.length * 14.2 + 14;
  pages.need(height);
  pages.structure.artifact('Layout', () => {
    doc.lineWidth(0.8).strokeColor('#43505d').rect(PAGE.left, pages.y, width, height).stroke();
  });
  pages.y += 7;
  within(pages, 'P', (element) => {
    flowLines(pages, notice, { element, x: PAGE.left + 10, width: width - 20, size: 10 });
  });
}

/** Page numbers are filled in when the headings come. */
function drawContents(pages: Pages, entries: readonly ContentsEntry[], title: string): void {
  pages.newPage();
  const { doc, fonts } = pages;
  const heading = breakLines(title, { width: TEXT_WIDTH, style: { size: 17, face: 'strong' }, fonts });
  within(pages, 'H1', (element) =>
    flowLines(pages, heading, { element, x: PAGE.left, width: TEXT_WIDTH, size: 17 }),
  );
  pages.y += 8;
  // Chapters alone need no space between them.
  const space = entries.some(({ level }) => level === 2) ? 6 : 2;
  within(pages, 'TOC', (list) => {
    for (const { id, text, level } of entries) {
      const x = PAGE.left + (level - 1) * 16;
      const width = TEXT_WIDTH - 40 - (level - 1) * 16;
      const size = level === 1 ? 10 : 8.8;
      const face = level === 1 ? 'strong' : 'text';
      const lines = breakLines(text, { width, style: { size, face }, fonts });
      const height = lines.length * size * 1.42;
      pages.need(height + (level === 1 ? space : 0));
      if (level === 1) pages.y += space;
      const top = pages.y;
      const item = pages.structure.element('TOCI');
      list.add(item);
      item.add(() => {
        lines.forEach((line, at) => {
          drawLine(pages, line, { x, baseline: top + at * size * 1.42 + size * 1.05, size });
        });
        const place = top + (lines.length - 1) * size * 1.42 + size * 1.05;
        pages.later(id, PAGE.width - PAGE.right - 24, place);
        doc.goTo(x, top, TEXT_WIDTH - (level - 1) * 16, height, id);
      });
      item.end();
      pages.y += height;
    }
  });
  // What follows is for readers who read one page only: it has a page of its own.
  pages.y = PAGE.height - PAGE.bottom;
}
