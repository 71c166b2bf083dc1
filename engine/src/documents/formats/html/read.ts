import { createBlockCollector, createSectionPath } from '../../block-collector.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { readHtmlPage } from './page.js';

/** HTML pages: what a browser shows, without scripts, styles and hidden elements. */
export const htmlReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    let tables = 0;
    const properties = readHtmlPage(text, {
      collector,
      sections: createSectionPath(),
      lineOffset: 0,
      nextTable: () => tables++,
    });
    return { blocks: collector.blocks, properties, notes };
  },
};
