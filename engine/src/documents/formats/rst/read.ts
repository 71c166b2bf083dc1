import { createBlockCollector, createSectionPath } from '../../block-collector.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { readBody } from './body.js';

/** reStructuredText (docutils) with the directives of Sphinx and of requirement extensions. */
export const rstReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const lines = text
      .split('\n')
      .map((line, index) => ({ text: line.replaceAll('\t', '        '), number: index + 1 }));
    readBody(
      {
        collector,
        sections: createSectionPath(),
        maxDepth: limits.maxDepth,
        underlines: [],
        nextTable: 0,
        itemId: undefined,
      },
      lines,
      0,
    );
    return { blocks: collector.blocks, properties: {}, notes };
  },
};
