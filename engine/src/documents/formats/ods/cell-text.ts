import { cleanText, MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import { looksSame, TINY_POINTS, WHITE } from '../../colours.js';
import type { OpenDocumentStyle, OpenDocumentStyles } from '../../files/open-document-styles.js';
import { allHidden, type HiddenRange, type HiddenReason } from '../../hidden-ranges.js';

/** Text of the cell that is open; what nobody sees of it stands behind what is seen. */
export interface CellText {
  /** A cell of this style begins. */
  begin(style: string | undefined): void;
  openSpan(style: string | undefined): void;
  closeSpan(): void;
  add(text: string): void;
  endParagraph(): void;
  /** The cell's text, or `otherwise` where it has no paragraph. */
  take(otherwise: string): { readonly text: string; readonly hidden: readonly HiddenRange[] | undefined };
}

export function createCellText(styles: OpenDocumentStyles): CellText {
  const reasons = new Map<string, HiddenReason | undefined>();
  let cell: string | undefined;
  let spans: (string | undefined)[] = [];
  let seen = '';
  let unseen: { readonly reason: HiddenReason; text: string }[] = [];
  let length = 0;

  function reason(): HiddenReason | undefined {
    const key = [cell, ...spans].join('\n');
    if (!reasons.has(key)) {
      const own = styles.find('table-cell', cell);
      reasons.set(key, hiddenBy(own, [own, ...spans.map((name) => styles.find('text', name))]));
    }
    return reasons.get(key);
  }

  return {
    begin(style) {
      cell = style;
      spans = [];
      seen = '';
      unseen = [];
      length = 0;
    },
    openSpan: (style) => void spans.push(style),
    closeSpan: () => void spans.pop(),
    add(text) {
      length += text.length;
      if (length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
      const why = reason();
      const last = unseen.at(-1);
      if (!why) seen += text;
      else if (last?.reason === why) last.text += text;
      else unseen.push({ reason: why, text });
    },
    endParagraph() {
      seen += ' ';
      const last = unseen.at(-1);
      if (last) last.text += ' ';
    },
    take(otherwise) {
      let text = cleanText(seen);
      const hidden: HiddenRange[] = [];
      for (const piece of unseen) {
        const own = cleanText(piece.text);
        if (!own) continue;
        const start = text ? text.length + 1 : 0;
        text = text ? `${text} ${own}` : own;
        hidden.push({ start, end: text.length, reason: piece.reason });
      }
      if (text) return { text, hidden: hidden.length > 0 ? hidden : undefined };
      const why = reason();
      return { text: otherwise, hidden: why ? allHidden(otherwise, why) : undefined };
    },
  };
}

function hiddenBy(cell: OpenDocumentStyle, looks: readonly OpenDocumentStyle[]): HiddenReason | undefined {
  const look = Object.assign({}, ...looks) as OpenDocumentStyle;
  if (look.isHidden) return 'marked-hidden';
  if (look.size !== undefined && look.size <= TINY_POINTS) return 'tiny';
  if (look.isTransparent) return 'transparent';
  if (look.colour === 'auto' || look.isConditional) return undefined;
  const behind = look.highlight ?? cell.background ?? WHITE;
  return behind !== 'unknown' && looksSame(look.colour, behind) ? 'same-colour' : undefined;
}
