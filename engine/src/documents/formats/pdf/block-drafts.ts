import type { BlockDraft, BlockKind } from '../../block.js';
import { allHidden, type HiddenReason } from '../../hidden-ranges.js';
import { placeText, withoutStart } from '../../page-places/text-places.js';
import { isCaption } from './captions.js';
import { blockText, type HeadingLevels } from './headings.js';
import type { Segment } from './page-content.js';
import type { DocumentStyle } from './style.js';
import { headerOf, sameColumns, type Table } from './tables.js';
import type { PageItem, TextBlock } from './text-blocks.js';

/** A page when everything on it has been understood. */
export interface UnderstoodPage {
  readonly number: number;
  readonly headers: readonly EdgeText[];
  readonly items: readonly PageItem[];
  readonly footers: readonly EdgeText[];
  readonly comments: readonly string[];
  /** Text that nobody sees, by reason. */
  readonly hidden: readonly { readonly text: string; readonly reason: HiddenReason }[];
}

/** A running header or footer and what it was made of. */
export interface EdgeText {
  readonly text: string;
  readonly segments: readonly Segment[];
}

interface Heading {
  readonly text: string;
  readonly level: number;
}

/** Turns pages into blocks in reading order, each with its page and the headings above it. */
export function* blockDrafts(
  pages: readonly UnderstoodPage[],
  context: { readonly style: DocumentStyle; readonly levels: HeadingLevels },
): Generator<BlockDraft> {
  const { style, levels } = context;
  const path: Heading[] = [];
  const tables = tableNumbers();
  const list = listDepths();
  for (const page of pages) {
    const place = (): { page: number; section?: string[] } => ({
      page: page.number,
      ...(path.length > 0 ? { section: path.map((heading) => heading.text) } : {}),
    });
    for (const { text, segments } of page.headers) {
      yield { kind: 'page_header', text, location: place(), ...placesOf(text, segments) };
    }
    for (let index = 0; index < page.items.length; index++) {
      const item = page.items[index]!;
      if (!('lines' in item)) {
        list.end();
        if (item.kind === 'table') yield* tables.rows(item.table, place());
        else yield { kind: 'figure', text: item.picture.text, location: place() };
        continue;
      }
      let level = levels.get(item);
      if (level !== undefined) {
        let text = blockText(item);
        let segments = segmentsOf(item);
        const next = page.items[index + 1];
        if (isChapterNumber(text) && next && 'lines' in next && levels.has(next)) {
          text = `${text} ${blockText(next)}`;
          segments = [...segments, ...segmentsOf(next)];
          level = levels.get(next)!;
          index++;
        }
        while (path.length > 0 && path[path.length - 1]!.level >= level) path.pop();
        yield { kind: 'heading', text, location: place(), level, ...placesOf(text, segments) };
        path.push({ text, level });
        tables.end();
        list.end();
        continue;
      }
      const whole = blockText(item);
      const text = whole.slice(item.markerLength);
      if (text === '') continue;
      const kind = kindOf(item, text, style);
      const depth = kind === 'list_item' ? list.depth(item) : undefined;
      if (kind !== 'list_item') list.end();
      if (kind !== 'caption') tables.end();
      const places = placesOf(whole, segmentsOf(item), item.markerLength);
      yield { kind, text, location: place(), ...(depth === undefined ? {} : { level: depth }), ...places };
    }
    for (const { text, reason } of page.hidden)
      yield { kind: 'paragraph', text, location: place(), hidden: allHidden(text, reason) };
    for (const text of page.comments) yield { kind: 'comment', text, location: place() };
    for (const { text, segments } of page.footers) {
      yield { kind: 'page_footer', text, location: place(), ...placesOf(text, segments) };
    }
  }
}

const segmentsOf = ({ lines }: TextBlock): readonly Segment[] => lines.flatMap(({ segments }) => segments);

/** Where the letters of a text stand, without its first ones; nothing where places are not kept or do not fit. */
function placesOf(text: string, segments: readonly Segment[], without = 0): Pick<BlockDraft, 'places'> {
  if (!segments[0]?.place) return {};
  const places = placeText(text, segments);
  return places ? { places: withoutStart(places, without) } : {};
}

function kindOf(block: TextBlock, text: string, style: DocumentStyle): BlockKind {
  if (block.toc || block.tagType === 'TOCI') return 'toc_entry';
  if (block.code || block.tagType === 'Code') return 'code';
  if (isCaption(block, text, style)) return 'caption';
  if (block.marker !== undefined || block.tagType === 'LI') return 'list_item';
  return 'paragraph';
}

/** "Chapter 3" or "Anhang B" alone on a line: its title is the next heading. */
function isChapterNumber(text: string): boolean {
  return /^(?:chapter|part|annex|appendix|kapitel|teil|anhang)\s+(?:\d+|[ivxlc]+|[a-z])[.:]?$/i.test(text);
}

/** Depth of list items by their indentation: deeper when further right than the one before. */
function listDepths(): { depth(block: TextBlock): number; end(): void } {
  let indents: number[] = [];
  return {
    depth(block) {
      const { x0 } = block.lines[0]!;
      while (indents.length > 0 && x0 < indents[indents.length - 1]! - 2) indents.pop();
      if (indents.length === 0 || x0 > indents[indents.length - 1]! + 2) indents.push(x0);
      return indents.length;
    },
    end() {
      indents = [];
    },
  };
}

/** Numbers tables and their rows; a table that begins where one ended, with the same columns, is the same. */
function tableNumbers(): {
  rows(table: Table, place: { page: number; section?: string[] }): Generator<BlockDraft>;
  end(): void;
} {
  let last:
    | { id: number; row: number; page: number; columns: readonly number[]; header: string[] }
    | undefined;
  let open = false;
  return {
    *rows(table, place) {
      const header = headerOf(table);
      const texts = table.rows.map((row) => row.cells.map((cell) => cell.text).join('\t'));
      const continued = open && last?.page === place.page - 1 && sameColumns(last.columns, table.columns);
      const state =
        last && continued
          ? { ...last, page: place.page }
          : {
              id: last ? last.id + 1 : 0,
              row: 0,
              page: place.page,
              columns: table.columns,
              header: texts.slice(header.first, header.first + header.count),
            };
      for (const [index, row] of table.rows.entries()) {
        const isHeader = continued
          ? state.header.includes(texts[index]!)
          : index >= header.first && index < header.first + header.count;
        yield {
          kind: 'table_row',
          text: texts[index]!,
          location: place,
          table: { id: state.id, row: state.row, header: isHeader },
          cells: row.cells.map((cell) => ({
            text: cell.text,
            column: cell.column,
            ...(cell.span > 1 ? { span: cell.span } : {}),
            ...(cell.rows !== undefined && cell.rows > 1 ? { rows: cell.rows } : {}),
            location: { ...place, cell: `R${state.row + 1}C${cell.column + 1}` },
            ...placesOf(cell.text, cell.segments),
          })),
        };
        state.row++;
      }
      last = state;
      open = true;
    },
    end() {
      open = false;
    },
  };
}
