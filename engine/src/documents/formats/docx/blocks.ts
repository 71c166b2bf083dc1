import type { BlockDraft, BlockKind } from '../../block.js';
import { cleanText } from '../../clean-text.js';
import { allHidden } from '../../hidden-ranges.js';
import { findTableHeader } from '../../table-header.js';
import { isCaption, isTocEntry } from '../../text-patterns.js';
import type { Numbering } from './numbering.js';
import type { StoryCell, StoryItem, StoryParagraph, StoryTable } from './story-items.js';
import type { Styles } from './styles.js';

/** Longer paragraphs in a heading style are text that somebody formatted as a heading. */
const MAX_HEADING_LENGTH = 300;

/** A block whose section is not known yet. */
export interface UnplacedBlock extends BlockDraft {
  /** The whole paragraph is bold: perhaps a heading in a document without heading styles. */
  bold?: boolean;
}

export interface BlockContext {
  readonly styles: Styles;
  readonly numbering: Numbering;
  /** Footnotes and comments by reference (`footnote 2`); each is given out once, where it is first referred to. */
  readonly attached: Map<string, readonly StoryItem[]>;
  nextTable: number;
  readonly push: (block: UnplacedBlock) => void;
}

/** Turns paragraphs and tables into blocks, each followed by what is anchored to it. */
export function pushItem(context: BlockContext, item: StoryItem): void {
  if (item.kind === 'table') {
    pushTable(context, item);
    return;
  }
  const text = cleanText(item.text);
  if (text) context.push(paragraphBlock(context, item, text));
  pushHidden(context, item);
  pushAnchored(context, item);
}

/** What nobody sees of a paragraph stands behind it, so that it changes nothing of what is seen. */
function pushHidden(context: BlockContext, { hidden, page }: StoryParagraph): void {
  for (const { reason, text } of hidden) {
    const own = cleanText(text);
    if (own)
      context.push({ kind: 'paragraph', text: own, location: { page }, hidden: allHidden(own, reason) });
  }
}

function paragraphBlock(context: BlockContext, item: StoryParagraph, text: string): UnplacedBlock {
  const style = context.styles.byId(item.styleId);
  const location = { page: item.page };
  const block = (kind: BlockKind, level?: number): UnplacedBlock => ({
    kind,
    text,
    location,
    ...(level === undefined ? {} : { level }),
    ...(item.boldCharacters >= text.replace(/\s/g, '').length ? { bold: true } : {}),
  });
  const contents =
    /^(?:toc|contents(?= \d| heading)|verzeichnis|table of figures|abbildungsverzeichnis)\s*(\d?)/.exec(
      style.name,
    );
  if (item.inContents || contents || isTocEntry(text)) return block('toc_entry', Number(contents?.[1]) || 1);
  const level = headingLevel(context, item);
  if (level && text.length <= MAX_HEADING_LENGTH) return block('heading', level);
  if (/^(?:caption|beschriftung)$/.test(style.name) || (item.numbered && text.length <= MAX_HEADING_LENGTH)) {
    return block('caption');
  }
  const depth = listDepth(context, item);
  if (depth) return block('list_item', depth);
  return block(isCaption(text) ? 'caption' : 'paragraph');
}

function headingLevel(context: BlockContext, item: StoryParagraph): number | undefined {
  if (item.outlineLevel !== undefined) return item.outlineLevel <= 8 ? item.outlineLevel + 1 : undefined;
  return context.styles.byId(item.styleId).headingLevel;
}

function listDepth(context: BlockContext, item: StoryParagraph): number | undefined {
  const style = context.styles.byId(item.styleId);
  const numbering = item.numberingId ?? style.numberingId;
  const named = /^list(?: bullet| number)?(?: (\d))?$/.exec(style.name);
  if (numbering === '0' || (numbering === undefined && (!named || style.name === 'list'))) return undefined;
  const tied =
    numbering && item.styleId ? context.numbering.levelOfStyle(numbering, item.styleId) : undefined;
  const level = item.listLevel ?? style.listLevel ?? tied ?? Number(named?.[1] ?? 1) - 1;
  return Math.max(0, Math.min(level, 8)) + 1;
}

/** Pictures, text boxes, footnotes and comments, in that order. */
function pushAnchored(context: BlockContext, item: StoryParagraph): void {
  for (const figure of item.figures) {
    context.push({ kind: 'figure', text: cleanText(figure), location: { page: item.page } });
  }
  for (const box of item.boxes) pushItem(context, box);
  for (const reference of item.references) pushReferred(context, reference, item.page);
}

function pushReferred(context: BlockContext, reference: string, page: number): void {
  const attached = context.attached.get(reference);
  if (!attached) return;
  context.attached.delete(reference);
  const kind = reference.startsWith('comment') ? 'comment' : 'paragraph';
  for (const text of attached.map((item) => plainText(item))) {
    if (text) context.push({ kind, text, location: { page } });
  }
}

/** All text of an item in one line. */
export function plainText(item: StoryItem): string {
  if (item.kind === 'paragraph') {
    return [cleanText(item.text), ...item.boxes.map(plainText)].filter(Boolean).join(' ');
  }
  const cells = item.rows.filter((row) => !row.deleted).flatMap((row) => row.cells);
  return cells.map(cellText).filter(Boolean).join(' ');
}

function cellText(cell: StoryCell): string {
  return cell.continuation ? '' : cell.items.map(plainText).filter(Boolean).join(' ');
}

function pushTable(context: BlockContext, table: StoryTable): void {
  const rows = table.rows.filter((row) => !row.deleted);
  if (isFrame(context, table)) {
    for (const cell of rows.flatMap((row) => row.cells))
      for (const item of cell.items) pushItem(context, item);
    return;
  }
  const id = context.nextTable++;
  const texts = rows.map((row) => row.cells.map(cellText));
  const stated = rows.findIndex((row) => !row.header);
  const headerRows = Math.max(0, stated);
  const header =
    headerRows > 0
      ? { first: 0, count: headerRows }
      : findTableHeader(
          rows.map((row, rowIndex) =>
            row.cells.map((cell, cellIndex) => ({
              text: texts[rowIndex]![cellIndex]!,
              column: cell.column,
              span: cell.span,
              emphasised: cell.shaded || isBold(cell),
            })),
          ),
        );
  const covered = rowsCovered(rows);
  rows.forEach((row, rowIndex) => {
    const page = firstPage(row.cells);
    const location = page === undefined ? {} : { page };
    context.push({
      kind: 'table_row',
      text: '',
      location,
      table: {
        id,
        row: rowIndex,
        header: rowIndex >= header.first && rowIndex < header.first + header.count,
      },
      cells: row.cells.map((cell, cellIndex) => ({
        text: texts[rowIndex]![cellIndex]!,
        column: cell.column,
        ...(cell.span > 1 ? { span: cell.span } : {}),
        ...(covered.has(cell) ? { rows: covered.get(cell)! } : {}),
        location: { ...location, cell: `R${rowIndex + 1}C${cell.column + 1}` },
      })),
    });
    for (const paragraph of row.cells.flatMap(paragraphsOf)) {
      pushHidden(context, paragraph);
      for (const figure of paragraph.figures)
        context.push({ kind: 'figure', text: cleanText(figure), location });
      for (const reference of paragraph.references) pushReferred(context, reference, paragraph.page);
    }
  });
}

/** Cells that go on in rows below, with the number of rows that they cover. Linear in the cells. */
function rowsCovered(rows: StoryTable['rows']): ReadonlyMap<StoryCell, number> {
  const covered = new Map<StoryCell, number>();
  const above = new Map<number, StoryCell>();
  for (const { cells } of rows) {
    for (const cell of cells) {
      const top = cell.continuation ? above.get(cell.column) : undefined;
      if (top) covered.set(top, (covered.get(top) ?? 1) + 1);
      else above.set(cell.column, cell);
    }
  }
  return covered;
}

/** A table that only draws a box around running text. */
function isFrame(context: BlockContext, table: StoryTable): boolean {
  if (table.rows.some((row) => row.cells.length !== 1)) return false;
  const paragraphs = table.rows.flatMap((row) => row.cells).flatMap((cell) => cell.items);
  return (
    table.rows.length === 1 ||
    paragraphs.some((item) => item.kind === 'table' || headingLevel(context, item) !== undefined)
  );
}

function paragraphsOf(cell: StoryCell): StoryParagraph[] {
  return cell.items.flatMap((item) =>
    item.kind === 'paragraph' ? [item] : item.rows.flatMap((row) => row.cells).flatMap(paragraphsOf),
  );
}

function isBold(cell: StoryCell): boolean {
  const filled = paragraphsOf(cell).filter((paragraph) => paragraph.text.trim());
  return (
    filled.length > 0 &&
    filled.every((paragraph) => paragraph.boldCharacters >= paragraph.text.replace(/\s/g, '').length)
  );
}

function firstPage(cells: readonly StoryCell[]): number | undefined {
  return cells.flatMap(paragraphsOf)[0]?.page;
}
