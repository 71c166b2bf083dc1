import { MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import type { XmlAttributes } from '../../files/xml.js';

/** Elements that stand for white space. */
export const SPACES: ReadonlySet<string> = new Set(['text:s', 'text:tab', 'text:line-break']);

/** Running text of OpenDocument: spaces, tabs and breaks are elements. */
export interface InlineText {
  open(name: string, attributes: XmlAttributes): void;
  add(text: string): void;
  take(): string;
}

export function createInlineText(): InlineText {
  let text = '';
  return {
    open(name) {
      if (SPACES.has(name)) text += ' ';
    },
    add(more) {
      text += more;
      if (text.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
    },
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}
