import type { BlockKind } from '../../block.js';
import type { BlockCollector, SectionPath } from '../../block-collector.js';
import { cleanText, MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import type { OpenDocumentStyles } from '../../files/open-document-styles.js';
import type { XmlAttributes, XmlHandler } from '../../files/xml.js';
import { allHidden, type HiddenReason } from '../../hidden-ranges.js';
import type { Location } from '../../location.js';
import { readSpan } from '../../table-grid.js';
import { findTableHeader, type HeaderCandidate } from '../../table-header.js';
import { isCaption } from '../../text-patterns.js';
import { createInlineText, SPACES } from './inline.js';
import { createTextLook } from './text-look.js';

/** What the text of an OpenDocument file holds beside its blocks. */
export interface OdtStory {
  readonly handler: XmlHandler;
  /** Pages as counted by the program that wrote the file; 1 where it left no marks. */
  pages(): number;
  trackedChanges(): boolean;
  embedded(): number;
}

interface OpenTable {
  rows: { cells: { text: string; column: number; span: number }[]; header: boolean }[];
  headerRows: boolean;
  column: number;
  text: string;
  span: number;
}

/** Elements whose content is kept for other purposes: deleted text, forms, settings of variables. */
const SKIPPED = new Set([
  'text:tracked-changes',
  'office:forms',
  'text:sequence-decls',
  'text:variable-decls',
  'text:user-field-decls',
  'office:event-listeners',
  'draw:image',
  'text:ruby-text',
  'text:note-citation',
  'dc:creator',
  'dc:date',
  'meta:creator-initials',
]);
const PARAGRAPHS = new Set(['text:p', 'text:h']);
const INDEXES =
  /^text:(?:table-of-content|illustration-index|table-index|alphabetical-index|object-index|user-index)$/;

/** A piece of a paragraph that nobody sees. */
interface HiddenPiece {
  readonly reason: HiddenReason;
  text: string;
}

interface OpenParagraph {
  readonly text: string;
  readonly kind: BlockKind | undefined;
  readonly level: number | undefined;
  readonly hidden: HiddenPiece[];
  readonly isOff: boolean;
}

/**
 * Blocks of an ODT text as its XML goes by, the automatic styles before it included. Notes, comments and what nobody
 * sees of a paragraph stand behind the paragraph that they belong to.
 */
export function createOdtStory(
  collector: BlockCollector,
  sections: SectionPath,
  styles: OpenDocumentStyles,
): OdtStory {
  const tables: OpenTable[] = [];
  /** The paragraphs around the one that is open: notes and text boxes stand inside a paragraph. */
  const outer: OpenParagraph[] = [];
  const inline = createInlineText();
  const look = createTextLook(styles);
  let hidden: HiddenPiece[] = [];
  /** A field hides the whole paragraph. */
  let isOff = false;
  let tableCount = 0;
  let kind: BlockKind | undefined;
  let level: number | undefined;
  let listDepth = 0;
  let item = false;
  let indexDepth = 0;
  let annotation = 0;
  let skipped = 0;
  let alternative: 'title' | 'description' | undefined;
  let frame: { text: string; hasText: boolean } | undefined;
  let page = 1;
  let tracked = false;
  let embedded = 0;
  let later: { kind: BlockKind; text: string; reason?: HiddenReason }[] = [];

  function locate(): Location {
    const section = sections.current();
    return { ...(page > 1 || pagesMarked ? { page } : {}), ...(section ? { section } : {}) };
  }
  let pagesMarked = false;

  function push(blockKind: BlockKind, text: string, blockLevel?: number, reason?: HiddenReason): void {
    if (blockKind === 'heading') {
      const above = sections.above(blockLevel!);
      sections.enter(blockLevel!, text);
      const { page: onPage } = locate();
      const location = {
        ...(onPage === undefined ? {} : { page: onPage }),
        ...(above ? { section: above } : {}),
      };
      collector.push({ kind: 'heading', level: blockLevel!, text, location });
    } else {
      const location = locate();
      collector.push({
        kind: blockKind,
        text,
        location,
        ...(blockLevel === undefined ? {} : { level: blockLevel }),
        ...(reason ? { hidden: allHidden(text, reason) } : {}),
      });
    }
  }

  function add(text: string, reason = look.hidden()): void {
    if (!reason) {
      inline.add(text);
      return;
    }
    const last = hidden.at(-1);
    if (last?.reason === reason) last.text += text;
    else if (text.trim() !== '') hidden.push({ reason, text });
    if ((last?.text.length ?? 0) > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
  }

  function closeParagraph(): void {
    const content = cleanText(inline.take());
    const pieces =
      isOff && content ? [{ reason: 'marked-hidden' as const, text: content }, ...hidden] : hidden;
    const text = isOff ? '' : content;
    const ownKind = kind;
    const ownLevel = level;
    const around = outer.pop();
    if (around) {
      inline.add(around.text);
      ({ kind, level, hidden, isOff } = around);
    } else {
      kind = undefined;
      hidden = [];
      isOff = false;
    }
    if (text) writeParagraph(text, { kind: ownKind, level: ownLevel, nested: around !== undefined });
    for (const piece of pieces) {
      const own = cleanText(piece.text);
      if (own) later.push({ kind: 'paragraph', text: own, reason: piece.reason });
    }
    if (!around && annotation === 0 && tables.length === 0) writeLater();
  }

  function writeParagraph(
    text: string,
    own: { kind: BlockKind | undefined; level: number | undefined; nested: boolean },
  ): void {
    if (annotation > 0) later.push({ kind: 'comment', text });
    else if (tables.length > 0) {
      const table = tables.at(-1)!;
      table.text = table.text ? `${table.text} ${text}` : text;
    } else if (own.nested) later.push({ kind: 'paragraph', text });
    else
      push(
        own.kind === 'paragraph' && isCaption(text) ? 'caption' : (own.kind ?? 'paragraph'),
        text,
        own.level,
      );
  }

  function writeLater(): void {
    const behind = later;
    later = [];
    for (const block of behind) push(block.kind, block.text, undefined, block.reason);
  }

  function openParagraph(name: string, attributes: XmlAttributes): void {
    if (kind !== undefined) outer.push({ text: inline.take(), kind, level, hidden, isOff });
    else inline.take();
    hidden = [];
    isOff = false;
    level = undefined;
    if (indexDepth > 0) kind = 'toc_entry';
    else if (name === 'text:h') {
      kind = 'heading';
      level = Math.max(1, Math.min(9, Number.parseInt(attributes['text:outline-level'] ?? '1', 10) || 1));
    } else if (item && outer.length === 0) {
      kind = 'list_item';
      level = Math.max(1, listDepth);
      item = false;
    } else kind = 'paragraph';
  }

  function closeTable(): void {
    const table = tables.pop()!;
    const rows = table.rows.filter((row) => row.cells.some((cell) => cell.text !== ''));
    const parent = tables.at(-1);
    if (parent) {
      // A table inside a cell is part of that cell's text.
      const text = rows
        .flatMap((row) => row.cells.map((cell) => cell.text))
        .filter(Boolean)
        .join(' ');
      parent.text = parent.text && text ? `${parent.text} ${text}` : parent.text || text;
      return;
    }
    const id = tableCount++;
    const stated = rows.some((row) => row.header);
    const guessed = stated
      ? { first: 0, count: 0 }
      : findTableHeader(rows.map((row): HeaderCandidate[] => row.cells));
    const location = locate();
    rows.forEach((row, index) => {
      collector.push({
        kind: 'table_row',
        text: '',
        location,
        table: {
          id,
          row: index,
          header: row.header || (index >= guessed.first && index < guessed.first + guessed.count),
        },
        cells: row.cells.map(({ text, column, span }) => ({
          text,
          column,
          ...(span > 1 ? { span } : {}),
          location: { ...location, cell: `R${index + 1}C${column + 1}` },
        })),
      });
    });
    writeLater();
  }

  function openTableElement(name: string, attributes: XmlAttributes): void {
    const table = tables.at(-1);
    if (name === 'table:table') tables.push({ rows: [], headerRows: false, column: 0, text: '', span: 1 });
    else if (!table) return;
    else if (name === 'table:table-header-rows') table.headerRows = true;
    else if (name === 'table:table-row') {
      table.rows.push({ cells: [], header: table.headerRows });
      table.column = 0;
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      table.text = '';
      table.span = readSpan(attributes['table:number-columns-spanned']);
    }
  }

  function closeTableElement(name: string): void {
    const table = tables.at(-1);
    if (!table) return;
    if (name === 'table:table') closeTable();
    else if (name === 'table:table-header-rows') table.headerRows = false;
    else if (name === 'table:table-cell') {
      table.rows.at(-1)?.cells.push({ text: table.text, column: table.column, span: table.span });
      table.column++;
    } else if (name === 'table:covered-table-cell') table.column++;
  }

  const handler: XmlHandler = {
    open(name, attributes) {
      if (SKIPPED.has(name)) {
        skipped++;
        if (name === 'text:tracked-changes') tracked = true;
      }
      if (skipped > 0) return;
      styles.open(name, attributes);
      look.open(name, attributes);
      if (PARAGRAPHS.has(name)) openParagraph(name, attributes);
      else if (name.startsWith('table:')) openTableElement(name, attributes);
      else if (name === 'text:list') listDepth++;
      else if (name === 'text:list-item' || name === 'text:list-header') item = true;
      else if (INDEXES.test(name)) indexDepth++;
      else if (name === 'office:annotation') annotation++;
      else if (name === 'draw:frame') frame = { text: '', hasText: false };
      else if (name === 'draw:text-box' && frame) frame.hasText = true;
      else if (name === 'draw:object' || name === 'draw:object-ole') embedded++;
      else if (name === 'svg:title' || name === 'svg:desc')
        alternative = name === 'svg:title' ? 'title' : 'description';
      else if (name === 'text:soft-page-break') {
        page++;
        pagesMarked = true;
      } else if (name === 'text:hidden-text' && attributes['text:is-hidden'] === 'true') {
        add(attributes['text:string-value'] ?? '', 'marked-hidden');
      } else if (name === 'text:hidden-paragraph') isOff ||= attributes['text:is-hidden'] === 'true';
      else if (SPACES.has(name)) add(' ');
    },
    text(text) {
      if (skipped > 0) return;
      if (alternative) {
        if (frame) frame.text = cleanText(`${frame.text} ${text}`);
      } else if (kind !== undefined) add(text);
    },
    close(name) {
      if (SKIPPED.has(name)) {
        skipped--;
        return;
      }
      if (skipped > 0) return;
      styles.close(name);
      look.close(name);
      if (PARAGRAPHS.has(name)) closeParagraph();
      else if (name.startsWith('table:')) closeTableElement(name);
      else if (name === 'text:list') listDepth--;
      else if (name === 'text:list-item' || name === 'text:list-header') item = false;
      else if (INDEXES.test(name)) indexDepth--;
      else if (name === 'office:annotation') annotation--;
      else if (name === 'svg:title' || name === 'svg:desc') alternative = undefined;
      else if (name === 'draw:frame' && frame) {
        if (!frame.hasText) later.push({ kind: 'figure', text: frame.text });
        frame = undefined;
      }
    },
  };
  return {
    handler,
    pages: () => (pagesMarked ? page : 1),
    trackedChanges: () => tracked,
    embedded: () => embedded,
  };
}
