import { english } from '../../../sentences/render.js';
import { say } from '../../../sentences/sentence.js';
import { createBlockCollector } from '../../block-collector.js';
import { cleanText } from '../../clean-text.js';
import { corruptFile } from '../../document-error.js';
import { isExchangePart } from '../../files/exchange-part.js';
import { piecesOf } from '../../files/xml.js';
import { openZip } from '../../files/zip-archive.js';
import type { FormatReader } from '../../format-reader.js';
import { noteOf } from '../../reading-notes.js';
import { createRecordTable } from '../../records/record-table.js';
import { writeBlocks } from './blocks.js';
import { emptyModel } from './model.js';
import { parseReqif } from './parse.js';

/** Requirements Interchange Format: `.reqif`, and `.reqifz` with one or several of them and what they embed. */
export const reqifReader: FormatReader = {
  async read(bytes, { limits, onProgress }) {
    const model = emptyModel();
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
      const zip = await openZip(bytes, limits);
      try {
        const parts = zip.names.filter((name) => isExchangePart(name, 'reqif'));
        // Relations may lead from one file of the archive to another.
        for (const [index, partName] of parts.entries()) {
          await parseReqif(zip.stream(partName), model, { limits, partName: `number ${index + 1}` });
          onProgress?.(index + 1, parts.length);
        }
      } finally {
        zip.close();
      }
    } else await parseReqif(piecesOf(bytes), model, { limits, partName: 'ReqIF' });

    const collector = createBlockCollector(limits);
    const table = createRecordTable(collector, limits);
    const broken = writeBlocks(model, table);
    const notes = [...broken, ...table.finish()];
    if (model.embedded > 0) {
      notes.push(noteOf('embedded_object', say('reading.embedded-in-texts', { count: model.embedded })));
    }
    if (model.objects.size === 0 && broken.length > 0) {
      throw corruptFile(
        `it holds no object. ${english(broken[0]!.message).replace(/\.$/, '')}`,
        broken[0]!.location,
      );
    }
    const title = cleanText(model.title);
    return {
      blocks: collector.blocks,
      properties: { ...(title ? { title } : {}), ...(model.created ? { created: model.created } : {}) },
      notes,
    };
  },
};
