import { createBlockCollector } from '../../block-collector.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { writeData } from '../../records/write-data.js';
import { isDoorstopItem, writeDoorstopItem } from './doorstop.js';
import { parseYaml } from './parse.js';

/** YAML: items of Doorstop as the records they are, everything else by its shape. */
export const yamlReader: FormatReader = {
  async read(bytes, { limits, fileName }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const documents = parseYaml(text, limits);
    const [only] = documents;
    if (only && documents.length === 1 && isDoorstopItem(only)) {
      const own = writeDoorstopItem(only, { fileName, limits, collector });
      return { blocks: collector.blocks, properties: {}, notes: [...notes, ...own] };
    }
    if (only)
      writeData(documents.length === 1 ? only : { kind: 'list', items: documents, line: 1 }, collector);
    return { blocks: collector.blocks, properties: {}, notes };
  },
};
