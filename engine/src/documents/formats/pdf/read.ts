import type { BlockDraft } from '../../block.js';
import { DocumentError } from '../../document-error.js';
import type { DocumentDraft, FormatReader, ReadingContext } from '../../format-reader.js';
import { allHidden } from '../../hidden-ranges.js';
import type { ReadingHelp } from '../../reading-help.js';
import { processorSeconds } from '../../reading-process/processor-time.js';
import { findAlignedTables } from './aligned-tables.js';
import { blockDrafts, type EdgeText, type UnderstoodPage } from './block-drafts.js';
import { findFurniture, pageEdges } from './furniture.js';
import { findGrids } from './grids.js';
import { findHeadings } from './headings.js';
import { hiddenTexts } from './hidden-texts.js';
import { withDocument } from './open-document.js';
import { type OutlineEntry, readOutline } from './outline.js';
import { readPage } from './page.js';
import type { PageContent, Segment } from './page-content.js';
import { readProperties } from './properties.js';
import { judgeReadability } from './readability.js';
import { readingOrder } from './reading-order.js';
import { type Row, rowsOf } from './rows.js';
import { joinSplitRows } from './split-rows.js';
import { measureStyle } from './style.js';
import { isInside, type Table, tableOfGrid } from './tables.js';
import { textBlocks } from './text-blocks.js';
import { type IsTorn, tornWords } from './torn-words.js';

/** Letters whose places are kept at most: those of pages behind them have none. Two bytes each while the document is read. */
const MOST_PLACED = 8_000_000;
/** Part of the processor time of a reading after which no more places are kept: what can be read must be read with them as well. */
const TIME_FOR_PLACES = 0.4;

/** Another process is worth its start from so many pages on. */
const LONG = 32;

/** Reads PDF: pages as drawn, then tables, running headers, reading order, paragraphs, headings. */
export const pdfReader: FormatReader = { read };

async function read(bytes: Uint8Array, context: ReadingContext): Promise<DocumentDraft> {
  const clock = deadline(context.limits.maxProcessorSeconds, context.help);
  const file = await withDocument(bytes, async (pdfium, document) => {
    const pageCount = pdfium.api.FPDF_GetPageCount(document);
    if (pageCount <= 0)
      throw new DocumentError('empty', 'The PDF has no pages.', 'Export the document again.');
    if (pageCount > context.limits.maxPages) {
      throw new DocumentError(
        'too_large',
        `The PDF has ${pageCount} pages; at most ${context.limits.maxPages} are read.`,
        'Split the document into parts.',
      );
    }
    const tagged = pdfium.api.FPDFCatalog_IsTagged(document) !== 0;
    const pages: PageContent[] = [];
    const keepsPlaces = context.keepPlaces === true;
    let help = pageCount >= LONG ? context.help : undefined;
    help?.ask(pageCount);
    let letters = 0;
    for (let index = 0; index < pageCount; index++) {
      if (help) {
        await help.breathe();
        if (help.isTight()) {
          await help.end();
          help = undefined;
        }
      }
      clock.check(index + 1);
      checkMemory(pdfium.api.memory.buffer.byteLength, context.limits.maxMemoryMegabytes);
      const keepPlaces = keepsPlaces && letters < MOST_PLACED && clock.share() < TIME_FOR_PLACES;
      // Whoever helps keeps places on every page where they are kept at all.
      const taken = keepPlaces === keepsPlaces ? help?.take(index) : undefined;
      const page =
        (taken as PageContent | undefined) ?? readPage(pdfium, document, { index, tagged, keepPlaces });
      if (!page) {
        throw new DocumentError(
          'corrupt',
          `Page ${index + 1} of the PDF is damaged.`,
          'Open the file in a viewer and save or print it to a new PDF.',
          { page: index + 1 },
        );
      }
      letters += page.letters.drawn;
      pages.push(page);
      context.onProgress?.(index + 1, pageCount);
    }
    const ended = help?.end();
    const outline = readOutline(pdfium, document);
    const properties = readProperties(pdfium, document);
    await ended;
    return { pages, outline, properties };
  });
  const readable = judgeReadability(file.pages);
  const blocks = markRecognised([...understand(file, clock)], file.pages);
  if (blocks.length > context.limits.maxBlocks) {
    throw new DocumentError(
      'too_complex',
      `The PDF has more than ${context.limits.maxBlocks} blocks of text.`,
      'Split the document into parts.',
    );
  }
  return {
    blocks,
    properties: file.properties,
    pageCount: file.pages.length,
    notes: readable,
    ...(context.keepPlaces
      ? {
          pages: file.pages.map(({ width, height, turn }) => ({
            width: Math.max(1, width),
            height: Math.max(1, height),
            turn,
          })),
        }
      : {}),
  };
}

/** All blocks of pages whose text was recognised from a picture. */
function markRecognised(blocks: BlockDraft[], pages: readonly PageContent[]): BlockDraft[] {
  const recognised = new Set(pages.filter((page) => page.recognised).map((page) => page.number));
  if (recognised.size === 0) return blocks;
  return blocks.map((block) => {
    if (!recognised.has(block.location.page ?? 0) || block.kind === 'comment' || block.hidden) return block;
    if (!block.cells) return { ...block, hidden: allHidden(block.text, 'recognised') };
    const cells = block.cells.map((cell) => ({ ...cell, hidden: allHidden(cell.text, 'recognised') }));
    return { ...block, cells };
  });
}

/** From drawn pages to blocks. */
function understand(
  file: { readonly pages: readonly PageContent[]; readonly outline: readonly OutlineEntry[] },
  clock: Deadline,
): Iterable<BlockDraft> {
  const { pages, outline } = file;
  const parted: PartedPage[] = [];
  const isTorn = tornWords(pages);
  for (const page of pages) {
    clock.check(page.number);
    parted.push(partTables(page, { before: parted.at(-1)?.tables.at(-1), isTorn }));
  }
  const furniture = findFurniture(parted.map(({ page, rows, tables }) => pageEdges(page, rows, tables)));
  const contents = { inToc: false };
  const flows = parted.map(({ page, rows, tables }) => {
    clock.check(page.number);
    const kept = rows.filter((row) => !furniture.has(row));
    const keptTables = tables.filter((table) => !furniture.has(table));
    return findAlignedTables(readingOrder(kept, keptTables, page.pictures), page.rules.horizontal, contents);
  });
  const style = measureStyle(flows);
  const state = { inToc: false };
  const understood = parted.map(({ page, rows, tables }, index): UnderstoodPage => {
    const place = { number: page.number, horizontal: page.rules.horizontal };
    const items = textBlocks(flows[index]!, place, { style, state });
    const edge = (kind: 'page_header' | 'page_footer'): EdgeText[] =>
      [...rows, ...tables].filter((item) => furniture.get(item) === kind).flatMap(edgeTexts);
    return {
      number: page.number,
      headers: edge('page_header'),
      items,
      footers: edge('page_footer'),
      comments: page.comments,
      hidden: hiddenTexts(page),
    };
  });
  const levels = findHeadings(
    understood.map((page) => page.items),
    { style, outline },
  );
  return blockDrafts(joinSplitRows(understood), { style, levels });
}

interface PartedPage {
  readonly page: PageContent;
  readonly rows: readonly Row[];
  readonly tables: readonly Table[];
}

/** Takes what stands in ruled tables out of the page; the rest is grouped by baseline. */
function partTables(
  page: PageContent,
  context: { readonly before: Table | undefined; readonly isTorn: IsTorn },
): PartedPage {
  const grids = findGrids(page.rules);
  if (grids.length === 0) return { page, rows: rowsOf(page.segments), tables: [] };
  const inside = grids.map((): Segment[] => []);
  const rest: Segment[] = [];
  for (const segment of page.segments) {
    const index = grids.findIndex((grid) => isInside(segment, grid));
    (inside[index] ?? rest).push(segment);
  }
  const tables: Table[] = [];
  grids.forEach((grid, index) => {
    const table = tableOfGrid(grid, inside[index]!, context);
    if (table) tables.push(table);
    else rest.push(...inside[index]!);
  });
  return { page, rows: rowsOf(rest), tables };
}

function edgeTexts(item: Row | Table): EdgeText[] {
  if ('segments' in item) return [item];
  return item.rows.map(({ cells }) => ({
    text: cells
      .map((cell) => cell.text)
      .filter((text) => text !== '')
      .join(' '),
    segments: cells.flatMap(({ segments }) => segments),
  }));
}

interface Deadline {
  /** Throws when the time is over. */
  check(page: number): void;
  /** How much of the time is over, from 0 to 1. */
  share(): number;
}

const LOOK_EVERY_MILLISECONDS = 25;

/** A little earlier than the process is ended, so that the page can be told. */
function deadline(seconds: number, help: ReadingHelp | undefined): Deadline {
  const begin = processorSeconds();
  const most = seconds * 0.95;
  const taken = () => processorSeconds() - begin + (help?.seconds() ?? 0);
  let looked = Number.NEGATIVE_INFINITY;
  return {
    share: () => taken() / most,
    check(page) {
      // Asking for the processor time takes as long as a tenth of a page: the lock of all threads is asked for.
      if (performance.now() - looked < LOOK_EVERY_MILLISECONDS) return;
      looked = performance.now();
      if (taken() <= most) return;
      throw new DocumentError(
        'timed_out',
        `Reading the PDF takes more than ${Math.round(seconds)} seconds of processor time; it was stopped at page ${page}.`,
        'Split the document into parts, or save it anew from its source.',
        { page },
      );
    },
  };
}

function checkMemory(bytes: number, megabytes: number): void {
  if (bytes <= megabytes * 1024 * 1024) return;
  throw new DocumentError(
    'out_of_memory',
    `The PDF needs more than ${megabytes} MB to be read.`,
    'Save the document anew from its source, or split it.',
  );
}
