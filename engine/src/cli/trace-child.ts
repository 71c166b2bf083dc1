/** Entry of a reading process that takes documents apart for the trace as well: statements are a tenth of the blocks. */
import { serveReadings } from '../documents/reading-process/serve-readings.js';
import { packStatements } from '../facts/artifacts/pack-statements.js';
import { type MadeHead, type MakeRequest, takenApart } from './trace-file.js';

serveReadings(async (document, request) => {
  const { id, documentType } = request as MakeRequest;
  const { statements, text, ...rest } = await takenApart({ id, document }, documentType);
  const packed = packStatements(statements, text);
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return {
    head: {
      ...rest,
      statements: packed.length,
      hides: statements.whole !== undefined,
      encoding,
    } satisfies MadeHead,
    body: Buffer.concat([packed, Buffer.from(text, encoding)]),
  };
});
