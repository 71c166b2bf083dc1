import { looksSame, TINY_POINTS, WHITE } from '../../colours.js';
import type { OpenDocumentStyle, OpenDocumentStyles } from '../../files/open-document-styles.js';
import type { XmlAttributes } from '../../files/xml.js';
import type { HiddenReason } from '../../hidden-ranges.js';

/** How the text looks that stands at the place that is being read. */
export interface TextLook {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** Why nobody sees text here. */
  hidden(): HiddenReason | undefined;
}

/** An element around the text that is being read. */
interface Around {
  readonly name: string;
  readonly style: OpenDocumentStyle;
  readonly isHidden: boolean;
  /** Looks that only a program knows: a table template. */
  readonly isUnknown: boolean;
}

/** Families of the styles of elements that say something about how the text in them looks. */
const FAMILIES: Readonly<Record<string, string>> = {
  'text:p': 'paragraph',
  'text:h': 'paragraph',
  'text:span': 'text',
  'text:section': 'section',
  'table:table': 'table',
  'table:table-row': 'table-row',
  'table:table-cell': 'table-cell',
};
/** What stands apart from the text around it: not on the same background. */
const APART = new Set(['text:note', 'office:annotation']);

export function createTextLook(styles: OpenDocumentStyles): TextLook {
  const around: Around[] = [];
  let reason: HiddenReason | undefined;
  let isFresh = false;

  function hidden(): HiddenReason | undefined {
    if (around.some((one) => one.isHidden)) return 'marked-hidden';
    const letters: OpenDocumentStyle[] = [];
    let background: OpenDocumentStyle['background'];
    let inLetters = true;
    for (const { name, style, isUnknown } of around.toReversed()) {
      if (name === 'office:annotation') return undefined;
      if (name === 'text:note') break;
      if (inLetters) {
        letters.push(style);
        background ??= style.highlight;
      }
      background ??= style.background ?? (isUnknown ? 'unknown' : undefined);
      if (FAMILIES[name] === 'paragraph') inLetters = false;
    }
    const look = Object.assign({}, ...letters.reverse()) as OpenDocumentStyle;
    if (look.isHidden) return 'marked-hidden';
    if (look.size !== undefined && look.size <= TINY_POINTS) return 'tiny';
    if (look.isTransparent) return 'transparent';
    if (look.colour === 'auto' || look.isConditional) return undefined;
    const paper = styles.hasUnknownPaper() ? 'unknown' : WHITE;
    const behind = background ?? paper;
    return behind !== 'unknown' && looksSame(look.colour, behind) ? 'same-colour' : undefined;
  }

  return {
    open(name, attributes) {
      const isDrawing = name.startsWith('draw:');
      const family = FAMILIES[name];
      if (!family && !isDrawing && !APART.has(name)) return;
      const style = family ? styles.find(family, styleName(name, attributes)) : {};
      const isOff =
        name === 'text:section' &&
        (attributes['text:display'] === 'none' ||
          (attributes['text:display'] === 'condition' && attributes['text:is-hidden'] === 'true'));
      const isUnknown = isDrawing || attributes['table:template-name'] !== undefined;
      around.push({ name, style, isHidden: isOff, isUnknown });
      isFresh = false;
    },
    close(name) {
      if (around.at(-1)?.name !== name) return;
      around.pop();
      isFresh = false;
    },
    hidden() {
      if (!isFresh) reason = hidden();
      isFresh = true;
      return reason;
    },
  };
}

function styleName(name: string, attributes: XmlAttributes): string | undefined {
  return attributes[name.startsWith('table:') ? 'table:style-name' : 'text:style-name'];
}
