import { createBlockCollector } from '../../block-collector.js';
import { cleanCode } from '../../clean-text.js';
import { readText } from '../../files/decode-text.js';
import type { FormatReader } from '../../format-reader.js';
import { createRecordTable } from '../../records/record-table.js';
import { parseTrlc } from './parse.js';

/** TRLC (`.trlc` with objects, `.rsl` with types): one record for each object, sections as headings. */
export const trlcReader: FormatReader = {
  async read(bytes, { limits }) {
    const { text, notes } = readText(bytes, limits);
    const collector = createBlockCollector(limits);
    const table = createRecordTable(collector, limits);
    for (const item of parseTrlc(text, limits.maxDepth)) {
      if (item.kind === 'section') table.heading(item.depth, item.title, { line: item.line });
      else if (item.kind === 'section_end') table.leaveSections(item.depth + 1);
      else if (item.kind === 'declaration') table.prose('code', cleanCode(item.text), { line: item.line });
      else {
        const { id, type, line } = item;
        table.record({
          id,
          type: type.slice(type.lastIndexOf('.') + 1),
          line,
          fields: [
            { name: 'ID', text: id },
            { name: 'Type', text: type },
            ...item.fields.filter((field) => field.references.length === 0),
          ],
          links: item.fields.flatMap((field) =>
            field.references.map((reference) => ({ type: field.name, ...reference })),
          ),
        });
      }
    }
    return { blocks: collector.blocks, properties: {}, notes: [...notes, ...table.finish()] };
  },
};
