import { MAX_BLOCK_CHARACTERS, paragraphTooLong } from '../../clean-text.js';
import type { XmlAttributes } from '../../files/xml.js';

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
      if (name === 'text:s' || name === 'text:tab' || name === 'text:line-break') text += ' ';
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
