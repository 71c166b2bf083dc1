import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { Report } from '../../report.js';
import { escapeXml } from '../escape.js';

/** A part of an Office package: whole, or as it comes. */
export interface PackagePart {
  readonly name: string;
  readonly content: string | Iterable<string>;
}

/** Archives carry a time for each entry; a fixed one, so that the same input gives the same bytes. */
const TIME = new Date(1980, 0, 1, 0, 0, 0);
const PIECE = 1 << 16;

/** Packs the parts into a ZIP, one after the other, as they are made. */
export function packParts(parts: readonly PackagePart[]): AsyncIterable<Uint8Array> {
  const zip = new yazl.ZipFile();
  for (const { name, content } of parts) {
    const options = { mtime: TIME, forceDosTimestamp: true, mode: 0o100644 };
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name, options);
    else {
      // Opened when it is its turn; a stream that nobody reads would keep everything.
      zip.addReadStreamLazy(name, options, (take) => take(null, Readable.from(pieces(content))));
    }
  }
  zip.end();
  return zip.outputStream as Readable;
}

/** Small strings put together: a stream of single elements would be slow. */
function* pieces(content: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const part of content) {
    piece += part;
    if (piece.length >= PIECE) {
      yield Buffer.from(piece);
      piece = '';
    }
  }
  if (piece !== '') yield Buffer.from(piece);
}

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Title, author and time of a package. */
export function coreProperties(report: Report): string {
  const time = new Date(report.createdAt).toISOString().replace(/\.\d+Z$/, 'Z');
  return `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(report.title)}</dc:title><dc:subject>${escapeXml(report.notice)}</dc:subject><dc:creator>${escapeXml(report.author ?? report.tool.name)}</dc:creator><dc:language>${report.language}</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${time}</dcterms:modified></cp:coreProperties>`;
}
