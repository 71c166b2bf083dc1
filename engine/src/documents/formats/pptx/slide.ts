import { cleanText, MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import { type Colour, looksSame } from '../../colours.js';
import type { OfficePackage } from '../../files/office-package.js';
import type { XmlAttributes } from '../../files/xml.js';
import type { HiddenRange, HiddenReason } from '../../hidden-ranges.js';
import { readSpan } from '../../table-grid.js';
import { createSlideLook, type SlideGround } from './slide-look.js';

export interface SlideCell {
  readonly text: string;
  readonly column: number;
  readonly span: number;
  /** What of the text nobody sees. */
  readonly hidden: readonly HiddenRange[] | undefined;
}

/** A piece of a slide; `hidden` tells why nobody sees it. */
export type SlideItem = { readonly hidden?: HiddenReason | undefined } & (
  | { readonly kind: 'title' | 'paragraph' | 'page_footer' | 'figure'; readonly text: string }
  | { readonly kind: 'list_item'; readonly text: string; readonly level: number }
  | {
      readonly kind: 'table';
      readonly header: boolean;
      readonly rows: readonly (readonly SlideCell[])[];
    }
);

export interface Slide {
  readonly items: readonly SlideItem[];
  readonly hidden: boolean;
  /** Charts and other objects whose text is not in the slide. */
  readonly embedded: number;
}

/** Shapes and groups of them; what hides the outermost hides all in it. */
const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:grpSp', 'p:pic', 'p:cxnSp']);
const TITLES = new Set(['title', 'ctrTitle']);
const FOOTERS = new Set(['ftr', 'sldNum', 'dt', 'hdr']);
/** Placeholders whose paragraphs have bullets unless they say otherwise. */
const BULLETED = new Set(['body', 'obj', '']);

interface Table {
  header: boolean;
  rows: SlideCell[][];
  column: number;
}

/** What nobody sees of a paragraph. */
interface HiddenPiece {
  readonly reason: HiddenReason;
  text: string;
}

/** A piece of a cell; whether its colour is that of the cell is known when the cell ends. */
interface CellPiece {
  readonly reason: HiddenReason | undefined;
  readonly colour: Colour;
  text: string;
}

/**
 * Reads the shapes of a slide or of its notes in their order; the title comes first wherever it stands. Without a
 * ground, as in notes, nothing is said about colours.
 */
export async function readSlide(file: OfficePackage, part: string, ground?: SlideGround): Promise<Slide> {
  const look = createSlideLook(ground);
  const items: SlideItem[] = [];
  let hidden = false;
  let embedded = 0;
  let placeholder: string | undefined;
  let level = 1;
  let bullet: boolean | undefined;
  let text = '';
  let inText = false;
  /** Of the paragraph that is open. */
  let unseen: HiddenPiece[] = [];
  let cell: { span: number; covered: boolean; pieces: CellPiece[]; length: number } | undefined;
  let table: Table | undefined;
  let picture: { text: string } | undefined;
  /** Depth of copies for older programs. */
  let alternative = 0;
  /** Of the shape that is open. */
  let shapeHidden: HiddenReason | undefined;
  let shapes = 0;

  function closeParagraph(): void {
    const content = cleanText(text);
    text = '';
    const pieces = unseen;
    unseen = [];
    if (cell) {
      const last = cell.pieces.at(-1);
      if (last) last.text += ' ';
      return;
    }
    if (content) writeParagraph(content);
    for (const piece of pieces) {
      const own = cleanText(piece.text);
      if (own) items.push({ kind: 'paragraph', text: own, hidden: piece.reason });
    }
  }

  function writeParagraph(content: string): void {
    if (placeholder !== undefined && TITLES.has(placeholder))
      items.push({ kind: 'title', text: content, hidden: shapeHidden });
    else if (placeholder !== undefined && FOOTERS.has(placeholder))
      items.push({ kind: 'page_footer', text: content, hidden: shapeHidden });
    else if (bullet ?? (placeholder !== undefined && BULLETED.has(placeholder))) {
      items.push({ kind: 'list_item', text: content, level, hidden: shapeHidden });
    } else items.push({ kind: 'paragraph', text: content, hidden: shapeHidden });
  }

  function closeCell(): void {
    if (cell && table && !cell.covered) {
      const { span } = cell;
      table.rows
        .at(-1)
        ?.push({ ...cellText(cell.pieces, look.cellBackground()), column: table.column, span });
    }
    if (table) table.column++;
    cell = undefined;
  }

  function open(name: string, attributes: XmlAttributes): void {
    // Newer content stands beside a copy for older programs; one of them is enough.
    if (name === 'mc:Fallback') alternative++;
    if (alternative > 0) return;
    look.open(name, attributes);
    if (SHAPES.has(name) && shapes++ === 0) shapeHidden = undefined;
    if (name === 'p:cNvPr' && isTrue(attributes.hidden) && shapes > 0) shapeHidden ??= 'marked-hidden';
    if (name === 'p:sld') hidden = attributes.show === '0' || attributes.show === 'false';
    else if (name === 'p:sp' || name === 'p:graphicFrame') placeholder = undefined;
    else if (name === 'p:ph') placeholder = attributes.type ?? '';
    else if (name === 'p:pic') picture = { text: '' };
    else if (name === 'p:cNvPr' && picture) picture.text = attributes.descr ?? '';
    else if (name === 'a:p') {
      level = 1;
      bullet = undefined;
    } else if (name === 'a:pPr') level = Math.min(9, Number(attributes.lvl ?? 0) + 1);
    else if (name === 'a:buChar' || name === 'a:buAutoNum' || name === 'a:buBlip') bullet = true;
    else if (name === 'a:buNone') bullet = false;
    else if (name === 'a:t') inText = true;
    else if (name === 'a:br' || name === 'a:tab') {
      const last = cell?.pieces.at(-1);
      if (last) last.text += ' ';
      else text += ' ';
    } else if (name === 'a:tbl') table = { header: false, rows: [], column: 0 };
    else if (name === 'a:tblPr' && table) table.header = isTrue(attributes.firstRow);
    else if (name === 'a:tr' && table) {
      table.rows.push([]);
      table.column = 0;
    } else if (name === 'a:tc') {
      const span = readSpan(attributes.gridSpan);
      const covered = isTrue(attributes.hMerge) || isTrue(attributes.vMerge);
      cell = { span, covered, pieces: [], length: 0 };
    } else if (name === 'a:graphicData' && /\/chart$|\/chartex$|oleobject|\/ole$/i.test(attributes.uri ?? ''))
      embedded++;
  }

  await file.parse(part, {
    open,
    text(more) {
      if (!inText || alternative > 0) return;
      const reason = shapeHidden === undefined ? look.hidden() : undefined;
      if (cell) {
        addToCell(cell, { text: more, reason, colour: look.colour() });
        return;
      }
      const last = unseen.at(-1);
      if (!reason) text += more;
      else if (last?.reason === reason) last.text += more;
      else unseen.push({ reason, text: more });
      if (Math.max(text.length, last?.text.length ?? 0) > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
    },
    close(name) {
      if (name === 'mc:Fallback') alternative--;
      if (alternative > 0) return;
      if (name === 'a:tc') closeCell();
      look.close(name);
      if (SHAPES.has(name)) shapes--;
      if (name === 'a:t') inText = false;
      else if (name === 'a:p') closeParagraph();
      else if (name === 'a:tbl' && table) {
        const rows = table.rows.filter((row) => row.length > 0);
        items.push({ kind: 'table', header: table.header, rows, hidden: shapeHidden });
        table = undefined;
      } else if (name === 'p:pic' && picture) {
        items.push({ kind: 'figure', text: cleanText(picture.text) });
        picture = undefined;
      }
    },
  });
  const titles = items.filter((item) => item.kind === 'title');
  return { items: [...titles, ...items.filter((item) => item.kind !== 'title')], hidden, embedded };
}

function addToCell(cell: { readonly pieces: CellPiece[]; length: number }, piece: CellPiece): void {
  cell.length += piece.text.length;
  if (cell.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
  const last = cell.pieces.at(-1);
  if (last && last.reason === piece.reason && last.colour === piece.colour) last.text += piece.text;
  else cell.pieces.push(piece);
}

/** Text of a cell; what nobody sees of it stands behind what is seen. */
function cellText(pieces: readonly CellPiece[], background: Colour) {
  const reasonOf = ({ reason, colour }: CellPiece) =>
    reason ?? (looksSame(colour, background) ? 'same-colour' : undefined);
  let text = cleanText(
    pieces
      .filter((piece) => !reasonOf(piece))
      .map((piece) => piece.text)
      .join(''),
  );
  const hidden: HiddenRange[] = [];
  for (const piece of pieces) {
    const reason = reasonOf(piece);
    const own = reason ? cleanText(piece.text) : '';
    if (!reason || !own) continue;
    const start = text ? text.length + 1 : 0;
    text = text ? `${text} ${own}` : own;
    hidden.push({ start, end: text.length, reason });
  }
  return { text, hidden: hidden.length > 0 ? hidden : undefined };
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
